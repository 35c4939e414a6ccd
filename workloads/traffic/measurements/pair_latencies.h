// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>
#include <vector>

#include "tlm/machine/traffic_machine.h"

namespace ringmesh::workloads {

/// The unloaded latency of a packet between two sources, for many pairs in one run: one packet at a time, the next when
/// the last has arrived, its response too if there is one, and its echoes and credits have returned.
class PairLatencies final : public TrafficModel {
public:
    struct Pair {
        unsigned from = 0;
        unsigned to = 0;
        Duration latency = Duration::never();  ///< from birth to delivery whole; never(): not yet
    };

    /// @param senders each sends to all other nodes in turn
    PairLatencies(TrafficMachine& machine, const PacketForm& packets, const std::vector<unsigned>& senders);

    void start() { machine_.start_traffic(*this, packets_); }
    bool finished() const { return current_ == pairs_.size(); }
    /// @throws ModelError if a packet did not arrive
    void check() const;
    const std::vector<Pair>& pairs() const { return pairs_; }

private:
    Injection next(unsigned source) override;
    void delivered(const OfferedPacket& packet, Duration at) override;
    void answered(const OfferedPacket& packet, Duration at) override;
    void dropped(unsigned source, Duration born) override;
    void go_on(Duration at);
    void fail(std::exception_ptr error);

    TrafficMachine& machine_;
    const PacketForm packets_;
    std::vector<Pair> pairs_;
    std::size_t current_ = 0;
    bool offered_ = false;  // the packet of the current pair
    Duration due_;          // its birth
};

}  // namespace ringmesh::workloads
