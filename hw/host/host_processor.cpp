// SPDX-License-Identifier: Apache-2.0
#include "hw/host/host_processor.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "tlm/error.h"
#include "tlm/simulation/log.h"
#include "tlm/statistics/activity.h"

namespace ringmesh::hw {

namespace {
/// Address of the DMA engine's status word, in memory outside all segments.
constexpr std::uint64_t kDmaStatus = 0x40;
}  // namespace

HostProcessor::HostProcessor(const sc_core::sc_module_name& module_name, Simulation& simulation, const Config& config,
                             Memory& memory, HostBridge& bridge, HostSegmentDriver& segments,
                             const std::vector<PciCard*>& cards)
    : sc_module(module_name),
      simulation_(simulation),
      config_(config),
      clock_(config.host.clock),
      memory_(memory),
      bridge_(bridge),
      segments_(segments),
      cards_(cards),
      properties_(cards.front()->properties()),
      random_(simulation.random_for(name())),
      cache_(config.host.cache, config.host.cache_line),
      poll_loop_(config.host, memory),
      program_runner_(simulation, *this)
{
    number_at_bridge_ =
        bridge.connect([this](std::uint64_t packet) { bridge_has_room(packet); },
                       [this](std::span<const std::byte> bytes, Duration ready) { loaded(bytes, ready); },
                       [this](std::uint64_t address, std::size_t size, std::uint64_t packet) {
                           cache_.written(address, size);
                           memory_changed(address, size, packet);
                       });
    simulation.add(*this);
}

void HostProcessor::run(Task<> program, std::string name)
{
    program_runner_.give(std::move(program), std::move(name));
    wakeup_.at(now());
}

unsigned HostProcessor::check_transfers()
{
    if (!barrier_waits()) return 0;  // and tells nothing
    unsigned tries = 0;
    for (PciCard* card : cards_) tries = std::max(tries, card->look_at_failures());
    return tries;
}

void HostProcessor::resume_at(Duration time)
{
    state_ = State::kComputing;
    state_word_ = "computing";
    wakeup_.at(time);
}

void HostProcessor::step()
{
    wakeup_.taken(now());
    if (state_ == State::kOrderingDma) {
        const PollRequest done{.address = kDmaStatus, .size = 4, .value = dma_copy_.status};
        begin(PollAnyRequest{&done, 1});
        state_word_ = "DMA";
        return;
    }
    if (state_ == State::kPolling) {
        ++poll_misses_;
        const auto place = poll_loop_.look_again(now());
        if (!place) return;
        found_ = *place;
        cache_.use(poll_loop_.found_at());
        polling_time_.add(now() - poll_began_);
    }
    state_ = State::kComputing;
    state_word_ = "computing";
    if (!program_runner_.resume(program_)) return;
    state_ = State::kIdle;
    state_word_ = "idle";
}

void HostProcessor::begin(const ComputeRequest& request)
{
    simulation_.report(*this, request.what, 0, now(), now() + request.span);
    resume_at(now() + request.span);
}

void HostProcessor::begin(const StoreRequest& request)
{
    ++stores_;
    if (request.address < kCardWindow) {
        memory_.write(request.address, {request.data, request.size});
        bridge_.wrote(request.address, request.size, number_at_bridge_);
        access_memory(request.address, request.size, true);
        return;
    }
    segments_.check(request.address, request.size);
    begin_remote(request, State::kStoring, "storing");
}

void HostProcessor::begin_remote(const StoreRequest& request, State state, std::string_view word)
{
    store_ = request;
    stored_ = 0;
    if (request.size == 0) {
        resume_at(now());
        return;
    }
    stored_to_ = static_cast<std::uint8_t>(stored_to_ | 1U << card_at(request.address));
    issue_at_ = now();
    state_ = state;
    state_word_ = word;
    continue_store();
}

void HostProcessor::bridge_has_room(std::uint64_t packet)
{
    stall_ended_by_ = packet;
    if (state_ == State::kStoring || state_ == State::kOrderingDma) continue_store();
    if (state_ == State::kLoading && !load_outstanding_) continue_load();
}

/// Line by line.
void HostProcessor::access_memory(std::uint64_t address, std::size_t size, bool store)
{
    const auto line = static_cast<std::uint64_t>(config_.host.cache_line.count());
    const std::uint64_t behind = address + size;
    Duration hits;
    Duration misses;
    for (std::uint64_t at = address; at < behind; at = at / line * line + line) {
        const bool whole = at % line == 0 && at + line <= behind;
        if (cache_.use(at)) {
            hits += config_.host.cache_hit * clock_;
        } else {
            misses += store && whole ? config_.host.line_write : config_.host.local_access;
        }
    }
    const Duration end = (misses > 0_ns ? bridge_.access_memory(misses) : now()) + hits;
    simulation_.report(*this, "memory", 0, now(), end);
    resume_at(end);
}

std::uint64_t HostProcessor::gather_limit(StoreKind kind) const
{
    switch (kind) {
        case StoreKind::kSingle: return static_cast<std::uint64_t>(config_.host.single_gather.count());
        case StoreKind::kMemcpy: return static_cast<std::uint64_t>(config_.host.memcpy_gather.count());
        case StoreKind::kMmx: return static_cast<std::uint64_t>(config_.host.mmx_gather.count());
    }
    throw ModelError("unknown kind of store");
}

std::uint64_t HostProcessor::instruction_bytes(StoreKind kind) const { return kind == StoreKind::kMmx ? 8 : 4; }

/// A packet has its number from the processor: a store that does not continue the last one within a block that the card
/// gathers begins another packet.
std::uint64_t HostProcessor::number_of_store(std::uint64_t address, std::uint32_t size)
{
    if (address != stores_end_ || address % properties_.gathered_block == 0) number_ = ids_.next();
    stores_end_ = address + size;
    return number_;
}

/// Posts PCI transactions to the bridge, each within its gathering boundary, until the buffer is full.
void HostProcessor::continue_store()
{
    if (stored_ == store_.size) return;
    const std::uint64_t limit = gather_limit(store_.kind);
    const std::uint64_t instruction = instruction_bytes(store_.kind);
    issue_at_ = std::max(issue_at_, now());
    while (stored_ < store_.size && !bridge_.full()) {
        const std::uint64_t address = store_.address + stored_;
        const std::uint64_t to_limit = limit - address % limit;
        const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(to_limit, store_.size - stored_));
        const auto instructions = static_cast<std::int64_t>((count + instruction - 1) / instruction);
        const Duration issue = config_.host.store_issue * instructions * clock_;
        const std::uint64_t packet = number_of_store(address, count);
        simulation_.report(*this, {.what = "store",
                                   .transaction = packet,
                                   .from = issue_at_,
                                   .to = issue_at_ + issue,
                                   .other = std::exchange(stall_ended_by_, 0)});
        issue_at_ += issue;
        bridge_.post(address, {store_.data + stored_, count}, issue_at_, packet);
        stored_ += count;
    }
    if (stored_ < store_.size) {
        ++stalls_;
    } else if (state_ == State::kOrderingDma) {
        wakeup_.at(issue_at_);
    } else if (registers_left_ != 0) {
        store_.address = next_register(properties_.flush_register);
        stored_ = 0;
        continue_store();
    } else {
        resume_at(issue_at_);
    }
}

