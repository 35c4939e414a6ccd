// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <systemc>

#include "hw/sci/blink/blink_port.h"

namespace ringmesh::hw {

/// A host's bridge and a packet source behind one port of the B-Link, to which both belong: packets of sources go to
/// the source, all others to the bridge. What they send goes over ports of their own.
///
///     in --+--> to_host
///          +--> to_source
///
/// Timing: takes no time. The bus asks for room before it names a packet, so there is some only if both have it.
class BLinkFork final : public sc_core::sc_module {
public:
    BLinkInlet<BLinkFork> in{"in", *this};
    blink::PortInitiator<BLinkFork> to_host{"to_host"};
    blink::PortInitiator<BLinkFork> to_source{"to_source"};
    /// For the source's port of the bus, over which nothing comes.
    blink::Target<BLinkFork> nothing{"nothing"};

    explicit BLinkFork(const sc_core::sc_module_name& name);

private:
    enum class Room : std::uint8_t { kUnknown, kAsked, kReserved };
    static constexpr std::size_t kSides = 2;

    friend BLinkInlet<BLinkFork>;
    ::tlm::tlm_sync_enum refuse(blink::Transfer& transfer, blink::Phase& phase, sc_core::sc_time& delay);
    bool reserve(sci::Class kind);
    void take_from_blink(sci::Packet& packet, sci::Class kind, Duration delay);
    ::tlm::tlm_sync_enum granted(int side, blink::Transfer& transfer, blink::Phase& phase, sc_core::sc_time& delay);
    blink::PortInitiator<BLinkFork>& side(std::size_t number) { return number == 0 ? to_host : to_source; }

    std::array<std::array<Room, kSides>, sci::kClasses> rooms_{};
};

}  // namespace ringmesh::hw
