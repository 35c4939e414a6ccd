// SPDX-License-Identifier: Apache-2.0
#include "platforms/files/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "platforms/configuration.h"
#include "platforms/files/data_folder.h"
#include "tlm/error.h"
#include "tlm/parameters/names.h"

namespace ringmesh::platforms {
namespace {

std::filesystem::path platforms_folder()
{
    const char* other = std::getenv("RINGMESH_PLATFORMS");
    return other != nullptr && *other != '\0' ? other : data_folder() / "platforms" / "machines";
}

/// The *.toml directly in a folder, with their names, by name.
std::vector<CatalogEntry> files_in(const std::filesystem::path& folder, std::error_code& error)
{
    std::vector<CatalogEntry> files;
    std::filesystem::directory_iterator entry(folder, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        const std::filesystem::path& path = entry->path();
        if (path.extension() == ".toml") files.push_back({path.stem().string(), path, "", {}, ""});
    }
    std::sort(files.begin(), files.end(), [](const CatalogEntry& a, const CatalogEntry& b) { return a.name < b.name; });
    return files;
}

std::vector<CatalogEntry> platform_files()
{
    const std::filesystem::path folder = platforms_folder();
    std::error_code error;
    std::vector<CatalogEntry> files = files_in(folder, error);
    if (error) {
        throw UserError(
            fmt::format("cannot read the platforms folder '{}': {}; set RINGMESH_PLATFORMS to a folder of "
                        "platform files",
                        shown(folder), error.message()));
    }
    return files;
}

std::vector<CatalogEntry> overlay_files()
{
    std::error_code error;  // a missing folder has no files
    return files_in(platforms_folder() / "overlays", error);
}

/// A wrong file does not hide the others.
std::vector<CatalogEntry> with_headers(std::vector<CatalogEntry> files)
{
    for (CatalogEntry& file : files) {
        try {
            FileHeader header = Configuration::read_header(file.path);
            file.description = std::move(header.description);
            file.applies_to = std::move(header.applies_to);
            file.machine = std::move(header.machine);
        } catch (const UserError& error) {
            file.description = error.what();
        }
    }
    return files;
}

std::filesystem::path find(std::string_view what, std::string_view name, const std::vector<CatalogEntry>& files)
{
    std::vector<std::string> names;
    for (const CatalogEntry& file : files) {
        if (file.name == name) return file.path;
        names.push_back(file.name);
    }
    if (std::error_code error; std::filesystem::exists(name, error)) {
        throw UserError(fmt::format("{}: not a {}, whose file ends in .toml; write such a file, or a name{}", name,
                                    what, nearest_hint(name, names)));
    }
    const bool elsewhere = platforms_folder() != data_folder() / "platforms" / "machines";
    throw UserError(
        fmt::format("unknown {} '{}'{}{}", what, name, suggestion(name, names),
                    elsewhere ? fmt::format("; RINGMESH_PLATFORMS is '{}'", shown(platforms_folder())) : ""));
}

}  // namespace

std::vector<CatalogEntry> list_platforms() { return with_headers(platform_files()); }
std::vector<CatalogEntry> list_overlays() { return with_headers(overlay_files()); }

bool is_path(std::string_view name_or_path)
{
    return name_or_path.find('/') != std::string_view::npos ||
           std::filesystem::path(name_or_path).extension() == ".toml";
}

std::filesystem::path find_platform(std::string_view name_or_path)
{
    return is_path(name_or_path) ? std::filesystem::path(name_or_path)
                                 : find("platform", name_or_path, platform_files());
}

std::filesystem::path find_overlay(std::string_view name_or_path)
{
    return is_path(name_or_path) ? std::filesystem::path(name_or_path) : find("overlay", name_or_path, overlay_files());
}

}  // namespace ringmesh::platforms
