# SPDX-License-Identifier: Apache-2.0
# add_commit(TARGET)
#
# Compiles into TARGET, an executable, the commit that it is built from, "-changed" behind it if files differ; nothing
# outside a git checkout. It is looked up in each build, and only what changes is built again. Run as a script
# (cmake -P), this file is that step.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  function(add_commit TARGET)
    find_package(Git QUIET)
    set(source "${PROJECT_BINARY_DIR}/commit.cpp")
    add_custom_target(${TARGET}_commit BYPRODUCTS "${source}" VERBATIM
      COMMAND "${CMAKE_COMMAND}" "-DGIT=${GIT_EXECUTABLE}" "-DROOT=${PROJECT_SOURCE_DIR}" "-DOUTPUT=${source}"
              -P "${CMAKE_CURRENT_FUNCTION_LIST_FILE}"
      COMMENT "")
    add_dependencies(${TARGET} ${TARGET}_commit)
    target_sources(${TARGET} PRIVATE "${source}")
    set_source_files_properties("${source}" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endfunction()
  return()
endif()

set(commit "")
if(GIT AND EXISTS "${ROOT}/.git")
  execute_process(COMMAND "${GIT}" -C "${ROOT}" describe --always --abbrev=10 --exclude=* --dirty=-changed
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(text "#include \"lab/commands/line/program.h\"\n\nconst char* ringmesh::lab::program_commit() { return \"${commit}\"; }\n")
set(old "")
if(EXISTS "${OUTPUT}")
  file(READ "${OUTPUT}" old)
endif()
if(NOT old STREQUAL text)
  file(WRITE "${OUTPUT}" "${text}")
endif()
