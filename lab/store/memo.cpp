// SPDX-License-Identifier: Apache-2.0
#include "lab/store/memo.h"

#include <fmt/format.h>

#include <system_error>

#include "lab/store/content.h"
#include "tlm/atomic_file.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

/// Of the file that runs; another for each build of another source.
const std::string& program_hash()
{
    static const std::string hash = hash_of(content_of("/proc/self/exe").value_or(""));
    return hash;
}

}  // namespace

Memo::Memo(const Store& store, const std::string& inputs)
    : file_(store.folder() / "memos" / hash_of(program_hash() + '\n' + inputs))
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
        AtomicFile file(file_);
        file.append(hash_of(text) + '\n' + text);
        file.commit();
    } catch (const UserError&) {
        // Only a shortcut
    }
}

}  // namespace ringmesh::lab
