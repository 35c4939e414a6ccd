// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// The platform and overlay files that can be called by name: every NAME.toml directly in the platforms folder, and in
/// its folder overlays/. The environment variable RINGMESH_PLATFORMS names another platforms folder.
namespace ringmesh::platforms {

struct CatalogEntry {
    std::string name;
    std::filesystem::path path;
    std::string description;              ///< or what is wrong with the file
    std::vector<std::string> applies_to;  ///< machines; overlays only, empty: any
    std::string machine;                  ///< platforms only
};

/// By name. @throws UserError if the platforms folder cannot be read.
std::vector<CatalogEntry> list_platforms();
/// By name; none if there is no folder of them.
std::vector<CatalogEntry> list_overlays();

/// The file of a name. What has a slash or ends in ".toml" is a path and returned as it is.
/// @throws UserError for an unknown name.
std::filesystem::path find_platform(std::string_view name_or_path);
std::filesystem::path find_overlay(std::string_view name_or_path);

}  // namespace ringmesh::platforms
