// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm>

#include "tlm/mesh/packet.h"

/// The border between a mesh and a terminal (a tile, a memory controller, the system interface, a packet source) as a
/// TLM protocol of its own. The terminal is the initiator.
///
///     terminal                                     mesh
///       nb_transport_fw(packet, kPacket, delay) ---->      the packet may leave `delay` from now
///                                      <---- nb_transport_bw(packet, kRoom, 0)      a place for this class is free
///                                      again
///                                      <---- nb_transport_bw(packet, kPacket, 0)    its last flit has arrived now
///       nb_transport_fw(packet, kRoom, 0) ---->            the terminal can take this class again
///
/// A kPacket that is taken returns TLM_ACCEPTED and hands the packet over. One that finds no place returns TLM_UPDATED
/// with the phase kFull: the packet stays with the caller, who offers it again after kRoom. Of a kRoom only the
/// packet's `kind` counts; the packet stays with the caller. The classes are independent: each has its own places.
/// Delays are short (clocks to be crossed, stages of a pipeline), and packets of one terminal and class leave it in the
/// order in which they were taken. On their way they may overtake each other.
namespace ringmesh::mesh {

enum class PortPhase : std::uint8_t { kPacket, kRoom, kFull };

struct PortProtocol {
    using tlm_payload_type = Packet;
    using tlm_phase_type = PortPhase;
};

inline constexpr unsigned kPortWidth = 8 * kFlitBytes;

template <class Module>
using TerminalSocket = tlm_utils::simple_initiator_socket<Module, kPortWidth, PortProtocol>;
/// Tagged with the number of the terminal.
template <class Module>
using MeshSocket = tlm_utils::passthrough_target_socket_tagged<Module, kPortWidth, PortProtocol>;

}  // namespace ringmesh::mesh
