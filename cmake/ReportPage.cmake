# SPDX-License-Identifier: Apache-2.0
# report_page_source(OUTPUT)
#
# Sets OUTPUT to a source that defines the functions of lab/report/assets.h: what lab/report/web/bundle makes of the
# sources there. It is made anew whenever one of them has changed. Run as a script (cmake -P), this file is that step.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  function(report_page_source OUTPUT)
    find_program(RINGMESH_ESBUILD esbuild REQUIRED)
    set(web "${PROJECT_SOURCE_DIR}/lab/report/web")
    set(source "${PROJECT_BINARY_DIR}/report_page.cpp")
    file(GLOB_RECURSE files CONFIGURE_DEPENDS "${web}/src/*")
    add_custom_command(OUTPUT "${source}" DEPENDS ${files} "${web}/bundle" "${CMAKE_CURRENT_FUNCTION_LIST_FILE}" VERBATIM
      COMMAND "${CMAKE_COMMAND}" -E env "ESBUILD=${RINGMESH_ESBUILD}" "${web}/bundle" "${PROJECT_BINARY_DIR}/report"
      COMMAND "${CMAKE_COMMAND}" "-DFOLDER=${PROJECT_BINARY_DIR}/report" "-DOUTPUT=${source}"
              -P "${CMAKE_CURRENT_FUNCTION_LIST_FILE}")
    set(${OUTPUT} "${source}" PARENT_SCOPE)
  endfunction()
  return()
endif()

# Compilers limit one literal; a file is a list of parts.
set(part_length 15000)
file(WRITE "${OUTPUT}" "#include \"lab/report/assets.h\"\n\n#include <string_view>\n\n")
foreach(function_and_file report_script=report.js report_style=report.css)
  string(REGEX MATCH "^(.*)=(.*)$" ignored "${function_and_file}")
  set(function "${CMAKE_MATCH_1}")
  file(READ "${FOLDER}/${CMAKE_MATCH_2}" content)
  string(LENGTH "${content}" length)
  file(APPEND "${OUTPUT}" "std::string ringmesh::lab::${function}()\n{\n    std::string text;\n"
                          "    for (const std::string_view part : {\n")
  set(begin 0)
  while(begin LESS length)
    string(SUBSTRING "${content}" ${begin} ${part_length} part)
    file(APPEND "${OUTPUT}" "std::string_view(R\"ringmesh(${part})ringmesh\"),\n")
    math(EXPR begin "${begin} + ${part_length}")
  endwhile()
  file(APPEND "${OUTPUT}" "         }) {\n        text += part;\n    }\n    return text;\n}\n\n")
endforeach()
