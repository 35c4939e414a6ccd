// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tlm/machine/traffic_machine.h"
#include "workloads/ranks/rank_pair.h"

namespace ringmesh::workloads {

/// One packet from one source to another in an idle network, born at time 0.
class SinglePacket final : public TrafficModel {
public:
    /// Starts it; runs nothing yet. @param bytes that the packet carries
    /// @throws UserError if there is no such pair, or no packet carries as many bytes
    SinglePacket(TrafficMachine& machine, std::int64_t from, std::int64_t to, std::int64_t bytes);

    /// After the run. @throws ModelError if it did not arrive
    void check() const;
    const RankPair& pair() const { return pair_; }

private:
    Injection next(unsigned source) override;
    void delivered(const OfferedPacket& packet, Duration at) override;
    void answered(const OfferedPacket&, Duration) override {}
    void dropped(unsigned, Duration) override {}

    RankPair pair_;
    PacketForm packets_;
    bool offered_ = false;
    bool arrived_ = false;
};

}  // namespace ringmesh::workloads
