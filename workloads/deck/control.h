// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "workloads/deck/side.h"

namespace ringmesh::workloads::deck {

/// A control packet of protocols 2 and 3: a block of 64 bytes in the ring of control locations, with sequence number
/// and identifier as protocol 1's. The locations form a ring, so that several messages can be outstanding.
enum class Sign : std::uint8_t {
    kInBuffer = 1,  ///< a message of protocol 2 is in the buffer
    kRequest,       ///< protocol 3: requests an address for a message of this size
    kEnd,           ///< protocol 3: it is written
};

struct Control {
    Sign sign = Sign::kInBuffer;
    std::uint32_t size = 0;  ///< of the message
};

/// @pre there is room. It belongs to the message with number `to.out.messages`.
Task<> send_control(Side& side, Peer& to, Control control);
/// Reads the packet at the read position and steps over it.
Task<Control> take_control(Side& side, Peer& from);

}  // namespace ringmesh::workloads::deck
