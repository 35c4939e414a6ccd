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
///                                      <---- nb_transport_bw(packet, kCredit, 0)   a place for this class is free
///                                      again
///                                      <---- nb_transport_bw(packet, kPacket, 0)    its last flit has arrived now
///       nb_transport_fw(packet, kCredit, 0) ---->          the terminal can take this class again
///
/// An accepted kPacket returns TLM_ACCEPTED and hands the packet over. A refused one returns TLM_UPDATED with the phase
/// kFull: the packet stays with the caller, which offers it again after kCredit. A kCredit says of which class by the
/// packet that comes with it, one of two that never travel (credit_for()). Classes have separate buffers. Delays are
/// short (clock crossings, pipeline stages), and packets of one terminal and class leave it in the order of acceptance.
/// In the mesh they may overtake each other.
namespace ringmesh::mesh {

enum class PortPhase : std::uint8_t { kPacket, kCredit, kFull };

struct PortProtocol {
    using tlm_payload_type = Packet;
    using tlm_phase_type = PortPhase;
};

/// What comes with a kCredit for this class.
inline Packet& credit_for(Class kind)
{
    static Packet credits[kClasses] = {{.kind = Class::kRequest}, {.kind = Class::kResponse}};
    return credits[index(kind)];
}

inline constexpr unsigned kPortWidth = 8 * kFlitBytes;

template <class Module>
using TerminalSocket = tlm_utils::simple_initiator_socket<Module, kPortWidth, PortProtocol>;
/// Tagged with the number of the terminal.
template <class Module>
using MeshSocket = tlm_utils::passthrough_target_socket_tagged<Module, kPortWidth, PortProtocol>;

}  // namespace ringmesh::mesh
