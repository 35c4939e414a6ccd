// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tlm/error.h"
#include "workloads/vertex/timing.h"
#include "workloads/vertex/timing_lengths.h"

/// The tests as node 0 runs them.
namespace ringmesh::workloads::vertex {

Task<> VertexTiming::node0()
{
    Vertex& vertex = *vertices_[0];
    co_await calibrate();
    if (options_.measure == Measure::kChannels) {
        phase_ = Phase::kIdle;
        co_await test_8();
    } else {
        co_await echoes(true);
        phase_ = Phase::kOthers;
        if (options_.measure == Measure::kValues) {
            co_await tests_2_to_4();
            co_await test_5();
            co_await test_6();
        }
        phase_ = Phase::kIdle;
        co_await q(vertex, kLong);  // until the others are idle
        co_await echoes(false);
    }
    for (unsigned rank = 1; rank < machine_->nodes(); ++rank) {
        co_await vertex.nwrite(patterns_[0], 4, rank, kStop);
        co_await q(vertex, kShort);
    }
    co_await vertex.nwrite(patterns_[0], 4, machine_->host(), kDone);
}

/// Times of the timer's call and of the computations on an idle machine.
Task<> VertexTiming::calibrate()
{
    Vertex& vertex = *vertices_[0];
    co_await align(0);
    std::int64_t start = co_await tick();
    for (std::int64_t i = 0; i < options_.trials * kTimerCalls; ++i) co_await tick();
    std::int64_t finish = co_await tick();
    timer_ = static_cast<double>(finish - start) / static_cast<double>(options_.trials * kTimerCalls + 1);
    start = co_await tick();
    for (int i = 0; i < kCalibrations * kBlock; ++i) co_await q(vertex, kLong);
    finish = co_await tick();
    long_q_ = (static_cast<double>(finish - start) - timer_) / (kCalibrations * kBlock);
    short_q_ = long_q_ * kShort / kLong;
    co_await vertex.nwrite(patterns_[0], 12, machine_->host(), kHostType);
    co_await q(vertex, kShort);
}

/// Tests 1 and 7: there and back, by distance.
Task<> VertexTiming::echoes(bool loaded)
{
    Vertex& vertex = *vertices_[0];
    for (unsigned distance = 1; distance <= farthest(); ++distance) {
        const unsigned peer = (1U << distance) - 1;
        for (std::size_t s = 0; s < sizes_.size(); ++s) {
            double sum = 0;
            for (std::int64_t trial = -1; trial < options_.trials; ++trial) {
                co_await align(trial);
                const std::int64_t start = co_await tick();
                co_await write(vertex, sizes_[s], peer);
                if (loaded) co_await q(vertex, kShort);
                co_await read(vertex, sizes_[s], static_cast<int>(peer));
                const std::int64_t finish = co_await tick();
                if (trial >= 0) sum += static_cast<double>(finish - start) - timer_ - short_q_;
                co_await q(vertex, kShort);
            }
            auto& echo = loaded ? sums_[s].echo : sums_[s].idle_echo;
            echo[distance - 1] = sum / static_cast<double>(options_.trials);
        }
    }
}

/// R, A + U and F + S, with node 2 that answers.
Task<> VertexTiming::tests_2_to_4()
{
    Vertex& vertex = *vertices_[0];
    const auto trials = static_cast<double>(options_.trials);
    for (std::size_t s = 0; s < sizes_.size(); ++s) {
        for (std::int64_t trial = -1; trial < options_.trials; ++trial) {
            co_await write(vertex, sizes_[s], 2);
            co_await q(vertex, kShort);
            co_await align(trial);
            require_held(sizes_[s], 0);
            const std::int64_t start = co_await tick();
            co_await q(vertex, kLong);
            const std::int64_t computed = co_await tick();
            require_held(sizes_[s], 1);
            co_await read(vertex, sizes_[s], 2);
            const std::int64_t has_read = co_await tick();
            co_await write(vertex, sizes_[s], 2);
            co_await q(vertex, kShort);
            const std::int64_t written = co_await tick();
            require_held(sizes_[s], 0);
            co_await read(vertex, sizes_[s], 2);
            if (trial >= 0) {
                sums_[s].r += (static_cast<double>(computed - start) - long_q_ - timer_) / trials;
                sums_[s].au += (static_cast<double>(has_read - computed) - timer_) / trials;
                sums_[s].fs += (static_cast<double>(written - has_read) - short_q_ - timer_) / trials;
            }
            co_await q(vertex, kShort);
        }
    }
}

/// R + S: node 1 answers to node 2, by way of node 0.
Task<> VertexTiming::test_5()
{
    Vertex& vertex = *vertices_[0];
    const auto trials = static_cast<double>(options_.trials);
    co_await write(vertex, 2, 1);
    co_await read(vertex, 2, 1);
    for (std::size_t s = 0; s < sizes_.size(); ++s) {
        for (std::int64_t trial = -1; trial < options_.trials; ++trial) {
            co_await write(vertex, sizes_[s], 1);
            co_await q(vertex, kShort);
            co_await align(trial);
            require_held(sizes_[s], 0);
            const std::uint64_t forwarded = vertex.stats().forwarded.count();
            const std::int64_t start = co_await tick();
            co_await q(vertex, kLong);
            const std::int64_t finish = co_await tick();
            require_held(sizes_[s], 0);
            if (vertex.stats().forwarded.count() != forwarded + 1) not_covered(sizes_[s]);
            if (trial >= 0) sums_[s].rs += (static_cast<double>(finish - start) - long_q_ - timer_) / trials;
            co_await q(vertex, kShort);
        }
    }
}

/// Twice F + E + U, with reads that wait.
Task<> VertexTiming::test_6()
{
    Vertex& vertex = *vertices_[0];
    const auto trials = static_cast<double>(options_.trials);
    for (std::size_t s = 0; s < sizes_.size(); ++s) {
        for (std::int64_t trial = -1; trial < options_.trials; ++trial) {
            co_await align(trial);
            const std::int64_t start = co_await tick();
            co_await write(vertex, sizes_[s], 2);
            co_await q(vertex, kShort);
            require_held(sizes_[s], 0);
            co_await read(vertex, sizes_[s], 2);
            const std::int64_t finish = co_await tick();
            if (trial >= 0) sums_[s].efu2 += (static_cast<double>(finish - start) - long_q_ - timer_) / trials;
            co_await q(vertex, kShort);
        }
    }
}

/// One more sender each time; node 0 forwards for all of them and computes.
Task<> VertexTiming::test_8()
{
    Vertex& vertex = *vertices_[0];
    for (unsigned i = 0; i < streams(); ++i) {
        last_step_ = vertex.cpu().time();
        co_await vertex.nwrite(patterns_[0], 4, streams_[i].sender, kType);
        co_await q(vertex, kShort);
        std::uint64_t before = 0;
        for (const Stream& stream : streams_) before += stream.delivered;
        const std::uint64_t refused = vertex.stats().refused.count();
        const std::int64_t start = co_await tick();
        for (std::int64_t block = 0; block < options_.channel_blocks; ++block) {
            last_step_ = vertex.cpu().time();
            co_await q(vertex, kLong);
        }
        const std::int64_t finish = co_await tick();
        std::uint64_t after = 0;
        for (const Stream& stream : streams_) after += stream.delivered;
        if (after == before) {
            throw UserError(
                fmt::format("vertex-timing: no message of {} bytes came while node 0 computed; raise "
                            "channel_blocks, or write smaller channel_bytes",
                            options_.channel_bytes));
        }
        const double ticks = static_cast<double>(finish - start) - timer_;
        const double each = static_cast<double>(after - before) / (i + 1);
        channels_.push_back({.active = 2 * (i + 1),
                             .us_per_message = us(ticks) / each,
                             .slowdown = ticks / (long_q_ * static_cast<double>(options_.channel_blocks)),
                             .messages = after - before,
                             .refusals = vertex.stats().refused.count() - refused,
                             .buffers = vertex.buffers().highest()});
    }
    last_step_ = vertex.cpu().time();
    for (const Stream& stream : streams_) co_await vertex.nwrite(patterns_[0], 4, stream.sender, kStop);
    for (unsigned i = 0; i < streams(); ++i) co_await vertex.nread(buffers_[0], 4, kAny, kDone);
}

}  // namespace ringmesh::workloads::vertex
