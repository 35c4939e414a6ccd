// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm>

#include "tlm/sci/packet.h"

/// The B-Link, the bus between the chips of one card, as a TLM protocol.
///
/// A chip that has a packet calls `nb_transport_fw(transfer, kRequest, 0)`. TLM_COMPLETED: room is reserved, continue
/// at once. TLM_ACCEPTED: wait until `nb_transport_bw(transfer, kGrant, 0)` names the class for which room is reserved.
/// Then, at the time of the grant, it calls `nb_transport_fw(transfer, kData, delay)`, which hands the packet over; the
/// last byte arrives `delay` later. On return `delay` tells the caller when its own buffer is free again. One request
/// per class may wait at a time. A bus or the receiving chip itself may stand behind the socket.
namespace ringmesh::blink {

enum class Phase : std::uint8_t { kRequest, kData, kGrant };

struct Transfer {
    sci::Packet* packet = nullptr;  ///< null in a grant
    sci::Class kind = sci::Class::kRequest;
    std::uint8_t to = 0;  ///< bus port of the receiving chip
};

struct Protocol {
    using tlm_payload_type = Transfer;
    using tlm_phase_type = Phase;
};

inline constexpr unsigned kWidth = 64;  ///< data bits

template <class Module>
using Initiator = tlm_utils::simple_initiator_socket<Module, kWidth, Protocol>;
template <class Module>
using Target = tlm_utils::passthrough_target_socket<Module, kWidth, Protocol>;

/// For a bus with several ports: callbacks get the port's number.
template <class Module>
using PortInitiator = tlm_utils::simple_initiator_socket_tagged<Module, kWidth, Protocol>;
template <class Module>
using PortTarget = tlm_utils::passthrough_target_socket_tagged<Module, kWidth, Protocol>;

}  // namespace ringmesh::blink
