// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/random.h"

namespace ringmesh::workloads::deck {

/// A random plan of messages: sender, receiver, size and order.
class DeliveryPlan {
public:
    struct Sending {
        unsigned to = 0;
        std::uint32_t size = 0;
    };
    DeliveryPlan() = default;
    /// Sizes are 0 to `largest`, log-uniform: each doubling of the size plus 1 is as likely.
    DeliveryPlan(unsigned ranks, std::uint64_t messages, std::uint32_t largest, Random random);

    /// The messages that a rank sends, in order.
    const std::vector<Sending>& of(unsigned rank) const { return sendings_.at(rank); }
    /// Sizes of the messages from one rank to another, in their order.
    const std::vector<std::uint32_t>& sizes(unsigned from, unsigned to) const { return sizes_.at(from).at(to); }
    /// Messages that go to a rank.
    std::uint64_t expected_by(unsigned rank) const;

private:
    std::vector<std::vector<Sending>> sendings_;
    std::vector<std::vector<std::vector<std::uint32_t>>> sizes_;
};

}  // namespace ringmesh::workloads::deck
