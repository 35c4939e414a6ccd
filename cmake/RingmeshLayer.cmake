# SPDX-License-Identifier: Apache-2.0
# Targets of the project: a layer is a folder, a library and an include view of its own.
include(RingmeshAlone)

# What most files include. Not for analytic, which must do without SystemC; the check of each file alone (option
# RINGMESH_ALONE) and clang-tidy compile without these, so a missing include does not stay hidden.
set(ringmesh_common_headers
  <systemc> <tlm> <tlm_utils/simple_initiator_socket.h> <tlm_utils/passthrough_target_socket.h> <spdlog/spdlog.h>
  <algorithm> <array> <chrono> <coroutine> <cstdint> <functional> <map> <memory> <optional> <span> <string>
  <string_view> <unordered_map> <utility> <variant> <vector>)
if(RINGMESH_PCH)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/pch.cpp" CONTENT "")
  add_library(ringmesh_pch STATIC "${PROJECT_BINARY_DIR}/pch.cpp")
  target_link_libraries(ringmesh_pch PRIVATE SystemC::systemc spdlog::spdlog fmt::fmt)
  target_precompile_headers(ringmesh_pch PRIVATE ${ringmesh_common_headers})
endif()

function(_ringmesh_use_pch TARGET)
  if(TARGET ringmesh_pch)
    target_precompile_headers(${TARGET} REUSE_FROM ringmesh_pch)
    # A definition that the precompiled headers do not mention leaves them valid.
    target_link_libraries(${TARGET} PRIVATE SystemC::systemc spdlog::spdlog fmt::fmt)
  endif()
endfunction()

# Definitions for the few targets that look for files of the source tree or print the version.
function(_ringmesh_knows_source_dir TARGET)
  target_compile_definitions(${TARGET} PRIVATE
    RINGMESH_VERSION="${PROJECT_VERSION}" RINGMESH_SOURCE_DIR="${RINGMESH_SOURCE_DATA}"
    RINGMESH_DATA="${RINGMESH_SOURCE_DATA}")
endfunction()

# Sets OUTPUT to units that stand for the sources: files that include up to 90 kB of them, the largest first, because one
# that starts last would keep a core busy alone. Small folders share a unit, large ones are split in equal parts; with
# RINGMESH_WIDE_UNITS a unit is four times as large. What is below a folder of APART shares no unit with others, because it
# uses the names of another namespace. Sources ALONE come first and stay alone: what they include is expensive, and their
# neighbours change more often.
function(_ringmesh_units OUTPUT NAME SOURCES ALONE APART)
  set(most 90000)
  if(RINGMESH_WIDE_UNITS)
    set(most 360000)
  endif()
  set(units "")
  set(number 0)
  list(TRANSFORM ALONE PREPEND "${PROJECT_SOURCE_DIR}/")
  list(REMOVE_ITEM SOURCES ${ALONE})

  set(shared "")      # sources of small folders so far
  set(shared_size 0)
  set(apart_before "")
  set(folders "")
  foreach(source IN LISTS SOURCES)
    file(RELATIVE_PATH path "${PROJECT_SOURCE_DIR}" "${source}")
    string(REGEX MATCH "^([^/]*/[^/]*/|[^/]*/)" folder "${path}")
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    set(path_of_${folder} "${path}")
    file(SIZE "${source}" size)
    list(APPEND folders ${folder})
    list(APPEND sources_${folder} "${source}")
    math(EXPR size_${folder} "0${size_${folder}} + ${size}")
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    set(apart "")
    foreach(one IN LISTS APART)
      if("${path_of_${folder}}" MATCHES "^${one}/")
        set(apart "${one}")
      endif()
    endforeach()
    math(EXPR sum "${shared_size} + ${size_${folder}}")
    math(EXPR thrice "${shared_size} * 3")
    if(shared AND ((sum GREATER most AND thrice GREATER most) OR NOT apart STREQUAL apart_before))
      _ringmesh_split("${NAME}" "${shared}" ${shared_size} ${most})
      set(shared "")
      set(sum ${size_${folder}})
    endif()
    list(APPEND shared ${sources_${folder}})
    set(shared_size ${sum})
    set(apart_before "${apart}")
  endforeach()
  _ringmesh_split("${NAME}" "${shared}" ${shared_size} ${most})
  list(SORT units COMPARE NATURAL ORDER DESCENDING)
  list(TRANSFORM units REPLACE "^[0-9]+:" "")
  set(${OUTPUT} ${ALONE} ${units} PARENT_SCOPE)
