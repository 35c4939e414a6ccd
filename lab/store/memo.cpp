// SPDX-License-Identifier: Apache-2.0
#include "lab/store/memo.h"

#include <fmt/format.h>

#include <string_view>
#include <system_error>
#include <vector>

#include "lab/process/output_file.h"
#include "lab/store/content.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

constexpr const char* kMemos = "memos";

/// Of the file that runs; another for each build of another source.
const std::string& program_hash()
{
    static const std::string hash = hash_of(content_of("/proc/self/exe").value_or(""));
    return hash;
}

}  // namespace

Memo::Memo(const Store& store, const std::string& inputs)
    : file_(store.folder() / kMemos / hash_of(program_hash() + '\n' + inputs))
{}

std::optional<std::string> Memo::find() const
{
    auto content = content_of(file_);
    if (!content) return std::nullopt;
    const std::size_t end = content->find('\n');
    if (end == std::string::npos) return std::nullopt;
    std::string text = content->substr(end + 1);
    if (content->compare(0, end, hash_of(text)) != 0) return std::nullopt;
    return text;
}

void Memo::keep(const std::string& text) const
{
    std::error_code error;
    std::filesystem::create_directories(file_.parent_path(), error);
    if (error) return;
    try {
        write_whole(file_, hash_of(text) + '\n' + text);
    } catch (const UserError&) {
        // Only a shortcut
    }
}

void remove_memos(const Store& store)
{
    std::error_code error;
    std::vector<std::filesystem::path> found;
    std::filesystem::directory_iterator entry(store.folder() / kMemos, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        const std::string_view hash = std::string_view(name).substr(0, name.find(".partial-"));
        if (is_hash(hash)) found.push_back(entry->path());
    }
    for (const auto& path : found) std::filesystem::remove(path, error);
}

}  // namespace ringmesh::lab
