// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/deck/message_object.h"
#include "workloads/deck/side.h"

namespace ringmesh::workloads::deck {

/// Protocol 1, short messages [002 III.A]: data, sequence number and identifier in one packet, no flush, no barrier.
///
///     sender                                    receiver
///     store a block into its ring ------------> polls the last byte at its read position of all rings
///                                               copies the data to the message object
///     checks its local copy <---------------- writes its read position back
///
/// A packet carries no length: the receiver's message object gives it, so the program must know it. All 62 bytes are
/// copied for any length; 126 with a packet of 128 bytes.
Task<> send_short(Side& side, Peer& to, const MessageObject& object, std::uint32_t size);
/// Takes the message at the read position of a peer's ring.
Task<Received> take_short(Side& side, Peer& from, const MessageObject& into);

}  // namespace ringmesh::workloads::deck