endfunction()

# Writes the unit of these sources; sets `unit` to it.
macro(_ringmesh_unit NAME SOURCES)
  math(EXPR number "${number} + 1")
  set(unit "${PROJECT_BINARY_DIR}/units/${NAME}_${number}.cpp")
  string(REGEX REPLACE "([^;]+);?" "#include \"\\1\"\n" content "${SOURCES}")
  file(CONFIGURE OUTPUT "${unit}" CONTENT "${content}" @ONLY)
endmacro()

# Appends to `units`, as SIZE:FILE, units of up to MOST bytes each.
macro(_ringmesh_split NAME SOURCES SIZE MOST)
  math(EXPR parts "(${SIZE} + ${MOST} - 1) / ${MOST}")
  set(part_before 0)
  set(before 0)
  set(part_size 0)
  set(inside "")
  foreach(source IN ITEMS ${SOURCES})
    file(SIZE "${source}" size)
    math(EXPR part "(${before} + ${size} / 2) * ${parts} / ${SIZE}")
    if(inside AND NOT part EQUAL part_before)
      _ringmesh_unit("${NAME}" "${inside}")
      list(APPEND units "${part_size}:${unit}")
      set(inside "")
      set(part_size 0)
    endif()
    set(part_before ${part})
    list(APPEND inside "${source}")
    math(EXPR before "${before} + ${size}")
    math(EXPR part_size "${part_size} + ${size}")
  endforeach()
  _ringmesh_unit("${NAME}" "${inside}")
  list(APPEND units "${part_size}:${unit}")
endmacro()

