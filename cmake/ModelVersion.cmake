# SPDX-License-Identifier: Apache-2.0
# model_version_source(OUTPUT layer...)
#
# Sets OUTPUT to a source that defines ringmesh::lab::sources_version(): a hash over the sources of these layers, which
# decide the results of a run. It is made anew whenever one of them has changed. Run as a script (cmake -P), this file is
# that step.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  function(model_version_source OUTPUT)
    set(source "${PROJECT_BINARY_DIR}/model_version.cpp")
    set(files "")
    foreach(layer IN LISTS ARGN)
      file(GLOB_RECURSE found CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${layer}/*.h"
                                                "${CMAKE_CURRENT_SOURCE_DIR}/${layer}/*.cpp")
      list(APPEND files ${found})
    endforeach()
    add_custom_command(OUTPUT "${source}" DEPENDS ${files} "${CMAKE_CURRENT_FUNCTION_LIST_FILE}" VERBATIM
      COMMAND "${CMAKE_COMMAND}" "-DROOT=${CMAKE_CURRENT_SOURCE_DIR}" "-DLAYERS=${ARGN}" "-DOUTPUT=${source}"
              -P "${CMAKE_CURRENT_FUNCTION_LIST_FILE}")
    set(${OUTPUT} "${source}" PARENT_SCOPE)
  endfunction()
  return()
endif()

set(text "")
foreach(layer IN LISTS LAYERS)
  file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/${layer}/*.h" "${ROOT}/${layer}/*.cpp")
  list(SORT files)
  foreach(name IN LISTS files)
    file(SHA256 "${ROOT}/${name}" hash)
    string(APPEND text "${name} ${hash}\n")
  endforeach()
endforeach()
string(SHA256 version "${text}")
string(SUBSTRING "${version}" 0 16 version)
file(WRITE "${OUTPUT}" "#include \"lab/store/point.h\"\n\n"
                       "std::string ringmesh::lab::sources_version() { return \"${version}\"; }\n")
