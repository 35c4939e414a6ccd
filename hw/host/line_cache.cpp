// SPDX-License-Identifier: Apache-2.0
#include "hw/host/line_cache.h"

#include <algorithm>

namespace ringmesh::hw {

LineCache::LineCache(Bytes size, Bytes line)
    : line_(static_cast<std::uint64_t>(line.count())),
      sets_(static_cast<std::uint64_t>(size.count() / line.count()) / kWays),
      pages_((sets_ + kPageSets - 1) / kPageSets)
{}

bool LineCache::use(std::uint64_t address)
{
    if (sets_ == 0) return false;
    const std::uint64_t line = address / line_ + 1;
    auto& page = page_of(line % sets_);
    if (!page) page = std::make_unique<Page>();
    Set& set = (*page)[line % sets_ % kPageSets];
    if (set.front() == line) return true;
    const auto place = std::find(set.begin(), set.end(), line);
    const bool there = place != set.end();
    std::rotate(set.begin(), there ? place : set.end() - 1, there ? place + 1 : set.end());
    set.front() = line;
    return there;
}

void LineCache::written(std::uint64_t address, std::size_t size)
{
    if (sets_ == 0 || size == 0) return;
    const std::uint64_t first = address / line_ + 1;
    const std::uint64_t last = (address + size - 1) / line_ + 1;
    std::uint64_t set = first % sets_;
    for (std::uint64_t line = first; line <= last; ++line, set = set + 1 == sets_ ? 0 : set + 1) {
        const auto& page = page_of(set);
        if (!page) continue;
        Set& lines = (*page)[set % kPageSets];
        const auto left = std::remove(lines.begin(), lines.end(), line);
        std::fill(left, lines.end(), 0);
    }
}

}  // namespace ringmesh::hw
