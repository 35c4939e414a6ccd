// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "workloads/libraries/rcce/ircce.h"
#include "workloads/libraries/rcce/rcce.h"
#include "workloads/libraries/rcce/rcce_labelled.h"
#include "workloads/ranks/rank.h"

namespace ringmesh::workloads::rcce {

/// A core's RCCE as a rank. Buffers are whole pages of private memory, at their places from the start. Windows are the
/// payloads of the message-passing buffers; with iRCCE they are copied as it copies.
class RcceRank final : public Rank, private workloads::Requests, private OneSided {
public:
    RcceRank(SccMachine& machine, unsigned core, const Placement& cores, const LibraryOptions& options,
             bool with_ircce);

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
    Task<> broadcast(Part bytes, unsigned root, Group group) override;
    workloads::Requests* requests() override { return ircce_ == nullptr ? nullptr : this; }
    OneSided* one_sided() override { return this; }
    LabelledMessages* labelled() override
    {
        if (!labelled_) labelled_ = std::make_unique<RcceLabelled>(rcce_);
        return labelled_.get();
    }
    /// Of a large buffer the end alone, four times what the caches of a core hold.
    Task<> touch(Part bytes, bool stores) override;

private:
    Task<> isend(unsigned to, Part bytes, std::uint32_t request) override;
    Task<> irecv(unsigned from, Part room, std::uint32_t request) override;
    Task<> wait_received(std::uint32_t request) override { return ircce_->irecv_wait(receives_.at(request)); }
    Task<> wait_all() override { return ircce_->wait_all(under_way_); }

    OneSided::Flag create_flag() override { return rcce_.flag_alloc(); }
    std::uint32_t window() const override { return rcce_.layout().payload(); }
    Task<> begin_message() override;
    Task<> put(Part from, unsigned rank, std::uint32_t offset) override;
    Task<> get(Part to, unsigned rank, std::uint32_t offset) override;
    Task<> fetch(unsigned rank, std::uint32_t offset, std::uint32_t size) override;
    Task<> set_flag(OneSided::Flag flag, std::uint8_t value, unsigned at) override
    {
        return rcce_.flag_write(flag, value, at);
    }
    Task<> wait_flag(OneSided::Flag flag, std::uint8_t value) override { return rcce_.wait_until(flag, value); }

    std::uint64_t place(Part bytes) const { return address(bytes.buffer) + bytes.offset; }
    Copying copying() const { return ircce_ == nullptr ? rcce_.options().copying() : rcce_.options().ircce_copying(); }

    struct Buffer {
        std::uint32_t size = 0;
        std::uint64_t address = 0;
    };
    SccProcessor& processor_;
    Rcce rcce_;
    std::unique_ptr<Ircce> ircce_;
    std::unique_ptr<RcceLabelled> labelled_;
    std::vector<Buffer> buffers_;
    std::vector<Communicator> communicators_;
    std::deque<SendRequest> sends_;  // by number
    std::deque<RecvRequest> receives_;
    WaitList under_way_;
};

}  // namespace ringmesh::workloads::rcce
