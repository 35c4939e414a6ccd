// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "tlm/machine/torus_shape.h"
#include "tlm/sci/packet.h"

namespace ringmesh::hw {

/// Selects the B-Link port for a packet: the bridge to the host, or the link controller of the next ring.
class CardRouting {
public:
    virtual ~CardRouting() = default;
    virtual std::uint8_t port(sci::NodeId target, sci::Class kind) const = 0;
};

/// A link controller's routing table: which packets to strip, and to which B-Link port they go.
class Routing {
public:
    virtual ~Routing() = default;
    virtual bool strips(sci::NodeId target) const = 0;
    /// The B-Link port for a packet that was stripped here.
    virtual std::uint8_t blink_port(sci::NodeId target, sci::Class kind) const = 0;
};

/// A card with one link controller.
class SingleLinkCard final : public CardRouting {
public:
    SingleLinkCard(sci::NodeId self, std::uint8_t host_port, std::uint8_t link_port)
        : self_(self), host_port_(host_port), link_port_(link_port)
    {}
    std::uint8_t port(sci::NodeId target, sci::Class) const override
    {
        return target == self_ ? host_port_ : link_port_;
    }

private:
    sci::NodeId self_;
    std::uint8_t host_port_;
    std::uint8_t link_port_;
};

/// One ring: a node strips packets addressed to itself, for its host.
class RingRouting final : public Routing {
public:
    RingRouting(sci::NodeId self, std::uint8_t host_port) : self_(self), host_port_(host_port) {}
    bool strips(sci::NodeId target) const override { return target == self_; }
    std::uint8_t blink_port(sci::NodeId, sci::Class) const override { return host_port_; }

private:
    sci::NodeId self_;
    std::uint8_t host_port_;
};

/// A card of a torus. Dimension order: a request takes the dimensions upwards and a response downwards, so that it
/// comes back through the agents of its request [000 Fig. 3].
///
/// With counter-rotating rings the shorter direction is taken, on a tie the upward one. The link controllers are on the
/// ports first_link_port + dimension, or + 2 dimension for the upward and + 2 dimension + 1 for the downward ring.
class TorusCard final : public CardRouting {
public:
    struct Ports {
        std::uint8_t host = 0;
        std::uint8_t first_link = 1;
    };
    TorusCard(std::shared_ptr<const TorusShape> shape, sci::NodeId self, Ports ports, bool counter_rotating)
        : shape_(std::move(shape)), self_(self), ports_(ports), counter_rotating_(counter_rotating)
    {}
    std::uint8_t port(sci::NodeId target, sci::Class kind) const override;

private:
    std::shared_ptr<const TorusShape> shape_;
    sci::NodeId self_;
    Ports ports_;
    bool counter_rotating_;
};

/// One ring of a torus: a packet leaves it where its coordinate in this dimension is the target's.
class TorusRouting final : public Routing {
public:
    TorusRouting(std::shared_ptr<const TorusShape> shape, sci::NodeId self, unsigned dimension,
                 std::shared_ptr<const CardRouting> card)
        : shape_(std::move(shape)),
          card_(std::move(card)),
          dimension_(dimension),
          coordinate_(shape_->coordinate(self, dimension))
    {}
    bool strips(sci::NodeId target) const override { return shape_->coordinate(target, dimension_) == coordinate_; }
    std::uint8_t blink_port(sci::NodeId target, sci::Class kind) const override { return card_->port(target, kind); }

private:
    std::shared_ptr<const TorusShape> shape_;
    std::shared_ptr<const CardRouting> card_;
    unsigned dimension_;
    unsigned coordinate_;
};

/// One port of an SCI switch: strips packets for nodes of other rings, and its own echoes. Nodes are numbered ring by
/// ring; the port of ring r has the number nodes + r. B-Link port r is that of ring r.
class SwitchRouting final : public Routing {
public:
    struct Rings {
        unsigned nodes_per_ring = 0;
        unsigned rings = 0;
    };
    SwitchRouting(Rings rings, unsigned ring) : rings_(rings), ring_(ring) {}
    bool strips(sci::NodeId target) const override
    {
        const unsigned nodes = rings_.nodes_per_ring * rings_.rings;
        return target < nodes ? ring_of(target) != ring_ : target == nodes + ring_;
    }
    std::uint8_t blink_port(sci::NodeId target, sci::Class) const override
    {
        return static_cast<std::uint8_t>(ring_of(target));
    }

private:
    unsigned ring_of(sci::NodeId target) const { return target / rings_.nodes_per_ring; }

    Rings rings_;
    unsigned ring_;
};

}  // namespace ringmesh::hw
