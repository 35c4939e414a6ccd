// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/raw/raw_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>

#include "tlm/pc/pc_machine.h"
#include "tlm/sci/packet.h"
#include "workloads/libraries/messaging/local_copy.h"
#include "workloads/ranks/stores.h"

namespace ringmesh::workloads {
namespace {

constexpr SegmentId kReceiveSegment = 0;
constexpr SegmentId kWindow = 1;

/// A rank that has a buffer exports a receive area; areas of others are mapped when the program first needs them.
class RawRank final : public Rank, private OneSided {
public:
    RawRank(PcProcessor& processor, const RawOptions& options)
        : processor_(processor),
          aligned_(options.aligned),
          stores_(options.stores),
          window_bytes_(static_cast<std::uint32_t>(options.window)),
          copy_(processor)
    {}

    Processor& processor() const override { return processor_; }
    using Rank::create_buffer;
    BufferId create_buffer(std::uint32_t size, std::uint32_t /*largest_part*/) override
    {
        largest_ = std::max(largest_, size);
        offsets_.push_back(bytes_);
        bytes_ += area_bytes(size);
        return static_cast<BufferId>(offsets_.size() - 1);
    }
    void export_memory() override
    {
        if (flags_ > 0) {
            window_ = processor_.segments().create_segment(kWindow, flags_at(flags_) + window_bytes_);
            processor_.segments().export_segment(kWindow);
        }
        if (offsets_.empty()) return;
        area_ = processor_.segments().create_segment(kReceiveSegment, area_bytes(largest_));
        processor_.segments().export_segment(kReceiveSegment);
        memory_ = processor_.segments().allocate(bytes_);
    }
    std::uint64_t address(BufferId buffer) const override { return memory_ + offsets_.at(buffer); }

    using Rank::receive;
    using Rank::send;
    /// One call into the library, then the stores.
    Task<> send(unsigned to, Part bytes, Tag /*tag*/) override
    {
        const std::uint64_t there = peer(to).area + message_offset(bytes.size, aligned_);
        in_flight_.resize(bytes.size);
        processor_.peek(address(bytes.buffer) + bytes.offset, in_flight_);
        co_await processor_.library_call();
        co_await store_in_a_row(processor_, stores_, there, in_flight_);
    }
    /// Polls the last word until the message has arrived, checks every byte of it, then leaves the library. Packets may
    /// overtake each other: it waits for bytes that arrive after the word. (The original does not check them.)
    Task<Received> receive(unsigned from, Part room, Tag /*tag*/) override
    {
        const Message message = peers_.at(from).expected;
        const std::uint64_t here = place(message);
        const std::uint32_t word = polled_bytes(message.size);
        const PollRequest last{.address = here + message.size - word, .size = word, .value = polled_value(message)};
        co_await processor_.poll(last);
        auto late = wrong_byte(message);
        if (late) ++overtaken_;
        while (late) {
            const PollRequest rest{
                .address = here + late->index, .size = 1, .value = std::to_integer<std::uint64_t>(late->expected)};
            co_await processor_.poll(rest);
            late = wrong_byte(message);
        }
        co_await processor_.library_call();
        processor_.poke(address(room.buffer) + room.offset, received_);
        co_return Received{from, message.size};
    }
    /// The polled word may hold bytes of messages of other sizes: clears it. The peer sends only afterwards.
    void expect(unsigned from, const Message& message) override
    {
        peer(from).expected = message;
        last_ = from;
        const std::array<std::byte, 8> zeros{};
        const std::uint32_t word = polled_bytes(message.size);
        processor_.poke(place(message) + message.size - word, std::span(zeros).first(word));
    }
    OneSided* one_sided() override { return this; }

