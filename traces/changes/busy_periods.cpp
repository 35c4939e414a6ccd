// SPDX-License-Identifier: Apache-2.0
#include "traces/changes/busy_periods.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace ringmesh {

BusyPeriods::Bucket& BusyPeriods::find_bucket(Duration time)
{
    const auto place = buckets_.lower_bound(time);
    if (place != buckets_.end() && place->first == time) return place->second;
    if (spare_.empty()) return buckets_.emplace_hint(place, time, Bucket{time, {}, {}})->second;
    auto node = std::move(spare_.back());
    spare_.pop_back();
    node.key() = time;
    node.mapped().time = time;
    return buckets_.insert(place, std::move(node))->second;
}

void BusyPeriods::sort(std::vector<std::uint32_t>& slots)
{
    constexpr std::size_t kBits = 64;
    if (slots.size() < 2) return;
    const auto [low, high] = std::minmax_element(slots.begin(), slots.end());
    const std::size_t first = *low / kBits;
    const std::size_t words = *high / kBits + 1 - first;
    if (words > 2 * slots.size()) {
        std::sort(slots.begin(), slots.end());
        return;
    }
    if (marks_.size() < words) marks_.resize(words);
    for (const std::uint32_t slot : slots) marks_[slot / kBits - first] |= std::uint64_t{1} << slot % kBits;
    slots.clear();
    for (std::size_t i = 0; i < words; ++i) {
        for (std::uint64_t left = std::exchange(marks_[i], 0); left != 0; left &= left - 1) {
            slots.push_back(static_cast<std::uint32_t>((first + i) * kBits) +
                            static_cast<std::uint32_t>(std::countr_zero(left)));
        }
    }
}

}  // namespace ringmesh
