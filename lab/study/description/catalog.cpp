// SPDX-License-Identifier: Apache-2.0
#include "lab/study/description/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "platforms/files/data_folder.h"
#include "tlm/error.h"
#include "tlm/files/input_file.h"
#include "tlm/parameters/names.h"

namespace ringmesh::lab {
namespace {

std::filesystem::path studies_folder()
{
    const char* other = std::getenv("RINGMESH_STUDIES");
    return other != nullptr && *other != '\0' ? other : platforms::data_folder() / "studies";
}

}  // namespace

std::vector<std::string> list_studies()
{
    std::vector<std::string> names;
    std::error_code error;
    std::filesystem::directory_iterator entry(studies_folder(), error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        std::error_code ignored;
        if (std::filesystem::exists(entry->path() / "study.toml", ignored)) {
            names.push_back(entry->path().filename().string());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::filesystem::path find_study(std::string_view name_or_path)
{
    std::filesystem::path path(name_or_path);
    if (name_or_path.find('/') != std::string_view::npos || name_or_path == "." || path.extension() == ".toml") {
        return path;
    }
    const auto names = list_studies();
    if (std::find(names.begin(), names.end(), name_or_path) != names.end()) return studies_folder() / path;
    if (is_there(path / "study.toml")) return path;
    throw UserError(fmt::format("unknown study '{}'{}; or write a folder that has study.toml", name_or_path,
                                suggestion(std::string(name_or_path), names)));
}

std::string study_name(const std::filesystem::path& found)
{
    std::error_code error;
    const auto whole = [&error](const std::filesystem::path& path) {
        auto canonical = std::filesystem::weakly_canonical(path, error);
        return canonical.has_filename() ? canonical : canonical.parent_path();
    };
    std::filesystem::path folder = whole(found);
    if (folder.extension() == ".toml") folder = folder.parent_path();
    if (folder.parent_path() == whole(studies_folder())) return folder.filename().string();
    return folder.string();
}

}  // namespace ringmesh::lab
