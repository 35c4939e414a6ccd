// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace ringmesh::workloads {

/// The file that an option names from a folder; empty if it names none.
inline std::string file_named(const std::string& folder, const std::string& name)
{
    return folder.empty() || name.empty() ? name : (std::filesystem::path(folder) / name).lexically_normal().string();
}

}  // namespace ringmesh::workloads
