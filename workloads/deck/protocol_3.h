// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/deck/control.h"
#include "workloads/deck/message_object.h"
#include "workloads/deck/side.h"

namespace ringmesh::workloads::deck {

/// Protocol 3, zero-copy [002 III.C]: the message goes directly to the buffer of the receiver's message object.
///
///     sender                                    receiver
///     store a control packet: request --------> polls all control locations
///     polls for the answer <------------------- the address of its message object
///     store data to that address
///     barrier: packets may overtake
///     store a control packet: end ------------> polls for it, returns
///     checks its local copy <---------------- writes its read position back
///
/// The answer also acknowledges the request: it makes room for the end. Data is padded to a multiple of 64 bytes; the
/// object's buffer has room for that.
Task<> send_zero_copy(Side& side, Peer& to, const MessageObject& object, std::uint32_t size);

/// A transfer whose request has been answered, until its end.
struct IncomingTransfer {
    Peer* from = nullptr;  ///< null: no transfer
    std::uint32_t size = 0;

    /// Where the end will arrive.
    PollRequest end(const PcProcessor& receiver) const
    {
        return from->in.control_ring.awaited(receiver, from->in.messages);
    }
};

/// Answers a request for so many bytes. From then on the sender does not depend on the receiver.
/// @throws UserError if the object is smaller or its buffer is not in shared memory
Task<> answer_request(Side& side, Peer& from, const MessageObject& into, std::uint32_t size);
/// The end has arrived. @throws ModelError if another block has
Task<Received> end_zero_copy(Side& side, IncomingTransfer transfer);

}  // namespace ringmesh::workloads::deck
