// SPDX-License-Identifier: Apache-2.0
#include "platforms/files/data_folder.h"

#include <cstdlib>
#include <system_error>
#include <utility>

namespace ringmesh::platforms {
namespace {

/// Of this process, set once before anything asks.
std::filesystem::path& named()
{
    static std::filesystem::path folder;
    return folder;
}

/// Not of an empty path: a folder platforms/ where the user happens to stand is none of ours.
bool has_platforms(const std::filesystem::path& folder)
{
    std::error_code ignored;
    return !folder.empty() && std::filesystem::is_directory(folder / "platforms", ignored);
}

}  // namespace

std::filesystem::path data_folder()
{
    const char* other = std::getenv("RINGMESH_DATA");
    if (other != nullptr && *other != '\0') return other;
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
    auto beside = program.parent_path().parent_path() / "share" / "ringmesh";
    if (!error && has_platforms(beside)) return beside;
    return has_platforms(named()) ? named() : std::filesystem::path(RINGMESH_SOURCE_DIR);
}

void use_data_folder(std::filesystem::path folder) { named() = std::move(folder); }

}  // namespace ringmesh::platforms
