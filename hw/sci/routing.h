// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tlm/sci/packet.h"

namespace ringmesh::hw {

/// A link controller's table: which packets leave this ring here, and which chip on the B-Link gets them.
class Routing {
public:
    virtual ~Routing() = default;
    virtual bool strips(sci::NodeId target) const = 0;
    /// The B-Link port for a packet that was stripped here.
    virtual std::uint8_t blink_port(sci::NodeId target) const = 0;
};

/// One ring: a node strips what is addressed to itself, and its host takes it.
class RingRouting final : public Routing {
public:
    RingRouting(sci::NodeId self, std::uint8_t host_port) : self_(self), host_port_(host_port) {}
    bool strips(sci::NodeId target) const override { return target == self_; }
    std::uint8_t blink_port(sci::NodeId) const override { return host_port_; }

private:
    sci::NodeId self_;
    std::uint8_t host_port_;
};

}  // namespace ringmesh::hw
