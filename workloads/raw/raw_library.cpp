// SPDX-License-Identifier: Apache-2.0
#include "workloads/raw/raw_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tlm/sci/packet.h"
#include "tlm/sci/sci_machine.h"

namespace ringmesh::workloads {
namespace {

/// A rank that has a buffer exports a receive area; areas of others are mapped when the program first needs them.
class RawRank final : public Rank {
public:
    RawRank(PcProcessor& processor, const RawOptions& options)
        : processor_(processor), layout_{.aligned = options.aligned, .stores = options.stores}
    {}

    Processor& processor() const override { return processor_; }
    using Rank::create_buffer;
    BufferId create_buffer(std::uint32_t size, std::uint32_t /*largest_part*/) override
    {
        layout_.largest = std::max(layout_.largest, size);
        offsets_.push_back(bytes_);
        bytes_ += area_bytes(size);
        return static_cast<BufferId>(offsets_.size() - 1);
    }
    void export_memory() override
    {
        if (offsets_.empty()) return;
        area_ = export_receive_area(processor_, layout_.largest);
        memory_ = processor_.segments().allocate(bytes_);
    }
    std::uint64_t address(BufferId buffer) const override { return memory_ + offsets_.at(buffer); }

    using Rank::receive;
    using Rank::send;
    Task<> send(unsigned to, Part bytes, Tag /*tag*/) override
    {
        Endpoint& endpoint = endpoint_of(to);
        const auto outgoing = endpoint.outgoing(bytes.size);
        processor_.peek(address(bytes.buffer) + bytes.offset, outgoing);
        co_await endpoint.send_outgoing(bytes.size);
    }
    Task<Received> receive(unsigned from, Part room, Tag /*tag*/) override
    {
        const Message message = expected_.at(from);
        co_await endpoint_of(from).receive(message);
        processor_.poke(address(room.buffer) + room.offset, endpoint_of(from).incoming(message.size));
        co_return Received{from, message.size};
    }
    void expect(unsigned from, const Message& message) override
    {
        expected_[from] = message;
        last_ = from;
        endpoint_of(from).expect(message);
    }

    MessagingStatistics statistics() const override
    {
        MessagingStatistics statistics;
        for (const auto& [peer, endpoint] : endpoints_) statistics.overtaken += endpoint.overtaken();
        return statistics;
    }
    std::string problem() const override
    {
        const auto found = endpoints_.find(last_);
        return found == endpoints_.end() ? "" : found->second.problem(expected_.at(last_));
    }

private:
    Endpoint& endpoint_of(unsigned peer)
    {
        const auto found = endpoints_.find(peer);
        if (found != endpoints_.end()) return found->second;
        return endpoints_.try_emplace(peer, processor_, area_, peer, layout_).first->second;
    }

    PcProcessor& processor_;
    Endpoint::Layout layout_;
    std::vector<std::uint64_t> offsets_;
    std::uint64_t bytes_ = 0;
    std::uint64_t area_ = 0;
    std::uint64_t memory_ = 0;
    std::map<unsigned, Endpoint> endpoints_;
    std::map<unsigned, Message> expected_;
    unsigned last_ = kAnyRank;  // from which a message is expected
};

}  // namespace

void RawOptions::visit(ParameterVisitor& visitor)
{
    visitor.field({"aligned", "messages end on a 64-byte boundary, so that the bridge flushes", seed("000 app.A")},
                  aligned);
    visitor.choice({"stores", "how the processor writes messages", seed("000 5.1")}, stores, kStoresNames);
}

std::vector<std::unique_ptr<Rank>> RawLibrary::make_ranks(Machine& machine, unsigned ranks)
{
    auto& sci = machine_as<SciMachine>(machine);
    std::vector<std::unique_ptr<Rank>> all;
    for (unsigned rank = 0; rank < ranks; ++rank) {
        PcProcessor& processor = sci.processor(rank);
        largest_transaction_ = processor.largest_transaction();
        all.push_back(std::make_unique<RawRank>(processor, options_));
    }
    return all;
}

std::vector<std::string> RawLibrary::notes(const MessagingStatistics& sum) const
{
    std::vector<std::string> notes;
    notes.push_back(fmt::format(
        "a block of {} bytes that a message fills leaves as one packet, {} as packets of up to 16 bytes, one "
        "after the other",
        largest_transaction_,
        largest_transaction_ > sci::kBlockBytes ? "another as one for each half that it fills, and what is left"
                                                : "one that it touches"));
    if (sum.overtaken > 0) {
        notes.push_back(
            fmt::format("in {} messages the last word came before other bytes, and the receiver waited "
                        "for these; the original looks at the last word alone",
                        sum.overtaken));
    }
    return notes;
}

}  // namespace ringmesh::workloads
