// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"
#include "workloads/vertex/timing.h"
#include "workloads/vertex/timing_lengths.h"

/// The other nodes and the host in the tests.
namespace ringmesh::workloads::vertex {

Task<> VertexTiming::other(unsigned rank)
{
    if (options_.measure == Measure::kChannels) {
        for (const Stream& stream : streams_) {
            if (rank == stream.sender) co_await stream_from(rank);
            if (rank == stream.sender << 1U) co_await stream_to(rank);
        }
    } else {
        co_await partner(rank);
    }
    co_await vertices_[rank]->nread(buffers_[rank], 4, 0, kStop);
}

Task<> VertexTiming::partner(unsigned rank)
{
    const bool echoes = (rank & (rank + 1)) == 0 && rank < 1U << farthest();  // 1, 3, 7, 15, 31
    if (echoes) co_await echo_back(rank, true);
    if (options_.measure == Measure::kValues) {
        if (rank == 1) {
            co_await compute_until(rank, Phase::kOthers);  // forwards echoes of farther nodes
            co_await partner_1();
        }
        if (rank == 2) co_await partner_2();
    }
    co_await compute_until(rank, Phase::kIdle);
    if (echoes) co_await echo_back(rank, false);
}

/// Keeps the node busy, so that no message passes an idle node. Ends within node 0's long computation between phases.
Task<> VertexTiming::compute_until(unsigned rank, Phase phase)
{
    while (phase_ < phase) co_await q(*vertices_[rank], kShort);
}

Task<> VertexTiming::echo_back(unsigned rank, bool loaded)
{
    Vertex& vertex = *vertices_[rank];
    for (const std::uint32_t size : sizes_) {
        for (std::int64_t trial = -1; trial < options_.trials; ++trial) {
            co_await read(vertex, size, 0);
            co_await q(vertex, kShort);
            co_await write(vertex, size, 0);
            if (loaded) co_await q(vertex, kShort);
        }
    }
}

Task<> VertexTiming::partner_1()
{
    Vertex& vertex = *vertices_[1];
    co_await read(vertex, 2, 0);
    co_await write(vertex, 2, 0);
    for (const std::uint32_t size : sizes_) {
        for (std::int64_t trial = -1; trial < options_.trials; ++trial) {
            co_await read(vertex, size, 0);
            co_await q(vertex, 2 * kShort);  // so that the message passes node 0 in its long computation
            co_await write(vertex, size, 2);
            co_await q(vertex, kShort);
        }
    }
}

Task<> VertexTiming::partner_2()
{
    Vertex& vertex = *vertices_[2];
    for (const std::uint32_t size : sizes_) {  // tests 2 to 4
        for (std::int64_t trial = -1; trial < options_.trials; ++trial) {
            co_await read(vertex, size, 0);
            co_await q(vertex, 2 * kShort);
            co_await write(vertex, size, 0);
            co_await q(vertex, kShort);
            co_await read(vertex, size, 0);
            co_await q(vertex, 2 * kShort);
            co_await write(vertex, size, 0);
        }
    }
    for (const std::uint32_t size : sizes_) {  // test 5
        for (std::int64_t trial = -1; trial < options_.trials; ++trial) co_await read(vertex, size, 1);
    }
    for (const std::uint32_t size : sizes_) {  // test 6
        for (std::int64_t trial = -1; trial < options_.trials; ++trial) {
            co_await read(vertex, size, 0);
            co_await q(vertex, kLong);
            co_await write(vertex, size, 0);
            co_await q(vertex, kShort);
        }
    }
}

/// Keeps `outstanding` messages in flight to the node two dimensions further, from node 0's start to its stop message.
Task<> VertexTiming::stream_from(unsigned rank)
{
    Vertex& vertex = *vertices_[rank];
    const unsigned to = rank << 1U;
    const auto size = static_cast<std::uint32_t>(options_.channel_bytes);
    Stream& stream = *std::find_if(streams_.begin(), streams_.end(), [rank](auto& s) { return s.sender == rank; });
    co_await read(vertex, 4, 0);
    std::uint64_t answered = 0;
    for (bool stopped = false; !stopped;) {
        while (stream.sent < answered + static_cast<std::uint64_t>(options_.outstanding)) {
            ++stream.sent;
            co_await write(vertex, size, to);
        }
        const Received got = co_await vertex.nread(buffers_[rank], 4, kAny, kAny);
        stopped = got.type == kStop;
        if (!stopped) ++answered;
    }
    for (; answered < stream.sent; ++answered) co_await read(vertex, 4, static_cast<int>(to));
    co_await vertex.nwrite(patterns_[rank], 4, to, kStop);
    co_await vertex.nwrite(patterns_[rank], 4, 0, kDone);
}

/// Answers each message; reads only its first bytes, and so pays only for these.
Task<> VertexTiming::stream_to(unsigned rank)
{
    Vertex& vertex = *vertices_[rank];
    const unsigned from = rank >> 1U;
    Stream& stream = *std::find_if(streams_.begin(), streams_.end(), [from](auto& s) { return s.sender == from; });
    for (;;) {
        const Received got = co_await vertex.nread(buffers_[rank], 2, static_cast<int>(from), kAny);
        if (got.type == kStop) co_return;
        ++stream.delivered;
        require_progress(stream);
        co_await write(vertex, 4, from);
    }
}

/// If handlers take all of node 0's time, test 8 never ends: messages still arrive, so no watchdog stops it.
/// @throws UserError if a long computation there takes more than kMostSlowdown times as long as alone
void VertexTiming::require_progress(const Stream& stream) const
{
    const Duration since = vertices_[0]->cpu().time() - last_step_;
    if (since <= q_time(kLong) * kMostSlowdown) return;
    const auto begun = static_cast<unsigned>(
        std::count_if(streams_.begin(), streams_.end(), [](const Stream& each) { return each.delivered > 0; }));
    throw UserError(
        fmt::format("vertex-timing: channel_bytes = {}: with {} channels active node 0 only forwards (message {} from "
                    "node {}): its computation takes more than {} times as long as alone; write channel_bytes=1000 or "
                    "more, or set topology.dimension to 2 for two channels alone",
                    options_.channel_bytes, 2 * begun, stream.delivered, stream.sender, kMostSlowdown));
}

Task<> VertexTiming::host()
{
    Vertex& vertex = *vertices_.back();
    const std::uint64_t buffer = buffers_.back();
    co_await vertex.nread(buffer, 12, 0, kHostType);
    co_await vertex.nread(buffer, 4, 0, kDone);
}

}  // namespace ringmesh::workloads::vertex
