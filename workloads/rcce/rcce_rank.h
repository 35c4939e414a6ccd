// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "workloads/rank.h"
#include "workloads/rcce/ircce.h"
#include "workloads/rcce/rcce.h"

namespace ringmesh::workloads::rcce {

/// A core's RCCE as a rank. Buffers are whole pages of private memory, at their places from the start.
class RcceRank final : public Rank {
public:
    RcceRank(SccMachine& machine, unsigned core, unsigned cores, const LibraryOptions& options, bool with_ircce);

    Rcce& rcce() { return rcce_; }
    const Rcce& rcce() const { return rcce_; }
    /// Null in RCCE alone.
    Ircce* ircce() { return ircce_.get(); }

    Processor& processor() const override { return processor_; }
    using Rank::create_buffer;
    BufferId create_buffer(std::uint32_t size, std::uint32_t largest_part) override;
    std::uint64_t address(BufferId buffer) const override { return buffers_.at(buffer).address; }
    Task<> begin() override { return rcce_.init(); }
    Task<> end() override { return rcce_.finalize(); }

    using Rank::receive;
    using Rank::send;
    Task<> send(unsigned to, Part bytes, Tag tag) override;
    Task<Received> receive(unsigned from, Part room, Tag tag) override;
    /// All cores of the program are RCCE_COMM_WORLD, others a communicator of their own.
    Group create_group(unsigned members) override;
    Task<> barrier(Group group) override { return rcce_.barrier(communicators_.at(group)); }

private:
    struct Buffer {
        std::uint32_t size = 0;
        std::uint64_t address = 0;
    };
    SccProcessor& processor_;
    Rcce rcce_;
    std::unique_ptr<Ircce> ircce_;
    std::vector<Buffer> buffers_;
    std::vector<Communicator> communicators_;
};

}  // namespace ringmesh::workloads::rcce
