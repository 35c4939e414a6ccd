# SPDX-License-Identifier: Apache-2.0
# Toolchain file of the presets that use clang: the tried version if it is there, any other if not.
find_program(RINGMESH_CLANGXX NAMES clang++-14 clang++ REQUIRED)
set(CMAKE_CXX_COMPILER "${RINGMESH_CLANGXX}")
