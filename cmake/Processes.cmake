# SPDX-License-Identifier: Apache-2.0
# The plugin of `ringmesh run --processes`: Open MPI and METIS, which the program alone does not need.
find_package(MPI COMPONENTS CXX QUIET)
find_library(RINGMESH_METIS metis)
find_path(RINGMESH_METIS_HEADERS metis.h)
if(NOT MPI_CXX_FOUND OR NOT RINGMESH_METIS OR NOT RINGMESH_METIS_HEADERS)
  message(STATUS "Without --processes: ./ringmesh install processes installs Open MPI and METIS")
  return()
endif()
add_library(ringmesh_processes MODULE "${PROJECT_SOURCE_DIR}/lab/process/mpi/plugin.cpp")
set_target_properties(ringmesh_processes PROPERTIES
  OUTPUT_NAME ringmesh-processes PREFIX "" CXX_VISIBILITY_PRESET hidden
  LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
target_link_libraries(ringmesh_processes PRIVATE MPI::MPI_CXX "${RINGMESH_METIS}")
target_include_directories(ringmesh_processes
                           PRIVATE "$<TARGET_PROPERTY:ringmesh_tlm,INTERFACE_INCLUDE_DIRECTORIES>")
target_include_directories(ringmesh_processes SYSTEM PRIVATE "${RINGMESH_METIS_HEADERS}")
add_dependencies(ringmesh ringmesh_processes)
