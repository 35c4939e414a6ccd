// SPDX-License-Identifier: Apache-2.0
#include "lab/store/memo.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <fstream>
#include <iterator>
#include <system_error>

#include "tlm/atomic_file.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

std::optional<std::string> content_of_file(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file) return std::nullopt;
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (file.bad()) return std::nullopt;
    return text;
}

std::string hash_of(const std::string& text)
{
    const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

/// Of the file that runs; another for each build of another source.
const std::string& program_hash()
{
    static const std::string hash = [] {
        std::ifstream file("/proc/self/exe", std::ios::binary);
        XXH3_state_t* const state = XXH3_createState();
        XXH3_128bits_reset(state);
        std::string part(1 << 20, '\0');
        while (file.read(part.data(), static_cast<std::streamsize>(part.size())) || file.gcount() > 0) {
            XXH3_128bits_update(state, part.data(), static_cast<std::size_t>(file.gcount()));
        }
        const XXH128_hash_t digest = XXH3_128bits_digest(state);
        XXH3_freeState(state);
        return fmt::format("{:016x}{:016x}", digest.high64, digest.low64);
    }();
    return hash;
}

}  // namespace

Memo::Memo(const Store& store, const std::string& inputs)
    : file_(store.folder() / "memos" / hash_of(program_hash() + '\n' + inputs))
{}

std::optional<std::string> Memo::find() const
{
    auto content = content_of_file(file_);
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
