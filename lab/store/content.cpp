// SPDX-License-Identifier: Apache-2.0
#include "lab/store/content.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <fstream>
#include <memory>
#include <vector>

#include "tlm/error.h"
#include "tlm/files/input_file.h"

namespace ringmesh::lab {

std::optional<std::string> content_of(const std::filesystem::path& path)
{
    if (!is_there(path)) return std::nullopt;
    try {
        return read_own(path);
    } catch (const UserError&) {
        if (!is_there(path)) return std::nullopt;  // somebody has just removed it
        throw;
    }
}

namespace {

std::string digits_of(const XXH128_hash_t& hash) { return fmt::format("{:016x}{:016x}", hash.high64, hash.low64); }

}  // namespace

std::string hash_of(std::string_view text) { return digits_of(XXH3_128bits(text.data(), text.size())); }

bool is_hash(std::string_view name)
{
    return name.size() == hash_of("").size() && name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::optional<std::string> hash_of_file(const std::filesystem::path& path)
{
    constexpr std::size_t kPart = 1024 * 1024;
    std::ifstream file(path, std::ios::binary);
    if (!file) return std::nullopt;
    const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), &XXH3_freeState);
    XXH3_128bits_reset(state.get());
    std::vector<char> part(kPart);
    while (file) {
        file.read(part.data(), static_cast<std::streamsize>(part.size()));
        XXH3_128bits_update(state.get(), part.data(), static_cast<std::size_t>(file.gcount()));
    }
    if (file.bad()) return std::nullopt;
    return digits_of(XXH3_128bits_digest(state.get()));
}

}  // namespace ringmesh::lab
