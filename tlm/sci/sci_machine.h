// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/machine/torus_shape.h"
#include "tlm/machine/traffic_machine.h"
#include "tlm/pc/pc_machine.h"
#include "tlm/sci/packet.h"

/// Machines of SCI cards as workloads see them.
namespace ringmesh {

/// The part of a packet's route on one ring.
struct RingUse {
    unsigned ring = 0;   ///< number of the ring, 0 to Machine::rings() - 1
    unsigned nodes = 0;  ///< on that ring, which has as many links
    unsigned hops = 0;   ///< links that the packet takes; its echo takes the others
    /// Of a torus: rings of one dimension and direction; each node is on one ring of each group. Of other shapes: the
    /// link controller by which the packet gets on this ring.
    unsigned group = 0;
};

/// A packet's route over the rings, in order.
struct Route {
    static constexpr std::size_t kMost = 16;
    std::array<RingUse, kMost> uses{};
    std::size_t count = 0;

    void add(const RingUse& use) { uses.at(count++) = use; }
    const RingUse* begin() const { return uses.data(); }
    const RingUse* end() const { return uses.data() + count; }
};

/// A network of SCI links that form rings.
class SciNetwork : public virtual NetworkMachine {
public:
    /// The torus shape; null if this machine is no torus.
    virtual const TorusShape* torus() const { return nullptr; }
    /// Rings that each node is on, and so its outgoing links.
    virtual unsigned links_per_node() const = 0;
    /// Rings of the network, each of unidirectional links.
    virtual unsigned rings() const = 0;
    /// The route of a request or a response; empty from a node to itself.
    virtual Route route(unsigned from, unsigned to, sci::Class kind) const = 0;
    /// Links that a request takes from one node to another.
    unsigned hops(unsigned from, unsigned to) const override
    {
        unsigned sum = 0;
        for (const RingUse& use : route(from, to, sci::Class::kRequest)) sum += use.hops;
        return sum;
    }
    /// Time for which a packet of this command keeps a link busy, idle symbols included: the unit of offered load.
    virtual Duration link_time(sci::Command command) const = 0;
    /// B-Link time of a request of this command from a packet source to the links, arbitration included; zero if
    /// sources are attached to the link controllers.
    virtual Duration source_bus_time(sci::Command /*command*/) const { return {}; }
    /// Latency that one more link adds to a packet's head without contention.
    virtual Duration hop_time() const = 0;

    // Of a network that sources load.
    Layout layout() const override;
    static UsualTraffic usual_traffic();
    Defaults traffic_defaults(const PacketForm&) const override;
    std::string_view load_unit() const override { return ""; }
    std::string_view load_meaning() const override;
    PacketForm packets(PacketOptions& options) const override;
    Traced traced(const Injection& packet) const override;
    PacketOptions options_for(std::int64_t size, std::string_view unit, const std::string& kind) const override;
    std::unique_ptr<ExpectedLoad> expected_load(const PacketForm& packets) const override;
    std::vector<std::string> traffic_notes() const override;
};

/// PCs with SCI cards, as workloads see them.
class SciMachine : public PcMachine, public virtual SciNetwork {
public:
    static constexpr std::string_view kIs = "PCs with SCI cards";
    std::optional<TorusShape> shape() const override
    {
        return torus() == nullptr ? std::nullopt : std::optional(*torus());
    }
};

}  // namespace ringmesh
