// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "tlm/division/division.h"
#include "tlm/machine/traffic.h"

namespace ringmesh::workloads {

/// Deliveries of a divided simulation: process 0 measures those of all processes in the order of their times, at one
/// time by target.
class DeliveryLog final : public Crossing {
public:
    using Measure = std::function<void(const OfferedPacket& packet, Duration at)>;

    explicit DeliveryLog(Measure measure) : measure_(std::move(measure)) {}

    /// In this process. @param at not before the one before
    void add(const OfferedPacket& packet, Duration at) { own_.push_back({packet, at}); }

private:
    struct Delivery {
        OfferedPacket packet;
        Duration at;
    };

    Duration give(std::vector<Parcel>& to) override;
    void take(Parcel& parcel) override;
    void taken(Duration end) override;

    const Measure measure_;
    std::vector<Delivery> own_, all_;
};

}  // namespace ringmesh::workloads