void HostProcessor::begin(const LoadRequest& request)
{
    ++loads_;
    if (request.address >= kCardWindow) {
        segments_.check(request.address, request.size);
        begin_remote(request, "loading");
        return;
    }
    memory_.read(request.address, {request.data, request.size});
    access_memory(request.address, request.size, false);
}

void HostProcessor::begin_remote(const LoadRequest& request, std::string_view word)
{
    load_ = request;
    loaded_ = 0;
    if (request.size == 0) {
        resume_at(now());
        return;
    }
    issue_at_ = now();
    state_ = State::kLoading;
    state_word_ = word;
    continue_load();
}

/// One load instruction, of at most its width and at a multiple of its size.
void HostProcessor::continue_load()
{
    load_outstanding_ = !bridge_.full();
    if (!load_outstanding_) return;
    const std::uint64_t address = load_.address + loaded_;
    std::uint64_t bytes = std::bit_floor(std::min(load_.width, load_.size - loaded_));
    while (address % bytes != 0) bytes /= 2;
    const Duration issued = std::max(issue_at_, now());
    number_ = ids_.next();
    stores_end_ = 0;
    simulation_.report(*this, "load", number_, issued, issued);
    bridge_.read(address, bytes, issued, number_, number_at_bridge_);
}

void HostProcessor::loaded(std::span<const std::byte> bytes, Duration ready)
{
    std::copy(bytes.begin(), bytes.end(), load_.data + loaded_);
    simulation_.report(*this, "load", number_, ready, ready);
    simulation_.report_arrival(*this, number_, Leg::kRequest, ready);
    loaded_ += static_cast<std::uint32_t>(bytes.size());
    issue_at_ = ready;
    load_outstanding_ = false;
    if (loaded_ < load_.size) {
        continue_load();
    } else if (registers_left_ != 0) {
        load_.address = next_register(properties_.barrier_register);
        loaded_ = 0;
        continue_load();
    } else {
        resume_at(ready);
    }
}

void HostProcessor::begin(const PollAnyRequest& request)
{
    ++polls_;
    state_ = State::kPolling;
    state_word_ = "polling";
    poll_began_ = now();
    const auto look = static_cast<std::uint64_t>(poll_loop_.look().ps());
    const auto phase = Duration::picoseconds(static_cast<std::int64_t>(random_.below(look)));
    poll_loop_.begin({request.places, request.count}, now(), phase);
    // The first load fetches the line
    if (const auto place = poll_loop_.found()) memory_changed(request.places[*place].address, 1, 0);
}

/// After a write to a polled line the loop's next load misses, and compares when the line has arrived.
void HostProcessor::memory_changed(std::uint64_t address, std::size_t size, std::uint64_t packet)
{
    const auto miss = poll_loop_.written(address, size, now());
    if (!miss) return;
    simulation_.report_wait(*this, "until the poll looks", packet, now(), miss->from);
    simulation_.report(*this, "poll miss", packet, miss->from, miss->to);
    wakeup_.at(miss->to);
}