    MessagingStatistics statistics() const override
    {
        MessagingStatistics statistics;
        statistics.overtaken = overtaken_;
        return statistics;
    }
    std::string problem() const override
    {
        const auto found = peers_.find(last_);
        if (found == peers_.end()) return {};
        const auto wrong = wrong_byte(found->second.expected);
        if (!wrong) return {};
        return fmt::format("; there, byte {} of its receive area is {:#04x} instead of {:#04x}", wrong->index,
                           std::to_integer<unsigned>(wrong->found), std::to_integer<unsigned>(wrong->expected));
    }

private:
    Flag create_flag() override { return flags_++; }
    std::uint32_t window() const override { return window_bytes_; }
    Task<> put(Part from, unsigned rank, std::uint32_t offset) override
    {
        in_flight_.resize(from.size);
        processor_.peek(address(from.buffer) + from.offset, in_flight_);
        const std::uint64_t to = window_of(rank) + flags_at(flags_) + offset;
        return store_in_a_row(processor_, stores_, to, in_flight_);
    }
    Task<> get(Part to, unsigned rank, std::uint32_t offset) override
    {
        co_await processor_.barrier();
        const std::uint64_t from = window_of(rank) + flags_at(flags_) + offset;
        co_await copy_.run(from, address(to.buffer) + to.offset, to.size);
    }
    Task<> fetch(unsigned rank, std::uint32_t offset, std::uint32_t size) override
    {
        co_await processor_.barrier();
        const std::uint64_t from = window_of(rank) + flags_at(flags_) + offset;
        co_await copy_.run(from, window_ + flags_at(flags_) + offset, size);
    }
    Task<> set_flag(Flag flag, std::uint8_t value, unsigned at) override
    {
        const std::byte byte{value};
        co_await processor_.barrier();
        const StoreRequest store{
            .kind = StoreKind::kSingle, .address = window_of(at) + flags_at(flag + 1) - 1, .data = &byte, .size = 1};
        co_await processor_.store(store);
    }
    Task<> wait_flag(Flag flag, std::uint8_t value) override
    {
        const PollRequest poll{.address = window_ + flags_at(flag + 1) - 1, .size = 1, .value = value};
        co_await processor_.poll(poll);
    }
    /// Each flag ends a block that the card gathers.
    std::uint64_t flags_at(Flag flag) const { return std::uint64_t{flag} * processor_.gathered_block(); }
    std::uint64_t window_of(unsigned rank)
    {
        if (rank == processor_.rank()) return window_;
        const auto [found, is_new] = windows_.try_emplace(rank);
        if (is_new) found->second = processor_.segments().import_and_map(processor_.node_of(rank), kWindow);
        return found->second;
    }

    struct Peer {
        std::uint64_t area = 0;  // its receive area, as mapped
        Message expected;
    };
    Peer& peer(unsigned rank)
    {
        const auto [found, is_new] = peers_.try_emplace(rank);
        if (is_new)
            found->second.area = processor_.segments().import_and_map(processor_.node_of(rank), kReceiveSegment);
        return found->second;
    }
    /// Of a message in the receive area.
    std::uint64_t place(const Message& message) const { return area_ + message_offset(message.size, aligned_); }
    /// The bytes are then in received_.
    std::optional<WrongByte> wrong_byte(const Message& message) const
    {
        received_.resize(message.size);
        processor_.peek(place(message), received_);
        return first_wrong_byte(message, received_);
    }

    PcProcessor& processor_;
    bool aligned_;
    Stores stores_;
    std::uint32_t largest_ = 0;  // message
    std::vector<std::uint64_t> offsets_;
    std::uint64_t bytes_ = 0;
    std::uint64_t area_ = 0;
    std::uint64_t memory_ = 0;
    std::map<unsigned, Peer> peers_;
    unsigned last_ = kAnyRank;  // from which a message is expected
    std::uint64_t overtaken_ = 0;
    std::uint32_t window_bytes_;
    Flag flags_ = 0;
    std::uint64_t window_ = 0;                   // the own one, behind its flags
    std::map<unsigned, std::uint64_t> windows_;  // as mapped
    LocalCopy copy_;
    std::vector<std::byte> in_flight_;
    mutable std::vector<std::byte> received_;
};

}  // namespace

void RawOptions::visit(ParameterVisitor& visitor)
{
    visitor.field({"aligned", "messages end on a 64-byte boundary, so that the bridge flushes", seed("000 app.A")},
                  aligned);
    visitor.choice({"stores", "how the processor writes messages", seed("000 5.1")}, stores, kStoresNames);
    visitor.field(
        {"window", "bytes of each rank's memory to put to and to get from",
         assumed().between("4096", "524288", "a page of the processor; one of the card's translation tables")},
        window, {1, 16 * 1024 * 1024});
}

std::vector<std::unique_ptr<Rank>> RawLibrary::make_ranks(Machine& machine, const Placement& ranks)
{
    auto& pcs = machine_as<PcMachine>(machine);
    std::vector<std::unique_ptr<Rank>> all;
    for (unsigned rank = 0; rank < ranks.ranks(); ++rank) {
        PcProcessor& processor = pcs.processor(ranks.node(rank));
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
