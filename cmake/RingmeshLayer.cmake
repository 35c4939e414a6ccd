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

# Compiles the sources of each folder as one unit, in parts of at most 12 files so that the cores have equal shares;
# with RINGMESH_WIDE_UNITS those of all folders of a layer, 40 files a part, but for the folders APART: what is below one
# of them has units of its own, because it uses the names of another namespace. Sources ALONE stay alone: what they
# include is expensive, and their neighbours change more often.
function(_ringmesh_use_unity TARGET SOURCES ALONE APART)
  if(NOT RINGMESH_UNITY)
    return()
  endif()
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Meant for types of unnamed namespaces in headers, which clang-tidy's google-build-namespaces finds
    target_compile_options(${TARGET} PRIVATE -Wno-subobject-linkage)
  endif()
  set(most 12)
  if(RINGMESH_WIDE_UNITS)
    set(most 40)
  endif()
  set(groups "")
  foreach(source IN LISTS SOURCES)
    if(source IN_LIST ALONE)
      continue()
    endif()
    cmake_path(GET source PARENT_PATH folder)
    file(RELATIVE_PATH group "${PROJECT_SOURCE_DIR}" "${folder}")
    if(RINGMESH_WIDE_UNITS)
      set(wide "${TARGET}")
      foreach(apart IN LISTS APART)
        if("${group}/" MATCHES "^${apart}/")
          set(wide "${apart}")
        endif()
      endforeach()
      set(group "${wide}")
    endif()
    string(MAKE_C_IDENTIFIER "${group}" group)
    list(APPEND groups "${group}")
    list(APPEND sources_${group} "${source}")
  endforeach()
  list(REMOVE_DUPLICATES groups)
  foreach(group IN LISTS groups)
    list(LENGTH sources_${group} length)
    math(EXPR parts "(${length} + ${most} - 1) / ${most}")
    math(EXPR size "(${length} + ${parts} - 1) / ${parts}")
    set(number 0)
    foreach(source IN LISTS sources_${group})
      math(EXPR part "${number} / ${size} + 1")
      set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}_${part}")
      math(EXPR number "${number} + 1")
    endforeach()
  endforeach()
endfunction()

# ringmesh_layer(NAME [DEPENDS layer...] [LIBRARIES target...] [PRIVATE_LIBRARIES target...] [ALONE source...]
#                [APART folder...] [KNOWS_SOURCE_DIR] [NO_PCH])
#
# Library ringmesh_NAME of all NAME/**/*.cpp but NAME/main.cpp. Its headers are included as "NAME/...", and only by layers
# that depend on it: the one include directory it offers, build/include/NAME, holds nothing but a link NAME to the
# folder. ALONE, APART: see _ringmesh_use_unity. A layer without sources is an INTERFACE library.
function(ringmesh_layer NAME)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "KNOWS_SOURCE_DIR;NO_PCH" "" "DEPENDS;LIBRARIES;PRIVATE_LIBRARIES;ALONE;APART")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ringmesh_layer(${NAME}): unknown arguments ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  set(folder "${PROJECT_SOURCE_DIR}/${NAME}")
  set(view "${PROJECT_BINARY_DIR}/include/${NAME}")
  file(MAKE_DIRECTORY "${view}")
  file(CREATE_LINK "${folder}" "${view}/${NAME}" SYMBOLIC)

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${folder}/*.cpp")
  list(REMOVE_ITEM sources "${folder}/main.cpp")
  list(TRANSFORM ARG_ALONE PREPEND "${PROJECT_SOURCE_DIR}/")

  set(target ringmesh_${NAME})
  if(sources)
    set(scope PUBLIC)
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PRIVATE ${ARG_PRIVATE_LIBRARIES})
    _ringmesh_use_unity(${target} "${sources}" "${ARG_ALONE}" "${ARG_APART}")
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

# ringmesh_executable(NAME SOURCES file... DEPENDS layer... [LIBRARIES target...] [PRECOMPILE header...] [KNOWS_SOURCE_DIR])
#
# PRECOMPILE: more headers that most of its many files include; it then precompiles a set of its own.
function(ringmesh_executable NAME)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "KNOWS_SOURCE_DIR" "" "SOURCES;DEPENDS;LIBRARIES;PRECOMPILE")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ringmesh_executable(${NAME}): unknown arguments ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  add_executable(${NAME} ${ARG_SOURCES})
  list(TRANSFORM ARG_DEPENDS PREPEND ringmesh_)
  target_link_libraries(${NAME} PRIVATE ${ARG_DEPENDS} ${ARG_LIBRARIES})
  if(NOT ARG_PRECOMPILE)
    _ringmesh_use_pch(${NAME})
  elseif(RINGMESH_PCH)
    target_precompile_headers(${NAME} PRIVATE ${ringmesh_common_headers} ${ARG_PRECOMPILE})
  endif()
  if(ARG_KNOWS_SOURCE_DIR)
    _ringmesh_knows_source_dir(${NAME})
  endif()
endfunction()
