// SPDX-License-Identifier: Apache-2.0
#include "workloads/broadcast/broadcast_benchmark.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "tlm/error.h"
#include "workloads/broadcast/dopl_schedule.h"
#include "workloads/machine_shape.h"
#include "workloads/message.h"

namespace ringmesh::workloads::broadcast {
namespace {

constexpr std::uint32_t kLine = SccProcessor::kLine;
constexpr std::uint32_t kPage = 4096;
constexpr std::uint32_t kWord = 4;
/// Of a larger buffer the end alone is touched: four times what the caches of a core hold.
constexpr std::uint32_t kTouched = 1024 * 1024;
/// What lies in front of a buffer, at least: the same for parts of all usual sizes, so that one seed gives all of them
/// the same pages. Where pages lie decides what a cache can hold of a buffer.
constexpr std::uint32_t kInFront = 512 * 1024;
/// Repetitions send the pattern from different places on.
constexpr std::size_t kPatterns = 251;

/// Whether the lines of DOPL's grid are those of the mesh, told by the distances of core 0.
bool has_rows_of_dopl(const SccMachine& machine)
{
    constexpr unsigned kNextRow = DoplGrid::kCoresOfTileRow;
    return machine.hops(0, kNextRow - 1) == DoplGrid::kColumns - 1 &&
           (machine.nodes() <= kNextRow || machine.hops(0, kNextRow) == 1);
}

void require_rows_of_dopl(const SccMachine& machine)
{
    if (has_rows_of_dopl(machine)) return;
    throw UserError(
        fmt::format("broadcast: algorithm = dopl: its pipelines follow rows of {} tiles, and this mesh has others; set "
                    "mesh.columns={}, or choose another algorithm",
                    DoplGrid::kColumns, DoplGrid::kColumns));
}

}  // namespace

const BroadcastBenchmark::Time& BroadcastBenchmark::Measurement::fastest() const
{
    return *std::min_element(times.begin() + static_cast<std::ptrdiff_t>(first_timed), times.end(),
                             [](const Time& a, const Time& b) { return a.taken < b.taken; });
}

double BroadcastBenchmark::Measurement::mean_ns() const
{
    const double sum = std::accumulate(times.begin() + static_cast<std::ptrdiff_t>(first_timed), times.end(), 0.0,
                                       [](double so_far, const Time& time) { return so_far + time.taken.ns(); });
    return sum / static_cast<double>(times.size() - first_timed);
}

void BroadcastBenchmark::start_on(SccMachine& machine)
{
    machine_ = &machine;
    options_.require_sound(machine.nodes());
    if (options_.algorithm == Algorithm::kDopl) require_rows_of_dopl(machine);
    const auto cores = static_cast<unsigned>(options_.cores);
    std::uint32_t largest = 0;
    std::uint32_t in_front = 0;  // where the thesis' final exchange writes
    for (const Case& sizes : options_.cases()) {
        measurements_.push_back({.sizes = sizes, .times = {}, .first_timed = options_.warm_up ? 1u : 0u});
        const std::size_t repetitions =
            measurements_.back().first_timed + static_cast<std::size_t>(options_.timed_repetitions(sizes.size));
        measurements_.back().times.assign(repetitions, {.taken = {}, .returns = std::vector<Duration>(cores)});
        all_ += repetitions;
        largest = std::max(largest, sizes.size);
        if (options_.algorithm == Algorithm::kCube) in_front = std::max({in_front, sizes.part, kInFront});
    }
    in_front = (in_front + kPage - 1) / kPage * kPage + static_cast<std::uint32_t>(options_.offset);
    for (std::size_t i = 0; i < largest + kPatterns; ++i) {
        pattern_.push_back(pattern_byte(0, i));
        wrong_.push_back(~pattern_.back());
    }
    rcce_ = rcce::make_rcce(machine, cores, options_.library);
    if (options_.algorithm == Algorithm::kDopl) ircce_ = rcce::make_ircce(machine, rcce_);
    if (options_.algorithm == Algorithm::kTree) {
        for (auto& library : rcce_) trees_.emplace_back(*library, static_cast<unsigned>(options_.degree));
        require_room_for_tree();
    }
    for (unsigned core = 0; core < cores; ++core) {
        SccProcessor& processor = machine.processor(core);
        buffers_.push_back(processor.allocate(in_front + largest) + in_front);
        processor.run(program(core), "broadcast");
    }
}

void BroadcastBenchmark::require_room_for_tree() const
{
    const std::uint32_t room = rcce_.front()->layout().payload() / 2 / kLine * kLine;
    for (const Measurement& measurement : measurements_) {
        if (measurement.sizes.part <= room) continue;
        throw UserError(
            fmt::format("broadcast: part = {}: two parts of the tree lie in each message-passing buffer, which has "
                        "room for {} bytes each beside the flags; write part={} or less",
                        measurement.sizes.part, room, room));
    }
}

const std::byte* BroadcastBenchmark::sent(std::size_t repetition) const
{
    return pattern_.data() + repetition % kPatterns;
}

Task<> BroadcastBenchmark::program(unsigned core)
{
    rcce::Rcce& rcce = *rcce_[core];
    SccProcessor& processor = rcce.processor();
    const bool is_root = core == static_cast<unsigned>(options_.root);
    co_await rcce.init();
    for (Measurement& measurement : measurements_) {
        const std::uint32_t size = measurement.sizes.size;
        for (std::size_t i = 0; i < measurement.times.size(); ++i) {
            const std::byte* before = is_root ? sent(i) : wrong_.data() + i % kPatterns;
            co_await touch(core, size, false);
            processor.poke(buffers_[core], {before, size});
            co_await touch(core, size, true);

            co_await rcce.barrier(rcce.world());
            if (is_root) begin_ = processor.time();
            co_await broadcast(core, measurement.sizes);
            measurement.times[i].returns[core] = processor.time() - begin_;
            if (options_.closing_barrier()) co_await rcce.barrier(rcce.world());
            if (is_root) {
                measurement.times[i].taken = processor.time() - begin_;
                machine_->simulation().report_progress(static_cast<double>(++done_) / static_cast<double>(all_));
            }
            require_right(core, size, i);
        }
    }
    co_await rcce.finalize();
}

Task<> BroadcastBenchmark::broadcast(unsigned core, const Case& sizes)
{
    rcce::Rcce& rcce = *rcce_[core];
    const Broadcast call{.buffer = buffers_[core],
                         .size = sizes.size,
                         .part = sizes.part,
                         .pipe = sizes.pipe,
                         .equal_pieces = options_.method == Method::kPipeSize,
                         .root = static_cast<unsigned>(options_.root),
                         .final_exchange = options_.final_exchange};
    switch (options_.algorithm) {
        case Algorithm::kRcce: co_await rcce.bcast(call.buffer, call.size, call.root, rcce.world()); break;
        case Algorithm::kCube: co_await cube_bcast(rcce, call); break;
        case Algorithm::kDopl: co_await dopl_bcast(rcce, *ircce_[core], call); break;
        case Algorithm::kTree: co_await trees_[core].bcast(call); break;
    }
}

/// Leaves the caches as they are after a program has looked at its buffer or, storing, has written it.
Task<> BroadcastBenchmark::touch(unsigned core, std::uint32_t size, bool stores)
{
    SccProcessor& processor = rcce_[core]->processor();
    const std::uint64_t buffer = buffers_[core];
    const std::uint64_t end = buffer + size;
    std::array<std::byte, kWord> word{};
    std::uint64_t at = size > kTouched ? end - kTouched : buffer;
    while (at < end) {
        const std::uint64_t next = at / kLine * kLine + kLine;
        const auto bytes = static_cast<std::uint32_t>(std::min({next - at, end - at, std::uint64_t{kWord}}));
        if (stores) {
            processor.peek(at, {word.data(), bytes});
            const StoreRequest store{.address = at, .data = word.data(), .size = bytes, .width = kWord};
            co_await processor.store(store);
        } else {
            const LoadRequest load{.address = at, .data = word.data(), .size = bytes, .width = kWord};
            co_await processor.load(load);
        }
        at = next;
    }
}

/// @throws ModelError if a core has other bytes than the root sent
void BroadcastBenchmark::require_right(unsigned core, std::uint32_t size, std::size_t repetition) const
{
    std::array<std::byte, kPage> bytes{};
    const SccProcessor& processor = machine_->processor(core);
    for (std::uint32_t done = 0; done < size; done += kPage) {
        const std::uint32_t count = std::min(kPage, size - done);
        processor.peek(buffers_[core] + done, {bytes.data(), count});
        const std::byte* right = sent(repetition) + done;
        const auto [found, expected] = std::mismatch(bytes.data(), bytes.data() + count, right);
        if (expected == right + count) continue;
        throw ModelError(
            fmt::format("broadcast: {} of {} bytes: core {} has {:#04x} instead of {:#04x} in byte {} after "
                        "repetition {}",
                        word(options_.algorithm), size, core, std::to_integer<unsigned>(*found),
                        std::to_integer<unsigned>(*expected), done + (expected - right), repetition));
    }
}

void BroadcastBenchmark::check() const
{
    for (unsigned core = 0; core < rcce_.size(); ++core) {
        if (machine_->processor(core).finished()) continue;
        throw ModelError(fmt::format("broadcast: the program of core {} did not end", core));
    }
}

/// What was measured: the first columns of both tables.
void BroadcastBenchmark::add_case(std::vector<Cell>& row, const Case& sizes) const
{
    const auto bytes = [](std::uint32_t count) -> Cell {
        if (count == 0) return std::monostate{};
        return std::int64_t{count};
    };
    row.insert(row.end(), {std::string(word(options_.algorithm)), options_.cores, std::int64_t{sizes.size},
                           bytes(sizes.part), bytes(sizes.pipe)});
}

Results BroadcastBenchmark::results() const
{
    Results results;
    results.columns = {
        {"algorithm", ""}, {"cores", ""}, {"size_bytes", "bytes"}, {"part_bytes", "bytes"}, {"pipe_bytes", "bytes"}};
    const auto add_columns = [&results](std::initializer_list<Column> columns) {
        results.columns.insert(results.columns.end(), columns);
    };
    const double cycle = cycle_ns(machine_->processor(0));
    if (options_.per_core) {
        add_columns({{"core", ""}, {"return_cycles", ""}, {"return_ns", "ns"}});
        for (const Measurement& measurement : measurements_) {
            for (unsigned core = 0; core < rcce_.size(); ++core) {
                const double ns = measurement.fastest().returns[core].ns();
                auto& row = results.rows.emplace_back();
                add_case(row, measurement.sizes);
                row.insert(row.end(), {std::int64_t{core}, ns / cycle, ns});
            }
        }
    } else {
        add_columns({{"repetitions", ""},
                     {"min_cycles", ""},
                     {"mean_cycles", ""},
                     {"min_ns", "ns"},
                     {"mean_ns", "ns"},
                     {"declared_min_s", "s"},
                     {"declared_mean_s", "s"},
                     {"first_return_cycles", ""},
                     {"last_return_cycles", ""}});
        const auto declared_hz = static_cast<double>(options_.library.declared_clock.hz());
        for (const Measurement& measurement : measurements_) {
            const Time& fastest = measurement.fastest();
            const double least = fastest.taken.ns();
            const double mean = measurement.mean_ns();
            const auto [first, last] = std::minmax_element(fastest.returns.begin(), fastest.returns.end());
            auto& row = results.rows.emplace_back();
            add_case(row, measurement.sizes);
            row.insert(row.end(), {static_cast<std::int64_t>(measurement.times.size() - measurement.first_timed),
                                   least / cycle, mean / cycle, least, mean, least / cycle / declared_hz,
                                   mean / cycle / declared_hz, first->ns() / cycle, last->ns() / cycle});
        }
    }
    add_notes(results);
    return results;
}

void BroadcastBenchmark::add_notes(Results& results) const
{
    results.notes.push_back(fmt::format("timed by core {} from a barrier {}, {}", options_.root,
                                        options_.closing_barrier() ? "through the broadcast and one more barrier"
                                                                   : "until it returned from the broadcast",
                                        options_.per_core  ? "each core's return in the fastest repetition"
                                        : options_.warm_up ? "after one repetition that warmed up"
                                                           : "without a repetition that warms up"));
    results.notes.emplace_back(options_.per_core
                                   ? "return: when a core came back from its own call"
                                   : "first and last return: of any core from its own call, in the fastest repetition");
    results.notes.emplace_back(
        "all repetitions lie on the same pages of memory; another --seed places them anew, and caches then hold other "
        "parts of a buffer");
    results.notes.push_back(
        fmt::format("every byte of every core was checked after each repetition{}",
                    options_.per_core ? "" : "; declared seconds: core cycles by the clock that the library was told"));
}

}  // namespace ringmesh::workloads::broadcast
