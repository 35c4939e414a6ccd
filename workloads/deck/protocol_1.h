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
///     looks at its local copy <---------------- writes its read position back
///
/// A packet carries no length: the receiver's message object tells how many of the 62 bytes count, so program and
/// programmer must know. All of them are copied whatever the length. With a packet of 128 bytes there are 126.
Task<> send_short(Side& side, Peer& to, const MessageObject& object, std::uint32_t size);
/// The message that lies at the read position of a peer's ring.
Task<Received> take_short(Side& side, Peer& from, const MessageObject& into);

}  // namespace ringmesh::workloads::deck
