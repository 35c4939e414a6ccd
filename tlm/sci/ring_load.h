// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/sci/sci_machine.h"

namespace ringmesh::sci {

/// Link time of a pattern's packets on the machine's routes: the unit of offered load.
///
/// A request that takes h of a ring's N links is echoed over the N - h others, and so is its response on the rings of
/// its own way. Over a long time the links of one ring are busy for
///
///     the sum over its requests, responses of  (h packet + (N - h) echo) / N
///
/// on average, idle symbols included. Retries are not counted.
class RingLoad final : public ExpectedLoad {
public:
    RingLoad(const SciNetwork& machine, Command command);

    void flow(unsigned from, unsigned to, double part) override;
    /// On a torus this takes no more work than one flow: all rings of a dimension are equivalent.
    void alike(unsigned to, double part) override;
    void alike_to_all_others(double part) override;

    /// Time for which the links of the busiest ring are busy, on average, while each sending node offers one packet.
    MeanTime gap_at_full_load() const override;
    /// Limit of the node with the most own requests: its outgoing link or its B-Link.
    Limit source_limit() const override;
    unsigned senders() const override;
    /// Several times a card's latency, and four unloaded rounds of a packet and its echo over the longest route;
    /// rounded up to whole microseconds.
    Duration warm_up() const override;
    /// Links crossed by a packet and its echo on the longest route.
    unsigned longest_circle() const { return longest_circle_; }

private:
    struct Group {
        double busy_ns = 0;   ///< mean over the links of each ring
        double first_ns = 0;  ///< of each node's own requests on its own link
    };
    void spread(unsigned from, unsigned to, double part);
    void on_ring(const RingUse& use, double part, Duration packet);

    const SciNetwork& machine_;
    Command command_;
    Duration request_, response_, echo_;
    bool answered_;
    std::vector<Group> groups_;     // of packets that all nodes send alike
    std::vector<double> rings_ns_;  // of packets that one node sends, mean over the links of each ring
    std::vector<unsigned> ring_groups_;
    std::vector<double> first_ns_;  // of packets that one node sends, by node and group
    std::vector<double> parts_;     // of its packets that a node sends by itself
    double alike_part_ = 0;
    unsigned longest_circle_ = 0;
};

}  // namespace ringmesh::sci
