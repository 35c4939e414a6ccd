// SPDX-License-Identifier: Apache-2.0
#include "lab/store/content.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "tlm/error.h"
#include "tlm/input_file.h"

namespace ringmesh::lab {

std::optional<std::string> content_of(const std::filesystem::path& path)
{
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const auto failed = [&path](int error) -> std::optional<std::string> {
        if (says_absent(error)) return std::nullopt;
        throw UserError(fmt::format("cannot read '{}': {}", shown(path), std::generic_category().message(error)));
    };
    if (file < 0) return failed(errno);
    std::string text;
    constexpr std::size_t kPart = 64 * 1024;
    ssize_t got = 1;
    while (got > 0) {
        const std::size_t used = text.size();
        text.resize(used + kPart);
        do {
            got = ::read(file, text.data() + used, kPart);
        } while (got < 0 && errno == EINTR);
        text.resize(used + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    }
    const int error = errno;
    ::close(file);
    if (got < 0 && error != EISDIR) return failed(error);
    return got < 0 ? std::nullopt : std::optional(std::move(text));
}

namespace {

std::string digits_of(const XXH128_hash_t& hash) { return fmt::format("{:016x}{:016x}", hash.high64, hash.low64); }

}  // namespace

std::string hash_of(std::string_view text) { return digits_of(XXH3_128bits(text.data(), text.size())); }

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
