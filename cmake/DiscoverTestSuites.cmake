# SPDX-License-Identifier: Apache-2.0
# discover_test_suites(TARGET CASE_TIMEOUT seconds [ARGUMENTS arg...] [ENVIRONMENT NAME=value...])
#
# After each build of TARGET (tests/support/main.cpp), asks it for its suites (--groups) and writes one CTest entry each. Its
# label is the outermost suite. Run as a script (cmake -P), this file is that step.

if(NOT CMAKE_SCRIPT_MODE_FILE)
  function(discover_test_suites TARGET)
    cmake_parse_arguments(PARSE_ARGV 1 ARG "" "CASE_TIMEOUT" "ARGUMENTS;ENVIRONMENT")
    set(base "${CMAKE_CURRENT_BINARY_DIR}/${TARGET}")
    list(JOIN ARG_ARGUMENTS " " arguments)
    add_custom_command(TARGET ${TARGET} POST_BUILD VERBATIM
      BYPRODUCTS "${base}_suites.cmake"
      COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:${TARGET}>" "-DOUTPUT=${base}_suites.cmake"
              "-DARGUMENTS=--time-limit=${ARG_CASE_TIMEOUT} ${arguments}" "-DENVIRONMENT=${ARG_ENVIRONMENT}"
              -P "${CMAKE_CURRENT_FUNCTION_LIST_FILE}")
    # A program that was not built is a failing test, not an empty list.
    file(WRITE "${base}_include.cmake"
      "if(EXISTS \"${base}_suites.cmake\")\n  include(\"${base}_suites.cmake\")\n"
      "else()\n  add_test(${TARGET}_NOT_BUILT ${TARGET}_NOT_BUILT)\nendif()\n")
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${base}_include.cmake")
  endfunction()
  return()
endif()

cmake_minimum_required(VERSION 3.25)
file(REMOVE "${OUTPUT}")
set(ENV{ASAN_OPTIONS} "detect_leaks=0")
execute_process(COMMAND "${PROGRAM}" --groups RESULT_VARIABLE status OUTPUT_VARIABLE list ERROR_VARIABLE errors)
if(NOT status EQUAL 0 OR list STREQUAL "")
  message(FATAL_ERROR "${PROGRAM} --groups failed (${status}):\n${list}${errors}")
endif()
string(REPLACE "\n" ";" lines "${list}")
set(script "")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^(([a-z]+)[^ ]*) ([0-9]+)$")
    continue()
  endif()
  set(suite "${CMAKE_MATCH_1}")
  set(label "${CMAKE_MATCH_2}")
  set(cost ${CMAKE_MATCH_3})
  if(label MATCHES "^(cli|published|system)$")
    math(EXPR cost "${cost} + 1000")  # the long ones are among these: first, so that no core waits for the last one
  endif()
  string(APPEND script
    "add_test([==[${suite}]==] [==[${PROGRAM}]==] [==[--group=${suite}]==] --jobs=1 ${ARGUMENTS})\n"
    "set_tests_properties([==[${suite}]==] PROPERTIES TIMEOUT 3600 LABELS ${label} COST ${cost}"
    " ENVIRONMENT [==[${ENVIRONMENT}]==])\n")
endforeach()
file(WRITE "${OUTPUT}" "${script}")
