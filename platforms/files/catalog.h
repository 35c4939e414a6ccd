// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// The platform and overlay files with names: every NAME.toml directly in the platforms folder, and in its folder
/// overlays/: platforms/machines of the data folder, or what the environment variable RINGMESH_PLATFORMS names.
namespace ringmesh::platforms {

struct CatalogEntry {
    std::string name;
    std::filesystem::path path;
    std::string description;              ///< or the error of the file
    std::vector<std::string> applies_to;  ///< machines; overlays only, empty: any
    std::string machine;                  ///< platforms only
};

/// By name. @throws UserError if the platforms folder cannot be read.
std::vector<CatalogEntry> list_platforms();
/// By name; none without the folder.
std::vector<CatalogEntry> list_overlays();

/// Whether it is no name: it has a slash or ends in ".toml".
bool is_path(std::string_view name_or_path);
/// The file of a name. A path is returned unchanged.
/// @throws UserError for an unknown name.
std::filesystem::path find_platform(std::string_view name_or_path);
std::filesystem::path find_overlay(std::string_view name_or_path);

}  // namespace ringmesh::platforms
