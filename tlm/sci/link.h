// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm>

#include "tlm/sci/packet.h"

/// The SCI link as a TLM protocol: link sockets bind only to link sockets.
///
/// `nb_transport_fw(packet, Head, delay)`: the packet's first symbol reaches the target `delay` from now; the rest
/// follows at one symbol per link clock. Calls on one link come in the order of arrival. The call hands the packet
/// over. `nb_transport_fw(packet, Go, delay)`: the idle symbols behind the last packet, which said `stop`, carry go
/// bits again, `delay` from now. The packet of this call stays with the caller; its `born_ps` is the time when this
/// became known, 0 for now. SCI's flow control is by echoes, which are packets, so that a link controller uses no
/// backward path. A link that has lost go bits does: `nb_transport_bw(packet, Go, delay)` tells its sender that it
/// keeps them again, `delay` from now.
namespace ringmesh::sci {

enum class LinkPhase : std::uint8_t { kHead, kGo };

struct LinkProtocol {
    using tlm_payload_type = Packet;
    using tlm_phase_type = LinkPhase;
};

/// The calls of a link alone, for those who make one for each packet.
using LinkInlet = ::tlm::tlm_fw_nonblocking_transport_if<Packet, LinkPhase>;

inline constexpr unsigned kLinkWidth = 16;  ///< data bits of a symbol

template <class Module>
using LinkInitiator = tlm_utils::simple_initiator_socket<Module, kLinkWidth, LinkProtocol>;
template <class Module>
using LinkTarget = tlm_utils::passthrough_target_socket<Module, kLinkWidth, LinkProtocol>;
template <class Module>
using LinkInitiatorIfBound = tlm_utils::simple_initiator_socket_optional<Module, kLinkWidth, LinkProtocol>;
template <class Module>
using LinkTargetIfBound = tlm_utils::passthrough_target_socket_optional<Module, kLinkWidth, LinkProtocol>;

}  // namespace ringmesh::sci
