// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "workloads/programs/rank_program.h"

namespace ringmesh::workloads {

/// One message from one rank to another on an idle machine, over any library; the receiver waits for it from the
/// start. On a machine with caches an exchange of the same size goes before it, as in the ping-pong, so that caches
/// hold programs and bytes.
class SingleMessage final : public RankProgram {
public:
    /// @param size bytes, kSmallestMessage to kLargestMessage
    SingleMessage(std::unique_ptr<Library> library, std::int64_t from, std::int64_t to, std::uint32_t size);

    Results results() const override { return {}; }
    /// When the sender's program began to send, and when the receiver's program had the message. @pre the run is over
    Duration begun() const { return begun_; }
    Duration received() const { return received_; }
    /// @pre started
    const RankPair& pair() const { return pair_; }
    /// The last word arrived before other bytes: packets have overtaken each other.
    bool overtaken() const { return rank(pair_.to).statistics().overtaken > 0; }

private:
    void visit_options(ParameterVisitor&) override {}
    void prepare() override;
    Started program(unsigned number) override;
    std::string doing(unsigned number) const override;

    Task<> send();
    Task<> receive();
    /// The messages in their order: an exchange to warm up, then the one.
    Task<> send_one(unsigned from, unsigned to, Message message);
    Task<> receive_one(unsigned at, unsigned from, Message message);
    Message message(std::uint64_t number) const { return {.size = size_, .sequence = number}; }

    std::int64_t from_, to_;
    std::uint32_t size_;
    RankPair pair_{};
    bool warms_up_ = false;
    std::vector<BufferId> buffers_;  // of each rank
    Duration begun_;
    Duration received_;
};

}  // namespace ringmesh::workloads