# ringmesh_layer(NAME [DEPENDS layer...] [LIBRARIES target...] [PRIVATE_LIBRARIES target...] [ALONE source...]
#                [APART folder...] [RUNS_ONCE] [KNOWS_SOURCE_DIR] [NO_PCH])
#
# Library ringmesh_NAME of all NAME/**/*.cpp but main.cpp. Its headers are included as "NAME/...", and only by layers
# that depend on it: the one include directory it offers, build/include/NAME, holds nothing but a link NAME to the
# folder. ALONE, APART: see _ringmesh_units. RUNS_ONCE: most of it runs once in a command, not for each event, and is
# compiled with -Og in place of -O2, in half of the time. A layer without sources is an INTERFACE library.
function(ringmesh_layer NAME)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "RUNS_ONCE;KNOWS_SOURCE_DIR;NO_PCH" ""
                        "DEPENDS;LIBRARIES;PRIVATE_LIBRARIES;ALONE;APART")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ringmesh_layer(${NAME}): unknown arguments ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  set(folder "${PROJECT_SOURCE_DIR}/${NAME}")
  set(view "${PROJECT_BINARY_DIR}/include/${NAME}")
  file(MAKE_DIRECTORY "${view}")
  file(CREATE_LINK "${folder}" "${view}/${NAME}" SYMBOLIC)

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${folder}/*.cpp")
  list(FILTER sources EXCLUDE REGEX "/(main|plugin)\\.cpp$")  # a program or a plugin, not of the library
  set(target ringmesh_${NAME})
  if(sources)
    set(scope PUBLIC)
    set(units ${sources})
    if(RINGMESH_UNITY)
      _ringmesh_units(units ${NAME} "${sources}" "${ARG_ALONE}" "${ARG_APART}")
    endif()
    add_library(${target} STATIC ${units})
    target_link_libraries(${target} PRIVATE ${ARG_PRIVATE_LIBRARIES})
    if(RINGMESH_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # Meant for types of unnamed namespaces in headers, which clang-tidy's google-build-namespaces finds
      target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
    endif()
    string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
    if(ARG_RUNS_ONCE AND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}" MATCHES "-O[23]")
      target_compile_options(${target} PRIVATE -Og)
      if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # false of std::optional at this level
        target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
      endif()
    endif()
    if(NOT ARG_NO_PCH)
      _ringmesh_use_pch(${target})
    endif()
    if(ARG_KNOWS_SOURCE_DIR)
      _ringmesh_knows_source_dir(${target})
    endif()
  else()
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  target_include_directories(${target} ${scope} "$<BUILD_INTERFACE:${view}>")
  list(TRANSFORM ARG_DEPENDS PREPEND ringmesh_)
  target_link_libraries(${target} ${scope} ${ARG_DEPENDS} ${ARG_LIBRARIES})
  set(knows "")
  if(ARG_KNOWS_SOURCE_DIR)
    set(knows KNOWS_SOURCE_DIR)
  endif()
  ringmesh_check_alone(${target} "${folder}" "${sources}" ${knows} LIBRARIES ${ARG_PRIVATE_LIBRARIES})
endfunction()

# ringmesh_objects(NAME SOURCES file... DEPENDS layer... [LIBRARIES target...] [KNOWS_SOURCE_DIR])
#
# Objects of an executable that are not compiled as its other sources are.
function(ringmesh_objects NAME)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "KNOWS_SOURCE_DIR" "" "SOURCES;DEPENDS;LIBRARIES")
  add_library(${NAME} OBJECT ${ARG_SOURCES})
  list(TRANSFORM ARG_DEPENDS PREPEND ringmesh_)
  target_link_libraries(${NAME} PRIVATE ${ARG_DEPENDS} ${ARG_LIBRARIES})
  _ringmesh_use_pch(${NAME})
  if(ARG_KNOWS_SOURCE_DIR)
    _ringmesh_knows_source_dir(${NAME})
  endif()
endfunction()

# ringmesh_executable(NAME SOURCES file... DEPENDS layer... [LIBRARIES target...] [PRECOMPILE header...] [WHOLE layer...]
#                     [KNOWS_SOURCE_DIR])
#
# PRECOMPILE: more headers that most of its many files include; it then precompiles a set of its own.
#
# WHOLE: layers that are linked whole and first; hw and tlm, if none is named. Of an inline function the linker takes the
# first copy that it sees, so this is the one of these layers, optimised as they are.
function(ringmesh_executable NAME)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "KNOWS_SOURCE_DIR" "" "SOURCES;DEPENDS;LIBRARIES;PRECOMPILE;WHOLE")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ringmesh_executable(${NAME}): unknown arguments ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  add_executable(${NAME} ${ARG_SOURCES})
  list(TRANSFORM ARG_DEPENDS PREPEND ringmesh_)
  target_link_libraries(${NAME} PRIVATE ${ARG_DEPENDS} ${ARG_LIBRARIES})
  if(NOT ARG_WHOLE)
    set(ARG_WHOLE hw tlm)
  endif()
  list(TRANSFORM ARG_WHOLE REPLACE "(.+)" "$<TARGET_FILE:ringmesh_\\1>")
  list(JOIN ARG_WHOLE "," whole)
  target_link_options(${NAME} PRIVATE "LINKER:--whole-archive,${whole},--no-whole-archive")
  if(NOT ARG_PRECOMPILE)
    _ringmesh_use_pch(${NAME})
  elseif(RINGMESH_PCH)
    target_precompile_headers(${NAME} PRIVATE ${ringmesh_common_headers} ${ARG_PRECOMPILE})
  endif()
  if(ARG_KNOWS_SOURCE_DIR)
    _ringmesh_knows_source_dir(${NAME})
  endif()
endfunction()
