// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/rcce/rcce.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tlm/error.h"

namespace ringmesh::workloads::rcce {
namespace {

constexpr std::uint8_t kUnset = 0;
constexpr std::uint8_t kSet = 1;
constexpr std::uint32_t kLine = SccProcessor::kLine;
constexpr std::uint32_t kRcceWord = 4;
constexpr std::array<std::byte, kLine> kZeroes{};
constexpr std::array<std::byte, kRcceWord> kRcceDummy{std::byte{1}};

}  // namespace

Rcce::Rcce(SccMachine& machine, unsigned core, const Placement& cores, const LibraryOptions& options)
    : processor_(machine.processor(cores.node(core))),
      core_(core),
      cores_(cores.ranks()),
      options_(options),
      layout_(options.version, cores_),
      padded_line_(processor_.allocate(3 * kLine)),
      flag_line_(padded_line_ + 2 * kLine)
{
    world_ = comm_split(cores_);
    machine.simulation().add(*this);
}

Task<> Rcce::init() { co_await processor_.compute({processor_.cycles(options_.call), "library call"}); }

Task<> Rcce::finalize()
{
    if (requests_ != nullptr && requests_->sending()) {
        throw UserError(fmt::format("core {}: finalize with an isend under way; wait for it before", core_));
    }
    co_await barrier(world_);
    for (std::uint32_t line = 1; line <= layout_.flag_lines(); ++line) {
        const StoreRequest clear{.address = message_buffer(core_, line * kLine), .data = kZeroes.data(), .size = kLine};
        co_await processor_.store(clear);
    }
    co_await release_lock(core_);
}

Communicator Rcce::comm_split(unsigned first)
{
    if (first == 0 || first > cores_) {
        throw UserError(
            fmt::format("core {}: comm_split: {} cores run the program, so a communicator has 1 to {} of "
                        "them, not {}",
                        core_, cores_, cores_, first));
    }
    const Flag gather = add_flag("comm_split");
    const Flag release = add_flag("comm_split");
    return {first, gather, release};
}

Communicator Rcce::comm_alloc()
{
    const Flag gather = add_flag("comm_split");
    return {.size = 0, .gather = gather, .release = add_flag("comm_split")};
}

bool Communicator::has(unsigned core) const
{
    if (members == nullptr) return core < size;
    return std::find(members, members + size, core) != members + size;
}

Flag Rcce::flag_alloc() { return add_flag("flag_alloc"); }

Flag Rcce::add_flag(std::string_view call)
{
    if (layout_.is_full()) require_no_message(call);
    return layout_.add_flag();
}

std::uint32_t Rcce::malloc(std::uint32_t size)
{
    require_no_message("malloc");
    return layout_.take(size);
}

void Rcce::require_no_message(std::string_view call) const
{
    if (!communicated_) return;
    throw UserError(
        fmt::format("core {}: {} after a message: it takes a line of the payload, where other cores may have messages "
                    "yet; make all such calls first",
                    core_, call));
}

Task<> Rcce::send(std::uint64_t buffer, std::uint32_t size, unsigned to, Way way)
{
    require_peer("send", to);
    if (requests_ != nullptr && requests_->sending()) {
        throw UserError(fmt::format(
            "core {}: send to core {} with an isend under way, whose bytes it would overwrite; wait for that before",
            core_, to));
    }
    co_await processor_.compute({processor_.cycles(options_.call), "library call"});
    Transfer transfer{.buffer = buffer, .size = size, .peer = to, .way = way};
    while (!transfer.finished()) {
        co_await offer(transfer, options_.copying());
        co_await wait_until(way.ready, kSet, Waits::kToSend, transfer);
        co_await conclude(transfer);
    }
}

Task<> Rcce::recv(std::uint64_t buffer, std::uint32_t size, unsigned from, Way way)
{
    require_peer("recv", from);
    if (requests_ != nullptr && requests_->receiving_from(from)) {
        throw UserError(
            fmt::format("core {}: recv from core {} with an irecv from it under way, whose bytes it would take; wait "
                        "for that before",
                        core_, from));
    }
    co_await processor_.compute({processor_.cycles(options_.call), "library call"});
    co_await recv_rest({.buffer = buffer, .size = size, .peer = from, .way = way});
}

Task<bool> Rcce::recv_test(std::uint64_t buffer, std::uint32_t size, unsigned from, Way way)
{
    require_peer("recv_test", from);
    const std::uint8_t sent = co_await flag_read(way.sent, core_);
    if (sent != kSet) co_return false;
    co_await processor_.compute({processor_.cycles(options_.call), "library call"});
    Transfer transfer{.buffer = buffer, .size = size, .peer = from, .way = way};
    co_await take(transfer, options_.copying());
    co_await recv_rest(transfer);
    co_return true;
}

Task<> Rcce::recv_rest(Transfer transfer)
{
    while (!transfer.finished()) {
        co_await wait_until(transfer.way.sent, kSet, Waits::kToReceive, transfer);
        co_await take(transfer, options_.copying());
    }
}

void Rcce::note_use(const Transfer& transfer)
{
    communicated_ = communicated_ || transfer.way.offset == layout_.payload_offset();
}

Task<> Rcce::offer(Transfer& transfer, Copying copying)
{
    note_use(transfer);
    offered_ = transfer.size;
    const std::uint32_t size = transfer.next();
    std::uint64_t from = transfer.buffer + transfer.done;
    if (size < kLine) {
        const CopyRequest pad{.to = padded_line_, .from = from, .size = size, .width = copying.width};
        co_await processor_.copy(pad);
        from = padded_line_;
    }
    const std::uint32_t whole = std::max(size, kLine);
    co_await put(message_buffer(core_, transfer.way.offset), from, whole, copying.put(whole), copying.width);
    co_await flag_write(transfer.way.sent, kSet, transfer.peer);
}

Task<> Rcce::conclude(Transfer& transfer)
{
    co_await flag_write(transfer.way.ready, kUnset, core_);
    const std::uint32_t size = transfer.next();
    transfer.done += size;
    ++handshakes_;
    sent_bytes_ += size;
    if (transfer.finished()) ++sent_;
}

Task<> Rcce::take(Transfer& transfer, Copying copying)
{
    note_use(transfer);
    co_await flag_write(transfer.way.sent, kUnset, core_);
    const std::uint32_t size = transfer.next();
    const std::uint64_t to = transfer.buffer + transfer.done;
    if (size >= kLine) {
        co_await get(to, message_buffer(transfer.peer, transfer.way.offset), size, copying.get(), copying.width);
    } else {
        co_await get(padded_line_, message_buffer(transfer.peer, transfer.way.offset), kLine, copying.get(),
                     copying.width);
        // RCCE 1.1 takes its loop of gets, of which a part of a line sees but the end: single bytes
        const bool by_get = copying.copies == Copies::kPrefetching;
        const CopyRequest unpad{.kind = by_get ? copying.get() : CopyKind::kPlain,
                                .to = to,
                                .from = padded_line_,
                                .size = size,
                                .width = by_get ? 1 : copying.width};
        co_await processor_.copy(unpad);
    }
    co_await flag_write(transfer.way.ready, kSet, transfer.peer);
    transfer.done += size;
    received_bytes_ += size;
    if (transfer.finished()) ++received_;
}

Task<> Rcce::bcast(std::uint64_t buffer, std::uint32_t size, unsigned root, Communicator group)
{
    require_member("bcast", group);
    if (root >= group.size) {
        throw UserError(fmt::format("core {}: bcast: the root, core {}, is not among the {} cores of the communicator",
                                    core_, root, group.size));
    }
    if (core_ != group.core(root)) {
        co_await recv(buffer, size, group.core(root));
        co_return;
    }
    for (unsigned rank = 0; rank < group.size; ++rank) {
        if (rank != root) co_await send(buffer, size, group.core(rank));
    }
}

Task<> Rcce::barrier(Communicator group)
{
    require_member("barrier", group);
    ++barriers_;
    co_await processor_.compute({processor_.cycles(options_.call), "library call"});
    // Flags alternate between barriers, so that they need not be cleared
    const std::uint8_t before = co_await flag_read(group.gather, core_);
    const std::uint8_t phase = before == kUnset ? kSet : kUnset;
    co_await flag_write(group.gather, phase, core_);
    if (core_ != group.core(0)) {
        co_await wait_until(group.release, phase, Waits::kForRelease, {.peer = group.core(0)});
        co_return;
    }
    co_await gather(group, phase);
    for (unsigned rank = 1; rank < group.size; ++rank) co_await flag_write(group.release, phase, group.core(rank));
}

/// The original loop sweeps over all flags until one sweep finds all set, which after the last flag is set takes zero
/// to two sweeps, one on average. Here polls follow the flags as they are set, and then one sweep.
Task<> Rcce::gather(Communicator group, std::uint8_t phase)
{
    places_.clear();
    for (unsigned rank = 1; rank < group.size; ++rank) {
        const std::uint8_t value = co_await flag_read(group.gather, group.core(rank));
        if (value != phase) places_.push_back(poll_for(group.gather, phase, group.core(rank)));
    }
    if (places_.empty()) co_return;
    waits_ = Waits::kToGather;
    const Duration begin = processor_.time();
    while (!places_.empty()) {
        const PollAnyRequest any{places_.data(), static_cast<std::uint32_t>(places_.size())};
        const std::uint32_t found = co_await processor_.poll_any(any);
        places_.erase(places_.begin() + found);
    }
    waits_ = Waits::kNot;
    waited_.add(processor_.time() - begin);
    for (unsigned rank = 1; rank < group.size; ++rank) co_await flag_read(group.gather, group.core(rank));
}

Task<> Rcce::acquire_lock(unsigned core)
{
    const PollRequest until_taken{.address = processor_.test_and_set(processor_.node_of(core)), .size = 4, .value = 1};
    co_await processor_.poll(until_taken);
}

Task<> Rcce::release_lock(unsigned core)
{
    const StoreRequest release{
        .address = processor_.test_and_set(processor_.node_of(core)), .data = kZeroes.data(), .size = 4};
    co_await processor_.store(release);
}

std::uint64_t Rcce::payload(unsigned core, std::uint32_t offset) const
{
    return message_buffer(core, layout_.payload_offset() + offset);
}

Task<> Rcce::put(std::uint64_t to, std::uint64_t from, std::uint32_t size, CopyKind kind, std::uint32_t width)
{
    co_await processor_.compute({processor_.cycles(options_.step), "library put or get"});
    co_await processor_.invalidate_message_buffers();
    const CopyRequest copy{.kind = kind, .to = to, .from = from, .size = size, .width = width};
    co_await processor_.copy(copy);
}

Task<> Rcce::get(std::uint64_t to, std::uint64_t from, std::uint32_t size, CopyKind kind, std::uint32_t width)
{
    co_await put(to, from, size, kind, width);
    if (kind != CopyKind::kPrefetchDestination || size % kLine != 0) co_return;
    // The loop's end begins with the same read as its lines do, although nothing is left to copy
    std::array<std::byte, kRcceWord> unused{};
    const LoadRequest one_more{.address = to + size, .data = unused.data(), .size = kRcceWord, .width = kRcceWord};
    co_await processor_.load(one_more);
}

Task<> Rcce::flag_write(Flag flag, std::uint8_t value, unsigned at)
{
    const std::byte byte{value};
    const std::uint64_t there = message_buffer(at, layout_.offset(flag));
    if (options_.version == Version::k1_0_13) {
        // A put of a whole line, which therefore leaves by itself
        const StoreRequest prepare{.address = flag_line_, .data = &byte, .size = 1, .width = 1};
        co_await processor_.store(prepare);
        co_await put(there, flag_line_, kLine, CopyKind::kPlain, kRcceWord);
        co_return;
    }
    co_await processor_.compute({processor_.cycles(options_.step), "library flag write"});
    co_await processor_.invalidate_message_buffers();
    const StoreRequest write{.address = there, .data = &byte, .size = 1, .width = 1};
    co_await processor_.store(write);
    const StoreRequest flush{
        .address = message_buffer(core_), .data = kRcceDummy.data(), .size = kRcceWord, .width = kRcceWord};
    co_await processor_.store(flush);
}

Task<std::uint8_t> Rcce::flag_read(Flag flag, unsigned at)
{
    std::array<std::byte, kLine> value{};
    const bool whole = options_.version == Version::k1_0_13;
    co_await processor_.compute({processor_.cycles(options_.step), "library flag read"});
    co_await processor_.invalidate_message_buffers();
    const LoadRequest read{.address = message_buffer(at, layout_.offset(flag)),
                           .data = value.data(),
                           .size = whole ? kLine : 1,
                           .width = whole ? kRcceWord : 1};
    co_await processor_.load(read);
    co_return std::to_integer<std::uint8_t>(value[0]);
}

PollRequest Rcce::poll_for(Flag flag, std::uint8_t value, unsigned at) const
{
    return {.address = message_buffer(at, layout_.offset(flag)), .size = 1, .value = value};
}

Task<> Rcce::wait_until(Flag flag, std::uint8_t value)
{
    co_await processor_.compute({processor_.cycles(options_.step), "library wait"});
    const PollRequest poll = poll_for(flag, value, core_);
    co_await processor_.poll(poll);
}

Task<> Rcce::wait_until(Flag flag, std::uint8_t value, Waits waits, const Transfer& transfer)
{
    waits_ = waits;
    waiting_ = transfer;
    const Duration begin = processor_.time();
    co_await wait_until(flag, value);
    waited_.add(processor_.time() - begin);
    waits_ = Waits::kNot;
}

void Rcce::require_peer(std::string_view call, unsigned peer) const
{
    if (peer >= cores_) {
        throw UserError(fmt::format("core {}: {}: there is no core {}; cores 0 to {} run the program", core_, call,
                                    peer, cores_ - 1));
    }
    if (peer == core_) {
        throw UserError(fmt::format("core {}: {}: it is the core itself; RCCE passes no messages from a core to itself",
                                    core_, call));
    }
}

void Rcce::require_member(std::string_view call, const Communicator& group) const
{
    if (group.has(core_) && group.size <= cores_) return;
    throw UserError(fmt::format("core {}: {}: the communicator has {} cores, from 0 on, and this is none of them",
                                core_, call, group.size));
}

std::string Rcce::component_name() const { return fmt::format("core{}.rcce", processor_.node()); }

void Rcce::statistics(StatisticsVisitor& visitor) const
{
    visitor.counter("sent", sent_, "messages", "messages that the core sent");
    visitor.counter("sent_bytes", sent_bytes_, "bytes", "bytes of them");
    visitor.counter("handshakes", handshakes_, "", "pieces of them, each with a handshake");
    visitor.counter("received", received_, "messages", "messages that the core received");
    visitor.counter("received_bytes", received_bytes_, "bytes", "bytes of them");
    visitor.counter("barriers", barriers_, "", "barriers that the core came to");
    visitor.time("waited", waited_, "time in which blocking calls waited for flags");
}

std::string Rcce::pending() const
{
    const Transfer& transfer = waiting_;
    switch (waits_) {
        case Waits::kNot: return {};
        case Waits::kToSend:
            return fmt::format("send of {} bytes to core {} waits for core {}'s ready flag; {} bytes are there",
                               transfer.size, transfer.peer, transfer.peer, transfer.done);
        case Waits::kToReceive:
            return fmt::format("recv of {} bytes from core {} waits for core {}'s sent flag; {} bytes are here",
                               transfer.size, transfer.peer, transfer.peer, transfer.done);
        case Waits::kToGather: {
            const auto address = places_.front().address - processor_.message_buffer(0);
            return fmt::format("barrier waits for {} cores, the first of them on core {}", places_.size(),
                               address / SccProcessor::kMessageBuffer);
        }
        case Waits::kForRelease: return fmt::format("barrier waits for core {}'s release flag", transfer.peer);
    }
    return {};
}

}  // namespace ringmesh::workloads::rcce
