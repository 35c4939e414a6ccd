// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// The studies with names: every folder NAME with a study.toml in the studies folder. The environment variable
/// RINGMESH_STUDIES names another studies folder.
namespace ringmesh::lab {

/// By name.
std::vector<std::string> list_studies();

/// The folder of a name. What has a slash, is "." or ends in ".toml" is a path and returned unchanged.
/// @throws UserError for an unknown name
std::filesystem::path find_study(std::string_view name_or_path);

/// One for all spellings of a path that find_study() gave: the name of a study with a name, or else its folder's
/// absolute path.
std::string study_name(const std::filesystem::path& found);

}  // namespace ringmesh::lab
