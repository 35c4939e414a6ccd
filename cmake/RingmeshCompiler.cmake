# SPDX-License-Identifier: Apache-2.0
# Flags of every target.

# Results are the same on every machine and at every level of optimisation.
add_compile_options(-ffp-contract=off)

set(_ringmesh_warnings
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
  -Wold-style-cast -Wcast-align -Wcast-qual -Wformat=2 -Wunused -Wextra-semi -Wimplicit-fallthrough -Wdouble-promotion
  -Wredundant-decls -Wvla
  -Wno-missing-field-initializers)  # designated initialisers leave out what has a default
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND _ringmesh_warnings -Wduplicated-cond -Wlogical-op -Wsuggest-override)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # False at -O2: string + char*, inlined from the TLM sockets; long texts moved into a vector
    list(APPEND _ringmesh_warnings -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
    # Likewise: tables of std::variant with texts in them
    list(APPEND _ringmesh_warnings $<$<CONFIG:Release>:-Wno-maybe-uninitialized>)
  endif()
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  list(APPEND _ringmesh_warnings -Wsuggest-override -Wrange-loop-analysis -Winconsistent-missing-destructor-override)
endif()
add_compile_options(${_ringmesh_warnings})
if(RINGMESH_WARNINGS_AS_ERRORS)
  add_compile_options(-Werror)
endif()

if(RINGMESH_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ bounds how much a unit may grow by inlining, however many files it stands for: a tenth of the speed. For every
  # target, because precompiled headers bring along the value that they were compiled with.
  add_compile_options($<$<CONFIG:Release>:--param=inline-unit-growth=400>)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ looks for memory that it can use again only above half a gigabyte: a tenth of its time
  add_compile_options(--param=ggc-min-heapsize=500000)
endif()

if(RINGMESH_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  if("${CMAKE_CXX_FLAGS_DEBUG}" MATCHES "-O0")
    # An exception on the stack of an SC_THREAD leaves marks of frames that are gone; unoptimised code trips over them
    add_compile_options("SHELL:-mllvm -asan-stack=0")
  endif()
  # A million relocations less at the start of every test's process
  add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
endif()

# Release builds leave the trace-level log calls out.
add_compile_definitions($<IF:$<CONFIG:Release>,SPDLOG_ACTIVE_LEVEL=SPDLOG_LEVEL_DEBUG,SPDLOG_ACTIVE_LEVEL=SPDLOG_LEVEL_TRACE>)
add_compile_definitions($<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)

# A compiler's output of before for the same input, where ccache is installed; a launcher that a preset or the command
# line names comes first.
if(RINGMESH_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(RINGMESH_CCACHE_PROGRAM ccache)
  mark_as_advanced(RINGMESH_CCACHE_PROGRAM)
  if(RINGMESH_CCACHE_PROGRAM)
    # What precompiled headers need. Not more: without its check of files' times, ccache may keep the object of a file
    # that was changed while it was compiled.
    set(CMAKE_CXX_COMPILER_LAUNCHER
        "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${RINGMESH_CCACHE_PROGRAM}")
  endif()
endif()
if(RINGMESH_PCH AND CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)
  elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
  endif()
endif()