void HostProcessor::begin(BarrierRequest)
{
    ++barriers_;
    if (config_.host.barrier == BarrierKind::kFree) {
        begin(FlushRequest{});
        return;
    }
    registers_left_ = std::exchange(stored_to_, std::uint8_t{0});
    begin_remote(LoadRequest{next_register(properties_.barrier_register), register_.data(), 4, 4}, "barrier");
}

/// Of the next card that has one left, of the first card if none has.
std::uint64_t HostProcessor::next_register(std::uint64_t offset)
{
    const auto card = registers_left_ == 0 ? 0U : static_cast<unsigned>(std::countr_zero(registers_left_));
    registers_left_ = static_cast<std::uint8_t>(registers_left_ & ~(1U << card));
    return window_of_card(card) + offset;
}

void HostProcessor::begin(FlushRequest)
{
    registers_left_ = stored_to_;
    const std::uint64_t flush = next_register(properties_.flush_register);
    const StoreRequest command{StoreKind::kSingle, flush, register_.data(), 4};
    begin_remote(command, State::kStoring, "storing");
}

void HostProcessor::begin(InterruptRequest)
{
    ++interrupts_taken_;
    if (!interrupts_.empty()) {
        resume_at(std::max(interrupts_.pop_front(), now()));
        return;
    }
    state_ = State::kWaiting;
    state_word_ = "waiting";
}

void HostProcessor::interrupted(std::uint64_t packet)
{
    const Duration handled = now() + config_.host.interrupt;
    simulation_.report(*this, "interrupt", packet, now(), handled);
    if (state_ == State::kWaiting) {
        resume_at(handled);
    } else {
        interrupts_.push_back(handled);
    }
}

void HostProcessor::attend()
{
    if (std::exchange(called_, false)) {
        resume_at(now());
        return;
    }
    state_ = State::kAttending;
    state_word_ = "waiting";
}

void HostProcessor::call()
{
    if (state_ == State::kAttending) {
        resume_at(now());
    } else {
        called_ = true;
    }
}

void HostProcessor::begin(const DmaRequest& request)
{
    if (!has_dma_engine()) throw ModelError(fmt::format("node {}: dma() without a DMA engine", config_.rank));
    segments_.check(request.to, request.size);
    const std::size_t card = card_at(request.to);
    ++dma_orders_;
    dma_copy_ = {.from = request.from,
                 .to = request.to - window_of_card(card),
                 .status_address = kDmaStatus,
                 .size = request.size,
                 .status = dma_copy_.status + 1};
    const PciCard::RegisterStore order = cards_[card]->dma_order(dma_copy_);
    const StoreRequest store{StoreKind::kMmx, window_of_card(card) + order.offset, order.bytes.data(),
                             static_cast<std::uint32_t>(order.bytes.size())};
    begin_remote(store, State::kOrderingDma, "DMA");
}

std::string HostProcessor::pending() const
{
    if (state_ == State::kPolling && poll_loop_.waiting()) {
        const auto places = poll_loop_.places();
        const std::string others = places.size() == 1 ? "" : fmt::format(" and {} other places", places.size() - 1);
        return program_runner_.pending(fmt::format("polls {} bytes at {:#x} for {}{:#x}{}", places[0].size,
                                                   places[0].address, places[0].until_other ? "anything but " : "",
                                                   places[0].value, others));
    }
    if (state_ == State::kAttending) return program_runner_.pending("waits for a call from outside");
    return program_runner_.pending(state_ == State::kWaiting ? "waits for an interrupt" : "has not finished");
}

void HostProcessor::statistics(StatisticsVisitor& visitor) const
{
    visitor.counter("stores", stores_, "requests", "stores of the program, local and remote");
    visitor.counter("stalls", stalls_, "stalls", "stores that waited for the bridge's full posted writes");
    visitor.counter("loads", loads_, "requests", "loads of the program");
    visitor.counter("barriers", barriers_, "requests", "store barriers of the program");
    visitor.counter("dma_orders", dma_orders_, "requests", "copies by the card's DMA engine");
    visitor.counter("interrupts", interrupts_taken_, "requests", "interrupts that the program waited for");
    visitor.counter("polls", polls_, "requests", "polls of the program");
    visitor.counter("poll_misses", poll_misses_, "misses",
                    "turns of a poll loop that missed because memory was written");
    visitor.time("polling", polling_time_, "time in poll loops");
    visitor.value("memory_left", static_cast<double>(segments_.memory_left()), "bytes",
                  "memory that segments and buffers leave");
}

void HostProcessor::places(PlaceVisitor& visitor) const
{
    static constexpr std::array<std::string_view, 4> kNoWork{"idle", "polling", "waiting", "barrier"};
    visitor.state("state", "processor", state_word_, kNoWork);
}

void HostProcessor::trace(sc_core::sc_trace_file* file) const
{
    trace_signal(file, state_word_, std::string(name()) + ".state",
                 {"what the processor does", "idle, computing, loading, storing, polling, waiting, barrier, DMA",
                  SignalPlace::kProgram});
}

}  // namespace ringmesh::hw
