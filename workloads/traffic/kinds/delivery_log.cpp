// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/kinds/delivery_log.h"

#include <algorithm>
#include <tuple>

namespace ringmesh::workloads {

Duration DeliveryLog::give(std::vector<Parcel>& to)
{
    to[0].put(static_cast<std::uint32_t>(own_.size()));
    for (const Delivery& delivery : own_) to[0].put(delivery);
    own_.clear();
    return Duration::never();
}

void DeliveryLog::take(Parcel& parcel)
{
    if (parcel.empty()) return;
    for (auto left = parcel.take<std::uint32_t>(); left > 0; --left) all_.push_back(parcel.take<Delivery>());
}

void DeliveryLog::taken(Duration)
{
    std::stable_sort(all_.begin(), all_.end(), [](const Delivery& a, const Delivery& b) {
        return std::tie(a.at, a.packet.target) < std::tie(b.at, b.packet.target);
    });
    for (const Delivery& delivery : all_) measure_(delivery.packet, delivery.at);
    all_.clear();
}

}  // namespace ringmesh::workloads
