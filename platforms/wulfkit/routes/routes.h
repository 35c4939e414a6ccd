// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "hw/sci/routing/route_table.h"
#include "hw/sci/routing/routing.h"
#include "platforms/wulfkit/routes/sci_graph.h"
#include "tlm/sci/sci_machine.h"

namespace ringmesh::platforms {

/// How packets find their way: the routing of each chip, and the rings that a packet takes, which must agree. A shape
/// with coordinates computes both; any other has a table.
class NetworkRoutes {
public:
    /// B-Link ports of a card.
    static constexpr std::uint8_t kHostPort = 0;
    static constexpr std::uint8_t kFirstLinkPort = 1;

    virtual ~NetworkRoutes() = default;
    virtual Route route(unsigned from, unsigned to, sci::Class kind) const = 0;
    virtual std::shared_ptr<const hw::CardRouting> card(sci::NodeId node) const = 0;
    /// Of a node's link controller.
    virtual std::unique_ptr<hw::Routing> link(sci::NodeId node, unsigned link) const = 0;
    /// Of a link controller of a switch, if there is one. @param port counted over all switches
    virtual std::unique_ptr<hw::Routing> switch_port(unsigned /*port*/) const { return nullptr; }
    /// Null if the routes are computed.
    virtual const hw::RouteTable* table() const { return nullptr; }
};

class TableRoutes final : public NetworkRoutes {
public:
    /// @param graph outlives the routes
    TableRoutes(const SciGraph& graph, hw::RouteTable table)
        : graph_(graph), table_(std::make_shared<const hw::RouteTable>(std::move(table)))
    {}
    Route route(unsigned from, unsigned to, sci::Class kind) const override;
    std::shared_ptr<const hw::CardRouting> card(sci::NodeId node) const override;
    std::unique_ptr<hw::Routing> link(sci::NodeId node, unsigned link) const override;
    std::unique_ptr<hw::Routing> switch_port(unsigned port) const override;
    const hw::RouteTable* table() const override { return table_.get(); }

private:
    const SciGraph& graph_;
    std::shared_ptr<const hw::RouteTable> table_;
};

/// Computed routes as a table: what each chip's routing says of each target.
hw::RouteTable table_of(const SciGraph& graph, const NetworkRoutes& routes);

}  // namespace ringmesh::platforms
