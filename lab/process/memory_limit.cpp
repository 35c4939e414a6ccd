// SPDX-License-Identifier: Apache-2.0
#include "lab/process/memory_limit.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string_view>

#include "tlm/error.h"
#include "tlm/pools/pool.h"  // RINGMESH_SANITIZED
#include "tlm/units/quantity.h"

namespace ringmesh::lab {
namespace {

constexpr std::int64_t kLeast = 64LL << 20;  // the program with a small machine

std::optional<Bytes>& limit_set()
{
    static std::optional<Bytes> limit;
    return limit;
}

/// What the system could give now; a control group may give less.
Bytes free_memory()
{
    constexpr Bytes kUnknown(std::int64_t{1} << 62);
    std::int64_t free = kUnknown.count();
    std::ifstream info("/proc/meminfo");
    for (std::string word; info >> word;) {
        std::int64_t kib = 0;
        if (word == "MemAvailable:" && info >> kib) free = kib * 1024;
    }
    std::int64_t most = 0;
    std::int64_t used = 0;
    std::ifstream group_most("/sys/fs/cgroup/memory.max");
    std::ifstream group_used("/sys/fs/cgroup/memory.current");
    if (group_most >> most && group_used >> used) free = std::min(free, std::max<std::int64_t>(0, most - used));
    return Bytes(free);
}

}  // namespace

Bytes memory_limit()
{
    static const Bytes most_of_what_is_free(free_memory().count() / 10 * 9);
    return limit_set().value_or(most_of_what_is_free);
}

void set_memory_limit(const std::string& size)
{
    const auto parsed = parse_bytes(size);
    if (!parsed.value) throw UserError(fmt::format("--memory {}: {}", size, parsed.problem));
    if (parsed.value->count() < kLeast) {
        throw UserError(
            fmt::format("--memory {}: the program alone needs {}; give more", size, to_string(Bytes(kLeast))));
    }
    limit_set() = parsed.value;
#ifndef RINGMESH_SANITIZED  // the sanitizer's own memory would count, and is larger than any limit
    const auto bytes = static_cast<rlim_t>(parsed.value->count());
    rlimit limit{};
    if (::getrlimit(RLIMIT_DATA, &limit) != 0) return;
    limit.rlim_cur = std::min(limit.rlim_max, bytes);
    ::setrlimit(RLIMIT_DATA, &limit);
#endif
}

}  // namespace ringmesh::lab
