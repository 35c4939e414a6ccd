// SPDX-License-Identifier: Apache-2.0
//
// What the parts of the hot paths cost alone, without the kernel.

#include <benchmark/benchmark.h>

#include <coroutine>
#include <cstdlib>

#include "hw/psb/stream_buffers.h"
#include "hw/sci/link_controller/receive_queue.h"
#include "hw/sci/link_controller/send_queue.h"
#include "tlm/machine/task.h"
#include "tlm/pools/pool.h"
#include "tlm/pools/ring_buffer.h"
#include "tlm/sci/packet.h"
#include "tlm/simulation/random.h"
#include "tlm/statistics/statistics.h"

namespace {

using namespace ringmesh;

/// Suspends and publishes its handle for the resumption.
struct Pause {
    std::coroutine_handle<>& handle;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> program) const noexcept { handle = program; }
    void await_resume() const noexcept {}
};

Task<> pause_for_ever(std::coroutine_handle<>& handle)
{
    while (true) co_await Pause{handle};
}

Task<> nested(std::coroutine_handle<>& handle) { co_await Pause{handle}; }

Task<> call_for_ever(std::coroutine_handle<>& handle)
{
    while (true) co_await nested(handle);
}

void suspend_and_resume(benchmark::State& state)
{
    std::coroutine_handle<> handle;
    Task<> program = pause_for_ever(handle);
    program.start();
    for (auto _ : state) handle.resume();
}

void nested_task(benchmark::State& state)
{
    std::coroutine_handle<> handle;
    Task<> program = call_for_ever(handle);
    program.start();
    for (auto _ : state) handle.resume();
}

void clone_packet(benchmark::State& state)
{
    sci::PacketPool pool;
    sci::Packet original;
    original.command = static_cast<sci::Command>(state.range(0));
    for (auto _ : state) {
        sci::Packet& copy = sci::clone(pool, original);
        benchmark::DoNotOptimize(copy.offset);
        pool.release(copy);
    }
}

void ring_buffer_push_and_pop(benchmark::State& state)
{
    RingBuffer<std::uint64_t> buffer;
    std::uint64_t i = 0;
    for (auto _ : state) {
        buffer.push_back(++i);
        benchmark::DoNotOptimize(buffer.pop_front());
    }
}

void send_queue_turn(benchmark::State& state)
{
    hw::SendQueue queue(8, sci::Phase::kDoTry);
    sci::Packet packet;
    for (auto _ : state) {
        if (!queue.reserve()) std::abort();
        queue.enter(packet, 1_ns);
        benchmark::DoNotOptimize(queue.done(queue.send(1_ns).slot));
    }
}

void admission(benchmark::State& state)
{
    const hw::Admission admission = "ageing";
    hw::Reservations reservations;
    for (auto _ : state) benchmark::DoNotOptimize(admission->decide(reservations, sci::Phase::kNoTry, true));
}

void stream_buffer_block(benchmark::State& state)
{
    hw::StreamBuffers buffers{hw::PsbParams{}};
    std::array<std::byte, 4> dword{};
    for (auto _ : state) {
        for (std::uint64_t address = 0; address < sci::kBlockBytes; address += dword.size()) {
            if (!buffers.open(address)) std::abort();
            buffers.store(address, dword, 0_ns);
        }
        buffers.respond(buffers.next_transaction()->buffer);
    }
}

void distribution_add(benchmark::State& state)
{
    Distribution distribution;
    Random random(1);
    for (auto _ : state) distribution.add(random.exponential(1_us));
}

BENCHMARK(suspend_and_resume);
BENCHMARK(nested_task);
BENCHMARK(clone_packet)->Arg(static_cast<int>(sci::Command::kWrite64))->Arg(static_cast<int>(sci::Command::kResponse0));
BENCHMARK(ring_buffer_push_and_pop);
BENCHMARK(send_queue_turn);
BENCHMARK(admission);
BENCHMARK(stream_buffer_block);
BENCHMARK(distribution_add);

}  // namespace

BENCHMARK_MAIN();

/// Never called; required by the SystemC library.
int sc_main(int, char**) { return 0; }
