// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "hw/sci/routing/routing.h"

/// Follows a packet from chip to chip by their routing tables.
namespace ringmesh::test {

/// A chip that puts a packet on a ring, by its node and the number of its link there.
struct Entry {
    unsigned node = 0;
    unsigned link = 0;
    unsigned hops = 0;  ///< links until the packet was stripped
    bool operator==(const Entry&) const = default;
};

struct Wiring {
    std::function<std::unique_ptr<hw::Routing>(unsigned node, unsigned link)> routing;
    std::function<std::shared_ptr<const hw::CardRouting>(unsigned node)> card;
    /// The node to which a link leads.
    std::function<unsigned(unsigned node, unsigned link)> next;
    /// The entry to the ring behind a B-Link port of a node; none if that is the host.
    std::function<std::optional<Entry>(unsigned node, std::uint8_t port)> on_port;
    unsigned most_hops = 1000;  ///< on one ring
};

struct Walk {
    std::vector<Entry> entries;
    unsigned end = 0;  ///< the node whose host gets the packet

    /// The nodes where the packet changes from one ring to the next, in order.
    std::vector<unsigned> agents() const
    {
        std::vector<unsigned> nodes;
        for (std::size_t i = 1; i < entries.size(); ++i) nodes.push_back(entries[i].node);
        return nodes;
    }
};

/// @throws std::runtime_error if the packet circulates endlessly
inline Walk walk(const Wiring& wiring, unsigned from, unsigned to, sci::Class kind)
{
    constexpr std::size_t kMostEntries = 100;
    const auto target = static_cast<sci::NodeId>(to);
    Walk result{{}, from};
    auto entry = wiring.on_port(from, wiring.card(from)->port(target, kind));
    while (entry) {
        unsigned at = entry->node;
        std::unique_ptr<hw::Routing> routing;
        do {
            at = wiring.next(at, entry->link);
            routing = wiring.routing(at, entry->link);
            if (++entry->hops > wiring.most_hops) throw std::runtime_error("a packet that is never stripped");
        } while (!routing->strips(target));
        result.entries.push_back(*entry);
        if (result.entries.size() > kMostEntries) throw std::runtime_error("a packet that never gets to a host");
        result.end = at;
        entry = wiring.on_port(at, routing->blink_port(target, kind));
    }
    return result;
}

}  // namespace ringmesh::test
