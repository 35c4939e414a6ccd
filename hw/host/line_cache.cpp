// SPDX-License-Identifier: Apache-2.0
#include "hw/host/line_cache.h"

#include <algorithm>

namespace ringmesh::hw {

LineCache::LineCache(Bytes size, Bytes line)
    : line_(static_cast<std::uint64_t>(line.count())),
      sets_(static_cast<std::uint64_t>(size.count() / line.count()) / kWays)
{}

bool LineCache::use(std::uint64_t address)
{
    if (sets_ == 0) return false;
    const std::uint64_t line = address / line_ + 1;
    Set& set = used_[line % sets_];
    const auto place = std::find(set.begin(), set.end(), line);
    const bool there = place != set.end();
    std::rotate(set.begin(), there ? place : set.end() - 1, there ? place + 1 : set.end());
    set.front() = line;
    return there;
}

void LineCache::written(std::uint64_t address, std::size_t size)
{
    if (used_.empty() || size == 0) return;
    const std::uint64_t last = (address + size - 1) / line_ + 1;
    for (std::uint64_t line = address / line_ + 1; line <= last; ++line) {
        const auto set = used_.find(line % sets_);
        if (set == used_.end()) continue;
        const auto left = std::remove(set->second.begin(), set->second.end(), line);
        std::fill(left, set->second.end(), 0);
    }
}

}  // namespace ringmesh::hw
