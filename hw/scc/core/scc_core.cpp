// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/core/scc_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "hw/scc/address_map.h"
#include "hw/scc/tile/registers/configuration_registers.h"
#include "tlm/error.h"
#include "tlm/statistics/activity.h"

namespace ringmesh::hw {

namespace {

constexpr std::uint64_t kNoLine = ~std::uint64_t{0};
constexpr std::uint64_t line(std::uint64_t address) { return address / kCacheLine * kCacheLine; }
constexpr bool uses_message_buffer(PageKind kind) { return kind == PageKind::kMessageBuffer; }

SystemAddress line_of(SystemAddress place)
{
    place.offset = place.offset / kCacheLine * kCacheLine;
    return place;
}

}  // namespace

SccCore::SccCore(const sc_core::sc_module_name& module_name, Simulation& simulation, const Config& config,
                 const LookUpTable& table, CorePort& port, ChipBytes& chip)
    : sc_module(module_name),
      simulation_(simulation),
      config_(config),
      clock_(Clock::of_period(config.cycle)),
      table_(table),
      chip_(chip),
      pages_(config.rank, config.core.memory, config.core.page_placement,
             simulation.random_for(std::string(name()) + ".pages")),
      unit_(simulation, *this, config.rank, config.place, config.cycle, config.core, table, port, chip, pages_,
            simulation.random_for(name())),
      faults_(CoreFaults::of(name(), simulation.faults())),
      program_runner_(simulation, *this)
{
    const unsigned tiles = (config.cores + 1) / 2;
    if (tiles > address_map::kMostTiles) {
        throw UserError(
            fmt::format("{} cores: their addresses have room for {}", config.cores, 2 * address_map::kMostTiles));
    }
    const auto first = address_map::first_entries(tiles);
    constexpr std::uint32_t kBuffers = 2 * kMessageBuffer;
    for (unsigned tile = 0; tile < tiles; ++tile) {
        pages_.map(address_map::message_buffer(2 * tile), address_map::entry_address(first.message_buffer + tile),
                   kBuffers, PageKind::kMessageBuffer);
        pages_.map(address_map::kRegisters + tile * address_map::kRegisterPage,
                   address_map::entry_address(first.registers + tile), address_map::kRegisterPage, PageKind::kUncached);
    }
    simulation.add(*this);
}

std::uint64_t SccCore::message_buffer(unsigned core, std::uint32_t offset) const
{
    if (core >= config_.cores) {
        throw UserError(fmt::format("core {}: there is no core {} with a message-passing buffer; the chip has {}",
                                    config_.rank, core, config_.cores));
    }
    if (offset >= kMessageBuffer) {
        throw UserError(fmt::format("core {}: offset {:#x} lies outside core {}'s message-passing buffer of {} bytes",
                                    config_.rank, offset, core, kMessageBuffer));
    }
    return address_map::message_buffer(core) + offset;
}

std::uint64_t SccCore::shared_memory(unsigned controller, std::uint32_t size, PageKind kind)
{
    const auto first = address_map::first_entries((config_.cores + 1) / 2);
    const unsigned entry = first.shared + controller;
    const bool private_there = config_.core.memory.count() > std::int64_t{first.shared} * LookUpTable::kEntryBytes;
    const std::uint32_t there = entry < first.message_buffer && !private_there ? table_.mapped(entry) : 0;
    if (size > there) {
        throw UserError(fmt::format(
            "core {}: {} bytes of shared memory are requested, and {} are behind controller {}; lower core.memory",
            config_.rank, size, there, controller));
    }
    constexpr std::uint32_t kWindow = 4 * LookUpTable::kEntryBytes;  // of each kind of page
    const std::uint32_t address =
        address_map::kShared + static_cast<std::uint32_t>(kind) * kWindow + controller * LookUpTable::kEntryBytes;
    const std::uint32_t pages = (size + PageTable::kPage - 1) / PageTable::kPage;
    pages_.map(address, address_map::entry_address(entry), pages * PageTable::kPage, kind);
    return address;
}

std::uint64_t SccCore::test_and_set(unsigned core) const
{
    if (core >= config_.cores) {
        throw UserError(fmt::format("core {}: there is no core {} with a test-and-set register; the chip has {}",
                                    config_.rank, core, config_.cores));
    }
    return address_map::kRegisters + core / 2 * address_map::kRegisterPage +
           ConfigurationRegisters::kTestAndSet[core % 2];
}

void SccCore::run(Task<> program, std::string name)
{
    program_runner_.give(std::move(program), std::move(name));
    wait_ = Wait::kStart;
    wakeup_.at(now());
}

void SccCore::wake()
{
    if (!wakeup_.taken(now()) || halts()) return;
    unit_.may_leave = true;
    continue_woken();
    unit_.may_leave = false;
}

void SccCore::leave_next()
{
    if (leave_wakeup_.taken(now()) && !halts()) unit_.leave_next();
}

bool SccCore::halts_by_fault()
{
    if (finished_ || !faults_->halts(now())) return false;
    state_word_ = "halted";
    return true;
}

void SccCore::continue_woken()
{
    switch (wait_) {
        case Wait::kNothing:
        case Wait::kCall: return;
        case Wait::kStart:
            unit_.time = now();
            resume();
            return;
        case Wait::kChange:
            if (look_due()) continue_after_wait();
            return;
        case Wait::kEnd:
            wait_ = Wait::kNothing;
            state_word_ = "idle";
            finished_ = true;
            return;
        case Wait::kUnit:
        case Wait::kTime: continue_after_wait(); return;
    }
}

void SccCore::answered(::tlm::tlm_generic_payload& transaction, Duration at)
{
    const bool over = unit_.answered(transaction, at);
    if (halts()) return;
    if (doing_ != Doing::kPoll) simulation_.accepted();
    if (unit_.next_leaves() != Duration::never()) leave_wakeup_.at(unit_.next_leaves());
    if (!over || wait_ != Wait::kUnit) return;
    // The next steps of a poll depend on when they are made, and an evicted line leaves.
    if (unit_.waits_for() == LoadStoreUnit::Wait::kTime || doing_ == Doing::kPoll || unit_.fill_evicts()) {
        if (doing_ != Doing::kPoll) state_word_ = "computing";
        await_time();
    } else {
        continue_after_wait();
    }
}

/// Continues the operation, and resumes the program when it is complete.
void SccCore::continue_after_wait()
{
    wait_ = Wait::kNothing;
    state_word_ = "computing";
    horizon_ = now() + kMostAhead;
    try {
        if (!continue_operation()) return;
    } catch (...) {
        program_runner_.fail();
        return;
    }
    resume();
}

void SccCore::resume()
{
    wait_ = Wait::kNothing;
    state_word_ = "computing";
    horizon_ = now() + kMostAhead;
    if (!program_runner_.resume(program_)) return;
    // The program ends when the kernel has caught up with the core.
    wait_ = Wait::kEnd;
    wakeup_.at(unit_.time);
}

void SccCore::start(Doing doing, std::string_view word)
{
    doing_ = doing;
    doing_word_ = word;
    done_ = 0;
    done_in_begin_ = continue_operation();
}

/// Schedules a wake-up at the core's time.
void SccCore::await_time()
{
    wakeup_.at(unit_.time);
    if (doing_ != Doing::kPoll) simulation_.works_until(unit_.time);
}

/// Continues the current operation as far as possible. @return whether it is complete; otherwise an event will wake the
/// core
bool SccCore::continue_operation()
{
    bool done = true;
    switch (doing_) {
        case Doing::kNothing: break;
        case Doing::kLoad: done = continue_load(); break;
        case Doing::kStore: done = continue_store(); break;
        case Doing::kCopy: done = continue_copy(); break;
        case Doing::kPoll: done = continue_poll(); break;
    }
    if (!done) {
        if (wait_ == Wait::kChange) {
            state_word_ = doing_word_;
            return false;
        }
        wait_ = Wait::kUnit;
        if (unit_.waits_for() == LoadStoreUnit::Wait::kTime) {
            await_time();
        } else {
            state_word_ = doing_word_;
        }
        return false;
    }
    doing_ = Doing::kNothing;
    if (unit_.time <= horizon_) return true;
    wait_ = Wait::kTime;
    wakeup_.at(unit_.time);
    simulation_.works_until(unit_.time);
    return false;
}

void SccCore::begin(const ComputeRequest& request)
{
    const Duration span = request.span;
    if (span < Duration::zero())
        throw ModelError(fmt::format("core {} is to compute for a negative time", config_.rank));
    const Duration began = unit_.time;
    unit_.time += span;
    unit_.stats.computing.add(span);
    simulation_.report(*this, request.what, 0, began, unit_.time);
    start(Doing::kNothing, "computing");
}

void SccCore::attend()
{
    doing_ = Doing::kNothing;
    if (std::exchange(called_, false)) {
        done_in_begin_ = true;
        return;
    }
    wait_ = Wait::kCall;
    state_word_ = "idle";
}

void SccCore::call()
{
    if (wait_ != Wait::kCall) {
        called_ = true;
        return;
    }
    unit_.time = std::max(unit_.time, now());
    wait_ = Wait::kTime;
    wakeup_.at(unit_.time);
}

void SccCore::begin(InvalidateRequest)
{
    const Duration began = unit_.time;
    unit_.invalidate_message_buffers();
    simulation_.report(*this, "CL1INVMB", 0, began, unit_.time);
    start(Doing::kNothing, "computing");
}

void SccCore::check_width(std::uint32_t width, std::string_view what) const
{
    if (std::has_single_bit(width) && width <= 8) return;
    throw UserError(fmt::format("core {}: a {} with instructions of {} bytes; 1, 2, 4 and 8 are possible", config_.rank,
                                what, width));
}

void SccCore::begin(const LoadRequest& request)
{
    check_width(request.width, "load");
    load_ = request;
    start(Doing::kLoad, "loading");
}

bool SccCore::continue_load()
{
    while (done_ < load_.size) {
        const auto bytes =
            unit_.load(load_.address + done_, {load_.data + done_, load_.size - done_}, load_.width, config_.core.loop);
        if (bytes == 0) return false;
        done_ += bytes;
    }
    return true;
}

void SccCore::begin(const StoreRequest& request)
{
    check_width(request.width, "store");
    store_ = request;
    start(Doing::kStore, "storing");
}

bool SccCore::continue_store()
{
    for (;;) {
        if (!unit_.drain()) return false;
        if (done_ == store_.size) return true;
        const auto bytes = unit_.store(store_.address + done_, {store_.data + done_, store_.size - done_}, store_.width,
                                       config_.core.loop);
        if (bytes == 0) return false;
        done_ += bytes;
    }
}

void SccCore::begin(const CopyRequest& request)
{
    check_width(request.width, "copy");
    copy_ = request;
    word_loaded_ = word_stored_ = 0;
    prefetched_line_ = kNoLine;
    start(Doing::kCopy, "copying");
}

bool SccCore::continue_copy()
{
    for (;;) {
        if (!unit_.drain()) return false;
        const std::uint32_t left = copy_.size - done_;
        if (left == 0) return true;
        if (word_loaded_ == 0) {
            if (!prefetched()) return false;
            if (const auto bytes = unit_.copy_words(copy_.to + done_, copy_.from + done_, left, copy_.width)) {
                done_ += bytes;
                continue;
            }
        }
        // One word, in pieces if it crosses the end of a line.
        const std::uint32_t size = std::bit_floor(std::min(left, copy_.width));
        while (word_loaded_ < size) {
            const auto bytes = unit_.load(copy_.from + done_ + word_loaded_,
                                          {word_.data() + word_loaded_, size - word_loaded_}, copy_.width, 0_cycles);
            if (bytes == 0) return false;
            word_loaded_ += bytes;
        }
        const auto bytes =
            unit_.store(copy_.to + done_ + word_stored_, {word_.data() + word_stored_, size - word_stored_},
                        copy_.width, word_stored_ == 0 ? config_.core.copy_loop : 0_cycles);
        if (bytes == 0) return false;
        word_stored_ += bytes;
        if (word_stored_ < size) continue;
        done_ += size;
        word_loaded_ = word_stored_ = 0;
    }
}

/// The load with which some copies begin each line.
bool SccCore::prefetched()
{
    if (copy_.kind == CopyKind::kPlain) return true;
    const bool destination = copy_.kind == CopyKind::kPrefetchDestination;
    const std::uint64_t here = (destination ? copy_.to : copy_.from) + done_;
    if (line(here) == prefetched_line_) return true;
    const std::uint64_t address = destination ? here : line(here) + kCacheLine;
    const std::uint64_t end = (destination ? copy_.to : copy_.from) + copy_.size;
    if (address < end) {
        const auto size = std::bit_floor(std::min<std::uint64_t>(end - address, copy_.width));
        std::array<std::byte, 8> unused;
        if (unit_.load(address, {unused.data(), size}, copy_.width, 0_cycles) == 0) return false;
    }
    prefetched_line_ = line(here);
    return true;
}

// Polls. The first round of loads is simulated. If there is no match, the core watches the locations and sleeps; when
// one of them changes it simulates the first load of the loop that would see the change.

void SccCore::begin(const PollAnyRequest& request)
{
    ++unit_.stats.polls;
    const std::span places{request.places, request.count};
    if (places.empty()) throw ModelError(fmt::format("core {} polls nothing", config_.rank));
    spins_ = false;
    for (const PollRequest& place : places) {
        check_width(place.size, "poll");
        if (place.address % kCacheLine + place.size > kCacheLine) {
            throw UserError(fmt::format("core {}: a poll of {} bytes at {:#x}, across the end of a line; align it",
                                        config_.rank, place.size, place.address));
        }
        spins_ |= kind_of(place) != PageKind::kCached && !watchable(place);
    }
    rhythm_.begin(places);
    at_place_ = 0;
    looking_ = all_looked_at_ = false;
    poll_began_ = unit_.time;
    changed_by_ = 0;
    start(Doing::kPoll, "polling");
}

PageKind SccCore::kind_of(const PollRequest& place) const { return pages_.translate(place.address).kind; }

bool SccCore::watchable(const PollRequest& place) const
{
    return uses_message_buffer(kind_of(place)) && unit_.place_of(place.address).space == Space::kMessageBuffer;
}

bool SccCore::continue_poll()
{
    if (std::exchange(seen_, false)) return end_poll(at_place_);
    for (;;) {
        const PollRequest& place = rhythm_.places()[at_place_];
        if (!look(place)) return false;
        if (PollRhythm::ended_by(place, {word_.data(), place.size})) return end_poll(at_place_);
        if (++at_place_ == rhythm_.places().size()) {
            at_place_ = 0;
            all_looked_at_ = true;
            if (spins_) simulation_.refused();
        }
        if (spins_ || !all_looked_at_) continue;
        sleep();
        return false;
    }
}

/// One load of the loop, with CL1INVMB where needed.
bool SccCore::look(const PollRequest& place)
{
    if (!looking_) {
        looking_ = true;
        look_began_ = unit_.time;
        ++unit_.stats.looks;
        if (uses_message_buffer(kind_of(place))) unit_.invalidate_message_buffers();
    }
    if (unit_.load(place.address, {word_.data(), place.size}, place.size, config_.core.loop) == 0) return false;
    looking_ = false;
    Duration takes = unit_.time - look_began_;
    Duration until_sees;
    if (uses_message_buffer(kind_of(place))) {
        // Without the first load's wait for an outstanding write.
        const auto& read = unit_.last_read();
        const Duration begun = cycles(config_.core.invalidate) + cycles(config_.core.load_issue);
        takes = begun + (unit_.time - read.ready);
        until_sees = begun + (read.leaves - read.ready) + (read.answered - read.leaves) / 2;
    }
    rhythm_.looked(at_place_, takes, until_sees, unit_.time);
    return true;
}

/// No match: waits for a change.
void SccCore::sleep()
{
    next_look_.sees = next_look_due_ = Duration::never();
    wait_ = Wait::kChange;
    const auto places = rhythm_.places();
    for (std::uint32_t i = 0; i < places.size(); ++i) {
        if (!watchable(places[i])) continue;
        const SystemAddress line = line_of(unit_.place_of(places[i].address));
        if (std::find(watched_.begin(), watched_.end(), line) == watched_.end()) {
            watched_.push_back(line);
            chip_.watch(line, *this);
        }
        if (ended_now(places[i])) consider(i, now());
    }
}

void SccCore::changed(const SystemAddress& place, std::uint64_t id)
{
    changed_by_ = id;
    if (wait_ != Wait::kChange) return;  // a load is outstanding; the bytes are compared if it does not match
    const auto places = rhythm_.places();
    for (std::uint32_t i = 0; i < places.size(); ++i) {
        if (watchable(places[i]) && line_of(unit_.place_of(places[i].address)) == line_of(place) &&
            ended_now(places[i])) {
            consider(i, now());
        }
    }
}

/// A location matches since this time: finds the load that sees it.
void SccCore::consider(std::uint32_t place, Duration change)
{
    const auto found = rhythm_.first_to_see(place, change);
    if (found.sees >= next_look_.sees) return;
    next_look_ = found;
    next_look_due_ = found.start >= now() ? found.start : found.sees;
    next_look_by_ = changed_by_;
    changed_at_ = change;
    wakeup_.at(next_look_due_);
}

/// The load for which the core was woken. @return whether the operation can continue
bool SccCore::look_due()
{
    const Duration present = now();
    if (next_look_due_ > present) {  // woken for a load that was replaced by an earlier one
        wakeup_.at(next_look_due_);
        return false;
    }
    unit_.time = next_look_.start;
    at_place_ = next_look_.place;
    if (next_look_.start >= present) {
        simulation_.report_wait(*this, "until the poll looks", next_look_by_, changed_at_, unit_.time);
        simulation_.report(*this, "look", next_look_by_, unit_.time, unit_.time);
        return true;
    }
    // It had begun before the bytes changed, and samples them now. It takes as long as the last one.
    const PollRequest& place = rhythm_.places()[at_place_];
    ++unit_.stats.looks;
    if (!ended_now(place)) {
        sleep();
        return false;
    }
    unit_.refresh(place.address);
    simulation_.report_wait(*this, "until the poll looks", next_look_by_, changed_at_, present);
    simulation_.report(*this, "look", next_look_by_, present, next_look_.end);
    unit_.time = next_look_.end;
    seen_ = true;
    return true;
}

/// Whether a location in a message-passing buffer matches now.
bool SccCore::ended_now(const PollRequest& place) const
{
    std::array<std::byte, 8> bytes;
    chip_.read(unit_.place_of(place.address), {bytes.data(), place.size});
    return PollRhythm::ended_by(place, {bytes.data(), place.size});
}

bool SccCore::end_poll(std::uint32_t place)
{
    found_ = place;
    for (const SystemAddress& line : watched_) chip_.unwatch(line, *this);
    watched_.clear();
    unit_.stats.polling.add(unit_.time - poll_began_);
    simulation_.accepted();
    return true;
}

std::string SccCore::poll_text() const
{
    const auto places = rhythm_.places();
    const PollRequest& place = places[at_place_];
    std::array<std::byte, 8> bytes;
    unit_.peek(place.address, {bytes.data(), place.size});
    std::string where = "its own cached memory, which no other core changes";
    if (watchable(place)) {
        const auto offset = static_cast<std::uint32_t>(place.address - address_map::kMessageBuffers);
        where = fmt::format("MPB of core {}, offset {:#x}", offset / kMessageBuffer, offset % kMessageBuffer);
        chip_.read(unit_.place_of(place.address), {bytes.data(), place.size});
    } else if (kind_of(place) != PageKind::kCached) {
        where = unit_.place_of(place.address).space == Space::kRegisters ? "a register" : "memory";
    }
    const std::string others = places.size() == 1 ? "" : fmt::format(", and {} other places", places.size() - 1);
    return fmt::format("core {} polls {} byte{} at {:#x} ({}) until {} {}, it is {}{}", config_.rank, place.size,
                       place.size == 1 ? "" : "s", place.address, where,
                       place.until_other ? "it differs from" : "it equals", place.value,
                       PollRhythm::number({bytes.data(), place.size}), others);
}

std::string SccCore::pending() const
{
    if (faults_ != nullptr && faults_->halted()) {
        return fmt::format("core {} has halted; {}", config_.rank, program_runner_.pending());
    }
    if (const std::string outside = unit_.outside(); !outside.empty()) {
        return fmt::format("core {} {}", config_.rank, outside);
    }
    if (doing_ == Doing::kPoll) return fmt::format("{}: {}", program_runner_.name(), poll_text());
    return program_runner_.pending();
}

void SccCore::statistics(StatisticsVisitor& visitor) const
{
    unit_.stats.describe(visitor);
    if (faults_ != nullptr) faults_->statistics(visitor);
}

void SccCore::places(PlaceVisitor& visitor) const
{
    static constexpr std::array<std::string_view, 2> kNoWork{"idle", "polling"};
    visitor.state("state", "core", state_word_, kNoWork);
}

void SccCore::trace(sc_core::sc_trace_file* file) const
{
    const std::string prefix = std::string(name()) + ".";
    trace_signal(
        file, state_word_, prefix + "state",
        {"what the core does", "idle, computing, loading, storing, copying, polling, halted", SignalPlace::kProgram});
    trace_signal(file, unit_.stats.l1_misses.count(), prefix + "l1_misses",
                 {"misses of the first-level data cache so far", "misses", SignalPlace::kProgram});
    trace_signal(file, unit_.stats.l2_misses.count(), prefix + "l2_misses",
                 {"misses of the second-level cache so far", "misses", SignalPlace::kProgram});
}

}  // namespace ringmesh::hw
