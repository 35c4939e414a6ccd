// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tlm/sci/sci_machine.h"
#include "workloads/rank_pair.h"
#include "workloads/raw/raw_library.h"

namespace ringmesh::workloads {

/// One message from one processor to another on an idle machine; the receiver polls for it from the start. As in the
/// ping-pong, the message ends on a 64-byte boundary.
class SingleMessage {
public:
    /// Gives both processors their programs. Outlives the run.
    /// @param size bytes, kSmallestMessage to kLargestMessage. @throws UserError as the segment drivers do
    static ProgramUse uses() { return use_of(Stores::kAuto); }

    SingleMessage(SciMachine& machine, const RankPair& ranks, std::uint32_t size);

    /// After the run. @throws ModelError if the message did not arrive
    void check() const;
    /// When the sender's program began to send, and when the receiver's program had the message.
    Duration begun() const { return begun_; }
    Duration received() const { return received_; }
    /// The last word arrived before other bytes: packets have overtaken each other.
    bool overtaken() const { return to_->statistics().overtaken > 0; }

private:
    Task<> send();
    Task<> receive();

    Message message_;
    RawLibrary library_;
    std::vector<std::unique_ptr<Rank>> ranks_;
    Rank* from_;
    Rank* to_;
    Duration begun_;
    Duration received_;
};

}  // namespace ringmesh::workloads
