# SPDX-License-Identifier: Apache-2.0
# embedded_texts_source(OUTPUT HEADER function=FILE...)
#
# Sets OUTPUT to a source that defines ringmesh::lab::FUNCTION() for each file: its content, as a std::string. HEADER
# declares the functions. Run as a script (cmake -P), this file is the step that writes the source.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  function(embedded_texts_source OUTPUT HEADER)
    set(source "${PROJECT_BINARY_DIR}/${OUTPUT}.cpp")
    set(files "")
    foreach(text IN LISTS ARGN)
      string(REGEX REPLACE "^[^=]*=" "${CMAKE_CURRENT_SOURCE_DIR}/" file "${text}")
      list(APPEND files "${file}")
    endforeach()
    add_custom_command(OUTPUT "${source}" DEPENDS ${files} "${CMAKE_CURRENT_FUNCTION_LIST_FILE}" VERBATIM
      COMMAND "${CMAKE_COMMAND}" "-DROOT=${CMAKE_CURRENT_SOURCE_DIR}" "-DHEADER=${HEADER}" "-DTEXTS=${ARGN}"
              "-DOUTPUT=${source}" -P "${CMAKE_CURRENT_FUNCTION_LIST_FILE}")
    set(${OUTPUT} "${source}" PARENT_SCOPE)
  endfunction()
  return()
endif()

# Compilers limit one literal; a file is a list of parts.
set(part_length 15000)
file(WRITE "${OUTPUT}" "#include \"${HEADER}\"\n\n#include <string_view>\n\n")
foreach(text IN LISTS TEXTS)
  string(REGEX MATCH "^([^=]*)=(.*)$" ignored "${text}")
  set(function "${CMAKE_MATCH_1}")
  file(READ "${ROOT}/${CMAKE_MATCH_2}" content)
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
