// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/deck/control.h"
#include "workloads/deck/message_object.h"
#include "workloads/deck/side.h"

namespace ringmesh::workloads::deck {

/// Header of each message in the buffer: its size, and the low word of its number.
inline constexpr std::uint32_t kHeaderBytes = 8;

/// Protocol 2, general-purpose [002 III.B]: the message goes to a buffer in the receiver's mail box, followed by a
/// control packet.
///
///     sender                                    receiver
///     store header and data into its buffer
///     barrier: packets may overtake
///     store a control packet -----------------> polls all control locations
///                                               reads the header, copies the data to the message object
///     checks its local copy <---------------- writes its read position back
///
/// Header and data are padded to a multiple of 64 bytes and wrap at the buffer's end.
Task<> send_general(Side& side, Peer& to, const MessageObject& object, std::uint32_t size);
/// Takes the message at the read position of a peer's buffer. @throws UserError if it is larger than the object
Task<Received> take_general(Side& side, Peer& from, const MessageObject& into);

}  // namespace ringmesh::workloads::deck
