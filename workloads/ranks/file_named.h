// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>

#include "tlm/error.h"
#include "tlm/files/input_file.h"

namespace ringmesh::workloads {

/// The file that an option such as "goal" names, in a study from its folder. @param folder empty: none
/// @throws UserError if it names none that can be read, or in a study one outside of its folder
inline std::string file_named(const std::string& folder, const std::string& option, const std::string& name)
{
    const auto refuse = [&](const std::string& what) {
        throw UserError(fmt::format("{} = {}: {}", option, name, what));
    };
    if (name.empty()) refuse("names no file; write one, or leave the option out");
    const std::optional<std::filesystem::path> path = folder.empty() ? name : path_inside(folder, name);
    if (!path) refuse("outside of the study's folder; put the file into it, and write its name from there");
    try {
        require_input(*path);
    } catch (const UserError& error) {
        refuse(error.what());
    }
    return path->string();
}

}  // namespace ringmesh::workloads
