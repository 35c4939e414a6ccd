// SPDX-License-Identifier: Apache-2.0
#include "traces/changes/busy_periods.h"

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

}  // namespace ringmesh
