# SPDX-License-Identifier: Apache-2.0
# discover_boost_tests(TARGET TIMEOUT seconds [ARGUMENTS arg...] [ENVIRONMENT NAME=value...])
#
# After each build of TARGET, asks it for its tree of suites, cases and data rows (--list_content) and writes one CTest
# entry for each leaf: its name and --run_test are the path, its label is the outermost suite, its process is its own.
# The data rows of a case in the suite unit share one entry: they simulate nothing, and a start costs more than a row.
# Run as a script (cmake -P), this file is that step.

if(NOT CMAKE_SCRIPT_MODE_FILE)
  function(discover_boost_tests TARGET)
    cmake_parse_arguments(PARSE_ARGV 1 ARG "" "TIMEOUT" "ARGUMENTS;ENVIRONMENT")
    set(base "${CMAKE_CURRENT_BINARY_DIR}/${TARGET}")
    add_custom_command(TARGET ${TARGET} POST_BUILD VERBATIM
      BYPRODUCTS "${base}_cases.cmake"
      COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:${TARGET}>" "-DOUTPUT=${base}_cases.cmake"
              "-DTIMEOUT=${ARG_TIMEOUT}" "-DARGUMENTS=${ARG_ARGUMENTS}" "-DENVIRONMENT=${ARG_ENVIRONMENT}"
              -P "${CMAKE_CURRENT_FUNCTION_LIST_FILE}")
    # A program that was not built is a failing test, not an empty list.
    file(WRITE "${base}_include.cmake"
      "if(EXISTS \"${base}_cases.cmake\")\n  include(\"${base}_cases.cmake\")\n"
      "else()\n  add_test(${TARGET}_NOT_BUILT ${TARGET}_NOT_BUILT)\nendif()\n")
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${base}_include.cmake")
  endfunction()
  return()
endif()

cmake_minimum_required(VERSION 3.25)
file(REMOVE "${OUTPUT}")
set(ENV{ASAN_OPTIONS} "detect_leaks=0")
execute_process(COMMAND "${PROGRAM}" --list_content --color_output=no
                RESULT_VARIABLE status OUTPUT_VARIABLE tree ERROR_VARIABLE tree)  # Boost lists on stderr
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} --list_content failed (${status}):\n${tree}")
endif()

string(REGEX REPLACE "[][;]" "_" tree "${tree}")  # would be taken as lists
string(REPLACE "\n" ";" lines "${tree}")
set(script "")
set(count 0)
set(path "")  # the name at the line before and those above it, outermost first
set(written "")  # the case that was written last

macro(write_case)
  list(JOIN path "/" case)
  list(GET path 0 label)
  if(label STREQUAL case)
    message(FATAL_ERROR "test case ${case} is in no suite: unit, module, system, published, cli or golden")
  endif()
  if(label STREQUAL unit)
    string(REGEX REPLACE "/_[0-9]+$" "" case "${case}")
  endif()
  if(NOT case STREQUAL written)
    set(written "${case}")
    set(cost 0)
    if(label MATCHES "^(cli|published|system)$")
      set(cost 1)  # the long ones are among these: first, so that no core waits for the last one
    endif()
    string(APPEND script "add_test([==[${case}]==] [==[${PROGRAM}]==] [==[--run_test=${case}]==] ${ARGUMENTS})\n"
                         "set_tests_properties([==[${case}]==] PROPERTIES TIMEOUT ${TIMEOUT} LABELS [==[${label}]==]"
                         " COST ${cost} ENVIRONMENT [==[${ENVIRONMENT}]==])\n")
    math(EXPR count "${count} + 1")
  endif()
endmacro()

string(REPLACE ";" " " ARGUMENTS "${ARGUMENTS}")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^( *)([^ *:]+)\\*?(: .*)?$")
    continue()
  endif()
  set(name "${CMAKE_MATCH_2}")
  string(LENGTH "${CMAKE_MATCH_1}" indent)
  math(EXPR depth "${indent} / 4")
  list(LENGTH path levels)
  if(depth LESS levels)  # not deeper than the line before, so that one was a leaf
    write_case()
    list(SUBLIST path 0 ${depth} path)
  endif()
  list(APPEND path "${name}")
endforeach()
if(path)
  write_case()
endif()

if(count EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} lists no test case:\n${tree}")
endif()
file(WRITE "${OUTPUT}" "${script}")
message(STATUS "${count} tests")
