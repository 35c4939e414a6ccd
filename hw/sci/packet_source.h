// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <systemc>

#include "hw/sci/blink/blink_port.h"
#include "hw/sci/routing/routing.h"
#include "hw/traffic_source.h"
#include "tlm/pools/ring_buffer.h"
#include "tlm/sci/blink.h"

namespace ringmesh::hw {

/// A packet source in place of a card's B-Link, or on the B-Link in place of the host's bridge, where it loads only the
/// network, or beside it. It offers the packets that a traffic model creates, and answers those that arrive.
///
///     TrafficModel --> source queue --> to_network
///                      response queue --> to_network      from_network --> response queue
///
/// Timing: takes no time itself; a packet waits in its queue until the link controller has room. A request that finds
/// the response queue full waits in the link controller. An injection that finds the source queue full is dropped and
/// counted, which an open-loop model must report.
class SciPacketSource final : public TrafficSource {
public:
    BLinkOutlet<SciPacketSource> to_network{"to_network", *this};
    BLinkInlet<SciPacketSource> from_network{"from_network", *this};

    static constexpr std::size_t kResponseQueue = 64;

    /// @param card which chip of the card gets a packet, if the source stands on the B-Link
    SciPacketSource(const sc_core::sc_module_name& name, Simulation& simulation, sci::NodeId node,
                    std::shared_ptr<const CardRouting> card);

    /// Timed events pending now: the next injection.
    unsigned armed_wakeups() const { return static_cast<unsigned>(armed()); }
    void statistics(StatisticsVisitor& visitor) const override;
    void places(PlaceVisitor& visitor) const override;
    std::string pending() const override;
    bool only_waits() const override { return true; }

private:
    void offer(const Injection& injection) override;
    void offer(sci::Packet& packet, sci::Class kind);
    void receive(sci::Packet& packet, Duration at);
    void answer(sci::Packet& request);

    RingBuffer<sci::Packet*>& queue(sci::Class kind) { return queues_[sci::index(kind)]; }

    friend BLinkInlet<SciPacketSource>;
    friend BLinkOutlet<SciPacketSource>;
    bool reserve(sci::Class kind);
    void take_from_blink(sci::Packet& packet, sci::Class, Duration delay) { receive(packet, now() + delay); }
    blink::Transfer blink_front(sci::Class kind);
    void blink_took(sci::Class kind, std::uint64_t gone, Duration);
    void blink_granted(sci::Class kind) { to_network.offer(kind); }

    sci::PacketPool& packets_;
    std::shared_ptr<const CardRouting> card_;
    std::array<RingBuffer<sci::Packet*>, sci::kClasses> queues_;
    std::array<Level, sci::kClasses> fill_;
    std::size_t promised_ = 0;  // response slots set aside for requests on their way here

    Counter answered_;
};

}  // namespace ringmesh::hw
