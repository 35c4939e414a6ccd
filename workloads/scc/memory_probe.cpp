// SPDX-License-Identifier: Apache-2.0
#include "workloads/scc/memory_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tlm/error.h"
#include "tlm/machine/program_runner.h"
#include "workloads/ranks/message.h"

namespace ringmesh::workloads::scc {
namespace {

constexpr std::uint32_t kLine = SccProcessor::kLine;
/// By distance, the first two lines of each message-passing buffer are not probed: in the first a core waits for its
/// turn, a store to the second flushes the write-combine buffer.
constexpr std::uint32_t kTurn = 0;
constexpr std::uint32_t kFlush = kLine;
constexpr std::uint32_t kProbed = 2 * kLine;
constexpr unsigned kCoresPerTile = 2;

unsigned require_core(const SccMachine& machine, std::int64_t core)
{
    if (core < static_cast<std::int64_t>(machine.nodes())) return static_cast<unsigned>(core);
    throw UserError(fmt::format("memory-probe: core = {}: this machine has cores 0 to {}; choose one of them", core,
                                machine.nodes() - 1));
}

}  // namespace

void MemoryProbe::start_on(SccMachine& machine)
{
    machine_ = &machine;
    options_.write_out_auto();
    options_.require_sound();
    plan(machine);
    place_buffers(machine);
    for (std::size_t first = 0; first < probes_.size();) {
        std::size_t last = first;
        while (last < probes_.size() && probes_[last].core == probes_[first].core) ++last;
        SccProcessor& core = machine.processor(probes_[first].core);
        core.run(measure(core, first, last), "memory-probe");
        first = last;
    }
    start_contenders(machine);
}

void MemoryProbe::plan(SccMachine& machine)
{
    const unsigned core = require_core(machine, options_.core);
    const auto add = [&](std::uint32_t size, std::uint32_t stride) {
        const bool mpb = options_.target == ProbeTarget::kMpb;
        probes_.push_back({.core = core,
                           .owner = mpb ? core : machine.memory_controller(core),
                           .hops = mpb ? 0 : machine.hops_to_memory(core),
                           .size = size,
                           .stride = stride});
    };
    switch (options_.axis()) {
        case ProbeBy::kAuto: break;
        case ProbeBy::kDistance: {
            const bool mpb = options_.target == ProbeTarget::kMpb;
            const auto chosen =
                options_.chosen(mpb ? (machine.nodes() + 1) / kCoresPerTile : machine.memory_controllers());
            chosen_ = !chosen.empty();
            if (chosen_) {
                plan_chosen(machine, chosen);
            } else {
                plan_distances(machine);
            }
            break;
        }
        case ProbeBy::kStride:
            for (const auto stride : options_.stride_list()) add(static_cast<std::uint32_t>(options_.size), stride);
            break;
        case ProbeBy::kSize:
            for (const auto size : options_.buffer_sizes()) add(size, static_cast<std::uint32_t>(options_.stride));
            break;
    }
}

std::uint32_t MemoryProbe::size_by_distance() const
{
    constexpr std::uint32_t kBuffer = SccProcessor::kMessageBuffer - kProbed;
    if (options_.page_kind() != PageKind::kCached) return kBuffer;
    return std::max(kBuffer, static_cast<std::uint32_t>(options_.accesses) * kLine);
}

/// A row for each tile, of the core itself if it is there, or for each controller.
void MemoryProbe::plan_chosen(const SccMachine& machine, const std::vector<std::uint32_t>& chosen)
{
    const auto core = static_cast<unsigned>(options_.core);
    for (const std::uint32_t place : chosen) {
        const bool mpb = options_.target == ProbeTarget::kMpb;
        const unsigned owner = !mpb ? place : core / kCoresPerTile == place ? core : place * kCoresPerTile;
        probes_.push_back({.core = core,
                           .owner = owner,
                           .hops = mpb ? machine.hops(core, owner) : machine.hops_to_memory(core, owner),
                           .size = size_by_distance(),
                           .stride = kLine});
    }
}

/// One row for each distance, with the lowest core at that distance; for distance 0 the core itself. The distance to
/// memory is that of a core's controller, so there other cores take turns, those behind the controller of the given
/// core.
void MemoryProbe::plan_distances(const SccMachine& machine)
{
    const unsigned asked = require_core(machine, options_.core);
    const bool mpb = options_.target == ProbeTarget::kMpb;
    std::vector<bool> seen;
    for (unsigned i = 0; i < machine.nodes(); ++i) {
        const unsigned other = !mpb ? i : i == 0 ? asked : i <= asked ? i - 1 : i;
        if (!mpb && machine.memory_controller(other) != machine.memory_controller(asked)) continue;
        const unsigned hops = mpb ? machine.hops(asked, other) : machine.hops_to_memory(other);
        if (hops >= seen.size()) seen.resize(hops + 1);
        if (seen[hops]) continue;
        seen[hops] = true;
        probes_.push_back({.core = mpb ? asked : other,
                           .owner = mpb ? other : machine.memory_controller(other),
                           .hops = hops,
                           .size = size_by_distance(),
                           .stride = kLine});
    }
    std::stable_sort(probes_.begin(), probes_.end(), [](const Probe& a, const Probe& b) { return a.hops < b.hops; });
}

void MemoryProbe::place_buffers(SccMachine& machine)
{
    std::uint32_t largest = 0;
    for (const Probe& probe : probes_) largest = std::max(largest, probe.size);
    for (std::uint32_t i = 0; i < largest; ++i) pattern_.push_back(pattern_byte(probes_.front().core, i));
    memory_.resize(std::max(machine.nodes(), machine.memory_controllers()));
    for (const Probe& probe : probes_) {
        SccProcessor& core = machine.processor(probe.core);
        std::uint64_t& memory = memory_[chosen_ ? probe.owner : probe.core];
        if (options_.target == ProbeTarget::kMemory && memory == 0) memory = create_buffer(core, probe, largest);
        if (options_.operation == ProbeOperation::kRead) {
            core.poke(buffer_of(core, probe), {pattern_.data(), probe.size});
        }
    }
}

std::uint64_t MemoryProbe::buffer_of(SccProcessor& core, const Probe& probe) const
{
    if (options_.target == ProbeTarget::kMemory) return memory_[chosen_ ? probe.owner : probe.core];
    return core.message_buffer(probe.owner, options_.axis() == ProbeBy::kDistance ? kProbed : 0);
}

/// The memory of a probe, as a core sees it.
std::uint64_t MemoryProbe::create_buffer(SccProcessor& core, const Probe& probe, std::uint32_t size) const
{
    if (chosen_) return core.shared_memory(probe.owner, size, options_.page_kind());
    return core.allocate(size, options_.page_kind());
}

/// The lowest cores that do not probe; for private memory, those behind the same controller.
void MemoryProbe::start_contenders(SccMachine& machine)
{
    std::vector<bool> probing(machine.nodes());
    for (const Probe& probe : probes_) probing[probe.core] = true;
    const Probe& first = probes_.front();
    std::int64_t started = 0;
    for (unsigned core = 0; core < machine.nodes() && started < options_.contenders; ++core) {
        if (probing[core]) continue;
        SccProcessor& processor = machine.processor(core);
        std::uint64_t buffer = 0;
        if (options_.target == ProbeTarget::kMpb) {
            buffer = buffer_of(processor, first);
        } else {
            if (!chosen_ && machine.memory_controller(core) != machine.memory_controller(first.core)) continue;
            buffer = create_buffer(processor, first, first.size);
            processor.poke(buffer, {pattern_.data(), first.size});
        }
        processor.run(access_for_ever(processor, buffer, first.size), "memory-probe contender");
        ++started;
    }
    if (started > 0) in_step_.emplace();
    if (started == options_.contenders) return;
    throw UserError(fmt::format(
        "memory-probe: contenders = {}: only {} other cores can access {}; write that or less", options_.contenders,
        started, options_.target == ProbeTarget::kMpb ? "the buffer" : "memory behind the same controller"));
}

Task<> MemoryProbe::measure(SccProcessor& core, std::size_t first, std::size_t last)
{
    if (first != 0) {
        const PollRequest turn{.address = core.message_buffer(core.rank(), kTurn), .size = 1, .value = 1};
        co_await core.poll(turn);
    }
    for (std::size_t i = first; i < last; ++i) {
        Probe& probe = probes_[i];
        const std::uint64_t buffer = buffer_of(core, probe);
        if (options_.axis() != ProbeBy::kDistance) co_await walk(core, probe, buffer, false);
        while (probe.count < wanted(probe)) co_await walk(core, probe, buffer, true);
        machine_->simulation().report_progress(static_cast<double>(++measured_) / static_cast<double>(probes_.size()));
    }
    if (options_.axis() != ProbeBy::kDistance) co_return;
    const std::byte one{1};
    const StoreRequest flush{.address = core.message_buffer(core.rank(), kFlush), .data = &one, .size = 1, .width = 1};
    co_await core.store(flush);
    if (last == probes_.size()) co_return;
    const StoreRequest next{
        .address = core.message_buffer(probes_[last].core, kTurn), .data = &one, .size = 1, .width = 1};
    co_await core.store(next);
    co_await core.store(flush);
}

/// By size and stride every line of the buffer is accessed.
std::int64_t MemoryProbe::wanted(const Probe& probe) const
{
    if (options_.axis() == ProbeBy::kDistance) return options_.accesses;
    return std::max<std::int64_t>(options_.accesses, probe.size / probe.stride);
}

/// One access to the buffer at this offset. @param bytes destination of a read, room for a line
Task<> MemoryProbe::access(SccProcessor& core, std::uint64_t buffer, std::uint32_t offset, std::byte* bytes)
{
    const auto size = static_cast<std::uint32_t>(options_.bytes);
    const auto width = std::min<std::uint32_t>(size, 4);
    if (options_.operation == ProbeOperation::kRead) {
        std::fill_n(bytes, size, std::byte{0});
        const LoadRequest load{.address = buffer + offset, .data = bytes, .size = size, .width = width};
        co_await core.load(load);
    } else {
        const StoreRequest store{
            .address = buffer + offset, .data = pattern_.data() + offset, .size = size, .width = width};
        co_await core.store(store);
    }
}

/// Once through the buffer.
Task<> MemoryProbe::walk(SccProcessor& core, Probe& probe, std::uint64_t buffer, bool timed)
{
    std::array<std::byte, kLine> bytes{};
    const auto size = static_cast<std::uint32_t>(options_.bytes);
    for (std::uint32_t offset = 0; offset + size <= probe.size; offset += probe.stride) {
        if (timed && probe.count == wanted(probe)) co_return;
        if (options_.axis() == ProbeBy::kDistance) co_await core.invalidate_message_buffers();
        const Duration begin = core.time();
        co_await access(core, buffer, offset, bytes.data());
        const Duration took = core.time() - begin;
        if (options_.operation == ProbeOperation::kRead) require_right(core, buffer + offset, bytes.data(), offset);
        if (!timed) continue;
        ++probe.count;
        probe.total += took;
        probe.shortest = std::min(probe.shortest, took);
        probe.longest = std::max(probe.longest, took);
    }
}

Task<> MemoryProbe::access_for_ever(SccProcessor& core, std::uint64_t buffer, std::uint32_t size)
{
    std::array<std::byte, kLine> bytes{};
    while (measured_ < probes_.size()) {
        for (std::uint32_t offset = 0; offset + kLine <= size && measured_ < probes_.size(); offset += kLine) {
            co_await core.invalidate_message_buffers();
            co_await access(core, buffer, offset, bytes.data());
        }
    }
}

/// @throws WrongBytes if a read returned other bytes
void MemoryProbe::require_right(const SccProcessor& core, std::uint64_t address, const std::byte* bytes,
                                std::uint64_t offset) const
{
    const auto* expected = pattern_.data() + offset;
    const auto [wrong, right] = std::mismatch(bytes, bytes + options_.bytes, expected);
    if (wrong == bytes + options_.bytes) return;
    throw WrongBytes(fmt::format("memory-probe: core {} read {:#04x} instead of {:#04x} at address {:#x}", core.rank(),
                                 std::to_integer<unsigned>(*wrong), std::to_integer<unsigned>(*right),
                                 address + static_cast<std::uint64_t>(wrong - bytes)));
}

void MemoryProbe::check() const
{
    for (const Probe& probe : probes_) {
        SccProcessor& core = machine_->processor(probe.core);
        if (!core.finished() || probe.count < wanted(probe)) {
            throw ModelError(
                fmt::format("memory-probe: core {} made {} of {} accesses", probe.core, probe.count, wanted(probe)));
        }
        if (options_.operation == ProbeOperation::kRead) continue;
        // Read by the buffer's owner, so that bytes only in the writer's cache are detected
        SccProcessor& reader = options_.target == ProbeTarget::kMpb ? machine_->processor(probe.owner) : core;
        const std::uint64_t buffer = buffer_of(reader, probe);
        std::array<std::byte, kLine> bytes{};
        for (std::uint32_t offset = 0; offset + options_.bytes <= probe.size; offset += probe.stride) {
            if (offset / probe.stride >= wanted(probe)) break;
            reader.peek(buffer + offset, {bytes.data(), static_cast<std::size_t>(options_.bytes)});
            require_right(reader, buffer + offset, bytes.data(), offset);
        }
    }
}

Results MemoryProbe::results() const
{
    Results results;
    results.columns = {{"target", ""},
                       {"page", ""},
                       {"operation", ""},
                       {"core", ""},
                       {"owner", ""},
                       {"hops", ""},
                       {"size_bytes", "bytes"},
                       {"stride_bytes", "bytes"},
                       {"access_bytes", "bytes"},
                       {"contenders", ""},
                       {"accesses", ""},
                       {"mean_cycles", ""},
                       {"shortest_cycles", ""},
                       {"longest_cycles", ""},
                       {"mean_ns", "ns"},
                       {"mesh", ""}};
    for (const Probe& probe : probes_) {
        const double cycle = machine_->processor(probe.core).clock().period_ns();
        const double mean = probe.total.ns() / static_cast<double>(probe.count);
        results.rows.push_back({std::string(word(options_.target)), std::string(word(options_.page_kind())),
                                std::string(word(options_.operation)), std::int64_t{probe.core},
                                std::int64_t{probe.owner}, std::int64_t{probe.hops}, std::int64_t{probe.size},
                                std::int64_t{probe.stride}, options_.bytes, options_.contenders, probe.count,
                                mean / cycle, probe.shortest.ns() / cycle, probe.longest.ns() / cycle, mean,
                                std::string(machine_->mesh_detail())});
    }
    results.notes.emplace_back(
        options_.target == ProbeTarget::kMpb
            ? "owner: the core whose message-passing buffer it is; hops: links between the two tiles"
            : "owner: the memory controller; hops: links between the core's tile and the controller's");
    results.notes.emplace_back("cycles: of the core that accesses; every byte was checked");
    if (options_.operation == ProbeOperation::kWrite) {
        results.notes.emplace_back(
            "a write returns when the core can go on: in a row each waits until the one before was acknowledged");
    }
    if (options_.operation == ProbeOperation::kWrite && options_.target != ProbeTarget::kMpb) {
        results.notes.emplace_back(
            "caches do not allocate on a write miss: each store instruction to a line that none holds, or to an "
            "uncached page, is an acknowledged write");
    }
    if (options_.axis() != ProbeBy::kDistance) {
        results.notes.emplace_back(
            "before the timed accesses one walk filled the caches; L1 holds buffers' lines, too");
    }
    if (options_.contenders > 0) {
        results.notes.emplace_back("contenders: the lowest other cores, which access what the first row does");
    }
    return results;
}

}  // namespace ringmesh::workloads::scc
