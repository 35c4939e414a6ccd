// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "tlm/error.h"

/// The library of the kernel wants it.
extern "C" [[gnu::weak]] int sc_main(int, char**) { return 1; }

/// What the harnesses share: an input is text, some readers want it as a file, and all may refuse it.
namespace ringmesh::fuzz {

/// A folder of this process, in memory.
inline const std::filesystem::path& folder()
{
    static const std::filesystem::path path = [] {
        const auto made = std::filesystem::path("/dev/shm") / ("ringmesh-fuzz-" + std::to_string(::getpid()));
        std::filesystem::create_directories(made);
        std::filesystem::current_path(made);
        std::atexit([] { std::filesystem::remove_all(folder()); });
        return made;
    }();
    return path;
}

inline std::filesystem::path file(const char* name, std::string_view text)
{
    const auto path = folder() / name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
}

/// @param read may throw UserError
template <class Read>
int refused_or_read(const Read& read)
{
    try {
        read();
    } catch (const UserError&) {
        return 0;
    }
    return 0;
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size)
{
    return {reinterpret_cast<const char*>(data), size};
}

}  // namespace ringmesh::fuzz
