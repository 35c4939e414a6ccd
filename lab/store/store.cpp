// SPDX-License-Identifier: Apache-2.0
#include "lab/store/store.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <system_error>

#include "lab/process/output_file.h"
#include "lab/process/standard_streams.h"
#include "lab/store/content.h"
#include "lab/table/writers/json.h"
#include "tlm/error.h"
#include "tlm/files/input_file.h"

namespace ringmesh::lab {
namespace {

/// Of the files' format.
constexpr std::int64_t kVersion = 1;

std::string environment(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

constexpr std::string_view kCure = "give another folder by --store or RINGMESH_STORE";

}  // namespace

std::filesystem::path Store::usual_folder()
{
    if (const std::string folder = environment("RINGMESH_STORE"); !folder.empty()) return folder;
    if (const std::string data = environment("XDG_DATA_HOME"); !data.empty()) {
        return std::filesystem::path(data) / "ringmesh/store";
    }
    if (const std::string home = environment("HOME"); !home.empty()) {
        return std::filesystem::path(home) / ".local/share/ringmesh/store";
    }
    throw UserError("no folder for the store: HOME is not set; set RINGMESH_STORE to one");
}

Store::Store(std::filesystem::path folder) : folder_(std::move(folder))
{
    std::error_code error;
    if (is_there(folder_) && !std::filesystem::is_directory(folder_, error)) {
        throw UserError(fmt::format("'{}' is not the folder of a store; {}", folder_.string(), kCure));
    }
    for (const auto& part : {folder_, folder_ / "points"}) {
        if (::access(part.c_str(), R_OK | X_OK) == 0 || errno != EACCES) continue;
        throw UserError(fmt::format("cannot read the store '{}': {}; {}", folder_.string(),
                                    std::generic_category().message(EACCES), kCure));
    }
    const std::filesystem::path header = header_file();
    const auto text = content_of(header);
    if (!text) return;
    std::int64_t version = 0;
    try {
        version = Json::parse(*text).at("ringmesh_store").as_integer();
    } catch (const std::exception&) {
        throw UserError(fmt::format("{}:1: not the header of a store; {}", header.string(), kCure));
    }
    if (version > kVersion) {
        throw UserError(fmt::format("{}:1: ringmesh_store = {}: the store of a newer ringmesh, this one knows {}; {}",
                                    header.string(), version, kVersion, kCure));
    }
}

Store Store::existing(const std::filesystem::path& folder)
{
    Store store(folder);
    if (store.is_made()) return store;
    throw UserError(
        fmt::format("{}: not a store, because it has no store.json; give the folder of a store", folder.string()));
}

Store Store::at(const std::string& folder)
{
    return Store(folder.empty() ? usual_folder() : std::filesystem::path(folder));
}

void Store::make()
{
    if (is_made()) return;
    std::error_code error;
    std::filesystem::create_directories(folder_ / "points", error);
    if (error) {
        throw UserError(fmt::format("cannot make the store '{}': {}; {}", folder_.string(), error.message(), kCure));
    }
    write_whole(header_file(), Json({{"ringmesh_store", kVersion}}).line() + '\n');
}

std::filesystem::path Store::file_of(const std::string& key) const
{
    return folder_ / "points" / key.substr(0, 2) / (key + ".json");
}

bool Store::is_made() const { return is_there(header_file()); }

bool Store::has(const std::string& key) const { return is_there(file_of(key)); }

std::optional<std::string> Store::find_text(const std::string& key) const { return content_of(file_of(key)); }

std::optional<PointHeader> Store::find_header(const std::string& key) const
{
    const auto text = find_text(key);
    if (!text) return std::nullopt;
    try {
        PointHeader header = header_from_text(*text);
        if (header.key == key) return header;
    } catch (const std::exception&) {
        // find() tells
    }
    return std::nullopt;
}

template <class Read>
auto Store::read(const std::string& key, const Read& read) const -> std::optional<decltype(read(std::string_view()))>
{
    const auto text = find_text(key);
    if (!text) return std::nullopt;
    try {
        return read(*text);
    } catch (const std::exception&) {
        say(fmt::format("{}: damaged, not a point; it counts as not run", file_of(key).string()));
        return std::nullopt;
    }
}

std::optional<Point> Store::find(const std::string& key) const
{
    return read(key, [&key](std::string_view text) {
        Point point = point_from_text(text);
        if (point.header.key != key) throw ModelError("the point of another file");
        return point;
    });
}

std::optional<Outcome> Store::find_outcome(const std::string& key, bool statistics) const
{
    return read(key, [&](std::string_view text) { return outcome_from_text(text, statistics); });
}

void Store::put_text(const std::string& key, const std::string& text)
{
    make();
    const std::filesystem::path path = file_of(key);
    std::error_code error;  // AtomicFile tells what is wrong
    std::filesystem::create_directories(path.parent_path(), error);
    try {
        write_whole(path, text);
    } catch (const UserError& failure) {
        throw UserError(fmt::format("{}; what has finished is kept; make room, or {}", failure.what(), kCure));
    }
}

void Store::require_writable()
{
    make();
    const std::filesystem::path points = folder_ / "points";
    if (::access(points.c_str(), W_OK) == 0) return;
    throw UserError(fmt::format("cannot write to the store '{}': {}; {}", folder_.string(),
                                std::generic_category().message(errno), kCure));
}

std::vector<std::string> Store::keys(const std::string& beginning) const
{
    std::vector<std::string> keys;
    std::error_code error;
    const auto top = beginning.size() < 2 ? folder_ / "points" : file_of(beginning).parent_path();
    std::filesystem::recursive_directory_iterator entry(top, error);
    for (; !error && entry != std::filesystem::recursive_directory_iterator(); entry.increment(error)) {
        const std::filesystem::path& path = entry->path();
        if (path.extension() != ".json") continue;
        std::string key = path.stem().string();
        if (key.starts_with(beginning)) keys.push_back(std::move(key));
    }
    if (error && !says_absent(error.value())) {
        throw UserError(fmt::format("cannot read the store '{}': {}", folder_.string(), error.message()));
    }
    std::sort(keys.begin(), keys.end());
    return keys;
}

bool Store::remove(const std::string& key)
{
    std::error_code error;
    const bool removed = std::filesystem::remove(file_of(key), error);
    if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory) {
        throw UserError(fmt::format("cannot remove points from the store '{}': {}; change its rights, or {}",
                                    folder_.string(), error.message(), kCure));
    }
    return removed;
}

std::size_t Store::remove_left_over()
{
    const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::hours(24);
    std::vector<std::filesystem::path> found;
    std::error_code error;
    std::filesystem::recursive_directory_iterator entry(folder_ / "points", error);
    for (; !error && entry != std::filesystem::recursive_directory_iterator(); entry.increment(error)) {
        if (entry->path().filename().string().find(".json.partial-") == std::string::npos) continue;
        const auto written = entry->last_write_time(error);
        if (!error && written < old) found.push_back(entry->path());
    }
    return static_cast<std::size_t>(std::count_if(
        found.begin(), found.end(), [&error](const auto& path) { return std::filesystem::remove(path, error); }));
}

}  // namespace ringmesh::lab
