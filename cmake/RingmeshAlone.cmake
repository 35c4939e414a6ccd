# SPDX-License-Identifier: Apache-2.0
# With the option RINGMESH_ALONE, target `alone` compiles every source of the layers by itself: not in a unit with its
# neighbours, without precompiled headers, and without code (cmake/syntax). That proves that each includes what it uses.
# A header that a source includes first is proven by that source; of every other header, a source is made that includes
# it and nothing else.
if(RINGMESH_ALONE)
  add_custom_target(alone)
endif()

# ringmesh_check_alone(TARGET FOLDER SOURCES [library...]): the sources, and the headers below FOLDER, as TARGET compiles
# them; the libraries are those that it links privately.
function(ringmesh_check_alone TARGET FOLDER SOURCES)
  if(NOT RINGMESH_ALONE)
    return()
  endif()
  set(proven "")
  foreach(source IN LISTS SOURCES)
    file(STRINGS "${source}" first REGEX "^#include \"" LIMIT_COUNT 1)
    string(REGEX REPLACE "^#include \"(.*)\".*" "\\1" first "${first}")
    # Only as the very first one: what stands before it could bring along what it lacks.
    file(STRINGS "${source}" any REGEX "^#include" LIMIT_COUNT 1)
    if(any MATCHES "^#include \"")
      list(APPEND proven "${first}")
    endif()
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${SOURCES})
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${CMAKE_SOURCE_DIR}" "${FOLDER}/*.h")
  list(REMOVE_ITEM headers ${proven})
  set(made "")
  foreach(header IN LISTS headers)
    set(file "${CMAKE_BINARY_DIR}/alone/${header}.cpp")
    file(CONFIGURE OUTPUT "${file}" CONTENT "#include \"${header}\"\n#include \"${header}\"  // twice\n")
    list(APPEND made "${file}")
  endforeach()
  list(LENGTH SOURCES sources)
  list(LENGTH made alone)
  message(STATUS "${TARGET}: ${sources} sources and ${alone} headers are compiled alone")
  if(NOT SOURCES AND NOT made)
    return()
  endif()

  add_library(${TARGET}_alone OBJECT EXCLUDE_FROM_ALL ${SOURCES} ${made})
  target_link_libraries(${TARGET}_alone PRIVATE ${TARGET} ${ARGN})
  set_target_properties(${TARGET}_alone PROPERTIES
    UNITY_BUILD OFF CXX_CLANG_TIDY "" CXX_COMPILER_LAUNCHER "${CMAKE_SOURCE_DIR}/cmake/syntax")
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # What only a unit would make link: a template whose definition is in another source, without an instantiation
    target_compile_options(${TARGET}_alone PRIVATE -Wundefined-func-template -Wundefined-inline -Wundefined-internal)
  endif()
  add_dependencies(alone ${TARGET}_alone)
endfunction()
