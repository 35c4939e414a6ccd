// SPDX-License-Identifier: Apache-2.0
#include "workloads/broadcast/broadcast_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "tlm/error.h"
#include "tlm/machine/program_runner.h"
#include "tlm/scc/scc_processor.h"
#include "workloads/broadcast/dopl_grid.h"
#include "workloads/programs/machine_shape.h"
#include "workloads/ranks/message.h"

namespace ringmesh::workloads::broadcast {
namespace {

constexpr std::uint32_t kLine = SccProcessor::kLine;
constexpr std::uint32_t kPage = 4096;
/// Repetitions send the pattern from different offsets.
constexpr std::size_t kPatterns = 251;

}  // namespace

Options BroadcastProgram::options_for(const Library& library)
{
    Options options;
    // A node's system buffers hold 64 KiB
    if (library.measured() == Measured::kVertex) options.size = "2000";
    return options;
}

const BroadcastProgram::Time& BroadcastProgram::Measurement::fastest() const
{
    return *std::min_element(times.begin() + static_cast<std::ptrdiff_t>(first_timed), times.end(),
                             [](const Time& a, const Time& b) { return a.taken() < b.taken(); });
}

double BroadcastProgram::Measurement::mean_ns() const
{
    const double sum = std::accumulate(times.begin() + static_cast<std::ptrdiff_t>(first_timed), times.end(), 0.0,
                                       [](double so_far, const Time& time) { return so_far + time.taken().ns(); });
    return sum / static_cast<double>(times.size() - first_timed);
}

void BroadcastProgram::prepare()
{
    options_.require_sound(ranks());
    const auto algorithm = fmt::format("algorithm = {}", word(options_.algorithm));
    if (options_.algorithm == Algorithm::kOwn) require_offers(algorithm, {Offer::kBroadcast});
    if (options_.algorithm == Algorithm::kTree) require_offers(algorithm, {Offer::kQueues, Offer::kOneSided});
    if (options_.algorithm == Algorithm::kDopl) grid_ = grid_for(machine(), ranks());
    std::uint32_t largest = 0;
    std::uint32_t largest_message = 0;
    for (const Case& sizes : options_.cases()) {
        measurements_.push_back({.sizes = sizes, .times = {}, .first_timed = options_.warm_up ? 1u : 0u});
        const std::size_t repetitions =
            measurements_.back().first_timed + static_cast<std::size_t>(options_.timed_repetitions(sizes.size));
        measurements_.back().times.assign(repetitions, {.ended = {}, .returns = std::vector<Duration>(ranks())});
        all_repetitions_ += repetitions;
        largest = std::max(largest, sizes.size);
        largest_message = std::max(largest_message, sizes.part == 0 ? sizes.size : std::min(sizes.part, sizes.size));
        // The thesis' final exchange writes there
        if (options_.algorithm == Algorithm::kCube) {
            largest_message = std::max(largest_message, sizes.part);
            in_front_ = std::max({in_front_, sizes.part, used_library().room_in_front()});
        }
    }
    if (used_library().room_in_front() > 0) in_front_ = (in_front_ + kPage - 1) / kPage * kPage;
    in_front_ += static_cast<std::uint32_t>(options_.offset);
    for (std::size_t i = 0; i < largest + kPatterns; ++i) {
        pattern_.push_back(pattern_byte(0, i));
        wrong_.push_back(~pattern_.back());
    }
    if (options_.method == Method::kQuiet) quiet_.emplace(name(), ranks(), all_repetitions_);
    for (unsigned number = 0; number < ranks(); ++number) all_ = rank(number).create_group(ranks());
    if (options_.algorithm == Algorithm::kTree) {
        for (unsigned number = 0; number < ranks(); ++number) {
            trees_.emplace_back(rank(number), static_cast<unsigned>(options_.degree));
        }
        require_room_for_tree();
    }
    for (unsigned number = 0; number < ranks(); ++number) {
        buffers_.push_back(rank(number).create_buffer(in_front_ + largest, largest_message));
    }
}

void BroadcastProgram::require_room_for_tree()
{
    const std::uint32_t room = rank(0).one_sided()->window() / 2 / kLine * kLine;
    for (const Measurement& measurement : measurements_) {
        if (measurement.sizes.part <= room) continue;
        throw UserError(
            fmt::format("broadcast: part = {}: two parts of the tree lie in each message-passing buffer, which has "
                        "room for {} bytes each beside the flags; write part={} or less",
                        measurement.sizes.part, room, room));
    }
}

const std::byte* BroadcastProgram::sent(std::size_t repetition) const
{
    return pattern_.data() + repetition % kPatterns;
}

Task<> BroadcastProgram::run(unsigned number)
{
    Rank& me = rank(number);
    Processor& processor = me.processor();
    const bool is_root = number == static_cast<unsigned>(options_.root);
    co_await me.begin();
    std::size_t round = 0;
    for (Measurement& measurement : measurements_) {
        const std::uint32_t size = measurement.sizes.size;
        const Part data{.buffer = buffers_[number], .offset = in_front_, .size = size};
        for (std::size_t i = 0; i < measurement.times.size(); ++i) {
            const std::byte* before = is_root ? sent(i) : wrong_.data() + i % kPatterns;
            co_await me.touch(data, false);
            processor.poke(me.address(data.buffer) + data.offset, {before, size});
            co_await me.touch(data, true);

            Time& time = measurement.times[i];
            if (quiet_) {
                co_await quiet_->begin(processor, round);
            } else {
                co_await me.barrier(all_);
            }
            if (is_root || quiet_) time.began = std::min(time.began, processor.time());
            co_await broadcast(number, measurement.sizes);
            time.returns[number] = processor.time();
            if (options_.closing_barrier()) co_await me.barrier(all_);
            if (is_root || quiet_) time.ended = std::max(time.ended, processor.time());
            if (quiet_) co_await quiet_->end(processor, round);
            ++round;
            if (is_root) {
                machine().simulation().report_progress(static_cast<double>(round) /
                                                       static_cast<double>(all_repetitions_));
            }
            require_right(number, size, i);
        }
    }
    co_await me.end();
}

std::string BroadcastProgram::doing(unsigned /*rank*/) const { return "its broadcasts"; }

Task<> BroadcastProgram::broadcast(unsigned number, Case sizes)
{
    Rank& me = rank(number);
    const Broadcast call{.ranks = ranks(),
                         .root = static_cast<unsigned>(options_.root),
                         .buffer = buffers_[number],
                         .offset = in_front_,
                         .size = sizes.size,
                         .part = sizes.part,
                         .pipe = sizes.pipe,
                         .equal_pieces = options_.method == Method::kPipeSize,
                         .final_exchange = options_.final_exchange};
    switch (options_.algorithm) {
        case Algorithm::kOwn: co_await me.broadcast(call.all(), call.root, all_); break;
        case Algorithm::kLinear: co_await linear_bcast(me, call); break;
        case Algorithm::kBinomial: co_await binomial_bcast(me, call); break;
        case Algorithm::kScatterAllgather: co_await scatter_allgather_bcast(me, call); break;
        case Algorithm::kCube: co_await cube_bcast(me, call); break;
        case Algorithm::kDopl: co_await dopl_bcast(me, *grid_, call); break;
        case Algorithm::kTree: co_await trees_[number].bcast(call); break;
    }
}

void BroadcastProgram::require_right(unsigned number, std::uint32_t size, std::size_t repetition) const
{
    std::array<std::byte, kPage> bytes{};
    const Processor& processor = rank(number).processor();
    const std::uint64_t buffer = rank(number).address(buffers_[number]) + in_front_;
    for (std::uint32_t done = 0; done < size; done += kPage) {
        const std::uint32_t count = std::min(kPage, size - done);
        processor.peek(buffer + done, {bytes.data(), count});
        const std::byte* right = sent(repetition) + done;
        const auto [found, expected] = std::mismatch(bytes.data(), bytes.data() + count, right);
        if (expected == right + count) continue;
        throw WrongBytes(
            fmt::format("broadcast: {} of {} bytes: rank {} has {:#04x} instead of {:#04x} in byte {} after "
                        "repetition {}",
                        word(options_.algorithm), size, number, std::to_integer<unsigned>(*found),
                        std::to_integer<unsigned>(*expected), done + (expected - right), repetition));
    }
}

/// The measured case: the first columns of both tables.
void BroadcastProgram::add_case(std::vector<Cell>& row, const Case& sizes) const
{
    const auto bytes = [](std::uint32_t count) -> Cell {
        if (count == 0) return std::monostate{};
        return std::int64_t{count};
    };
    row.insert(row.end(), {std::string(word(options_.algorithm)), std::int64_t{ranks()}, std::int64_t{sizes.size},
                           bytes(sizes.part), bytes(sizes.pipe)});
}

void BroadcastProgram::add_up_ranks(Totals& totals)
{
    for (Measurement& measurement : measurements_) {
        for (Time& time : measurement.times) {
            totals.lowest(time.began);
            totals.highest(time.ended);
            totals.sum_each(time.returns);
        }
    }
}

Results BroadcastProgram::results() const
{
    Results results;
    results.columns = {
        {"algorithm", ""}, {"ranks", ""}, {"size_bytes", "bytes"}, {"part_bytes", "bytes"}, {"pipe_bytes", "bytes"}};
    const auto add_columns = [&results](std::initializer_list<Column> columns) {
        results.columns.insert(results.columns.end(), columns);
    };
    const double cycle = rank(0).processor().clock().period_ns();
    if (options_.per_rank) {
        add_columns({{"rank", ""}, {"return_cycles", ""}, {"return_ns", "ns"}});
        for (const Measurement& measurement : measurements_) {
            for (unsigned number = 0; number < ranks(); ++number) {
                const Time& fastest = measurement.fastest();
                const double ns = (fastest.returns[number] - fastest.began).ns();
                auto& row = results.rows.emplace_back();
                add_case(row, measurement.sizes);
                row.insert(row.end(), {std::int64_t{number}, ns / cycle, ns});
            }
        }
    } else {
        add_columns({{"repetitions", ""},
                     {"min_cycles", ""},
                     {"mean_cycles", ""},
                     {"min_ns", "ns"},
                     {"mean_ns", "ns"},
                     {"first_return_cycles", ""},
                     {"last_return_cycles", ""}});
        const auto declared = used_library().declared_clock();
        if (declared) add_columns({{"declared_min_s", "s"}, {"declared_mean_s", "s"}});
        for (const Measurement& measurement : measurements_) {
            const Time& fastest = measurement.fastest();
            const double least = fastest.taken().ns();
            const double mean = measurement.mean_ns();
            const auto [first, last] = std::minmax_element(fastest.returns.begin(), fastest.returns.end());
            auto& row = results.rows.emplace_back();
            add_case(row, measurement.sizes);
            row.insert(row.end(), {static_cast<std::int64_t>(measurement.times.size() - measurement.first_timed),
                                   least / cycle, mean / cycle, least, mean, (*first - fastest.began).ns() / cycle,
                                   (*last - fastest.began).ns() / cycle});
            if (!declared) continue;
            const auto hz = static_cast<double>(declared->hz());
            row.insert(row.end(), {least / cycle / hz, mean / cycle / hz});
        }
    }
    add_notes(results);
    return results;
}

void BroadcastProgram::add_notes(Results& results) const
{
    const std::string_view until = options_.closing_barrier() ? "through the broadcast and one more barrier"
                                   : quiet_                   ? "until the last rank returned from the broadcast"
                                                              : "until it returned from the broadcast";
    results.notes.push_back(fmt::format(
        "timed by {} {}, {}",
        quiet_ ? "all ranks from a begin on an idle machine" : fmt::format("rank {} from a barrier", options_.root),
        until,
        options_.per_rank  ? "each rank's return in the fastest repetition"
        : options_.warm_up ? "after one repetition that warmed up"
                           : "without a repetition that warms up"));
    results.notes.emplace_back(options_.per_rank
                                   ? "return: when a rank came back from its own call"
                                   : "first and last return: of any rank from its own call, in the fastest repetition");
    if (used_library().room_in_front() > 0) {
        results.notes.emplace_back(
            "all repetitions lie on the same pages of memory; another --seed places them elsewhere, and caches then "
            "hold "
            "other "
            "parts of a buffer");
    }
    if (options_.algorithm == Algorithm::kDopl && !used_library().has(Offer::kRequests)) {
        results.notes.emplace_back("DOPL in its blocking form: the library has no requests");
    }
    results.notes.push_back(
        fmt::format("every byte of every rank was checked after each repetition{}",
                    options_.per_rank || !used_library().declared_clock()
                        ? ""
                        : "; declared seconds: core cycles by the clock that the library was told"));
}

}  // namespace ringmesh::workloads::broadcast
