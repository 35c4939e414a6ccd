// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "hw/sci/link_controller.h"
#include "hw/sci/routing.h"
#include "platforms/wulfkit_params.h"
#include "tlm/sci/sci_machine.h"

namespace ringmesh::platforms {

/// The layout of the rings of a Wulfkit machine: the nodes of each ring, and the routes. Plain logic; it configures the
/// routing of the chips.
class WulfkitNetwork {
public:
    /// B-Link ports of a card.
    static constexpr std::uint8_t kHostPort = 0;
    static constexpr std::uint8_t kFirstLinkPort = 1;

    /// The block behind a link controller.
    enum class Behind : std::uint8_t { kBLink, kPacketSource };

    /// @pre the parameters have been checked together (builder.cpp)
    explicit WulfkitNetwork(const WulfkitParams& params);

    const WulfkitParams& params() const { return params_; }
    const TorusShape& shape() const { return *shape_; }
    bool is_switch() const { return params_.topology.kind == TopologyKind::kSwitch; }
    unsigned nodes() const { return shape_->nodes(); }
    unsigned rings() const;
    /// Rings that each node is on, each with a link controller.
    unsigned links_per_node() const;
    /// The node to which link `link` of a node leads. With a switch the last node of a ring links to its port.
    unsigned neighbour(unsigned node, unsigned link) const;
    Route route(unsigned from, unsigned to, sci::Class kind) const;

    /// "lc2" if it is the only one, else "lc2_0", or "lc2_0_up" and "lc2_0_down" for counter-rotating rings.
    std::string link_name(unsigned link) const;
    hw::LinkController::Config link_controller(sci::NodeId node, unsigned link, Behind behind) const;
    std::unique_ptr<hw::Routing> ring_routing(sci::NodeId node, unsigned link) const;
    std::shared_ptr<const hw::CardRouting> card_routing(sci::NodeId node) const;
    /// What link controllers share; null for a node that differs.
    std::shared_ptr<const hw::LinkTiming> timing(sci::NodeId node, Behind behind) const;
    /// Of the nodes that do not differ.
    const hw::LinkTiming& common_timing() const { return *timing_on_blink_; }

    // Of the switch, one port for each ring.
    hw::LinkController::Config switch_port(unsigned ring) const;
    hw::SwitchRouting::Rings switch_rings() const { return {shape_->size(0), shape_->size(1)}; }

private:
    bool counter_rotating() const { return params_.topology.kind == TopologyKind::kCounterRotating; }
    unsigned dimension_of(unsigned link) const { return counter_rotating() ? link / 2 : link; }
    bool downwards(unsigned link) const { return counter_rotating() && link % 2 == 1; }

    WulfkitParams params_;
    sci::Command longest_;  // of all nodes' requests
    std::shared_ptr<const TorusShape> shape_;
    std::shared_ptr<const hw::LinkTiming> timing_on_blink_;
    std::shared_ptr<const hw::LinkTiming> timing_on_source_;
};

}  // namespace ringmesh::platforms
