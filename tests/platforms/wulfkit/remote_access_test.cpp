// SPDX-License-Identifier: Apache-2.0
/// Loads, barriers, DMA and interrupts between whole PCs: bytes, and time as the sum of its stages.
#include <algorithm>
#include <array>
#include <vector>

#include "tests/hw/printing.h"
#include "tests/platforms/wulfkit/remote_stages.h"
#include "tests/platforms/wulfkit/ring_bench.h"
#include "tests/support/cases.h"
#include "tests/support/policies.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using platforms::WulfkitParams;
using sci::Command;

/// Memory of one node mapped by another.
struct Shared {
    std::uint64_t local;   ///< where it is for its owner
    std::uint64_t remote;  ///< where it is for the other node
};

/// A segment of `size` bytes, which several nodes may map.
std::uint64_t create(RingBench& bench, unsigned owner, std::uint64_t size)
{
    SegmentDriver& segments = bench.machine.processor(owner).segments();
    const std::uint64_t local = segments.create_segment(1, size);
    segments.export_segment(1);
    return local;
}

std::uint64_t map(RingBench& bench, unsigned owner, unsigned user)
{
    return bench.machine.processor(user).segments().import_and_map(owner, 1);
}

Shared share(RingBench& bench, unsigned owner, unsigned user, std::uint64_t size)
{
    const std::uint64_t local = create(bench, owner, size);
    return {local, map(bench, owner, user)};
}

std::vector<std::byte> memory_of(RingBench& bench, unsigned rank, std::uint64_t address, std::size_t size)
{
    std::vector<std::byte> bytes(size);
    bench.machine.processor(rank).peek(address, bytes);
    return bytes;
}

WulfkitParams with(unsigned nodes, bool prefetch)
{
    WulfkitParams params = RingBench::nodes(nodes);
    params.psb.read_prefetch = prefetch;
    return params;
}

struct Slice {
    std::uint64_t offset;
    std::uint32_t size;
    std::uint32_t width;
};

Task<> load_slices(PcProcessor& cpu, std::uint64_t from, const std::vector<Slice>& slices,
                   std::vector<std::vector<std::byte>>& into)
{
    for (std::size_t i = 0; i < slices.size(); ++i) {
        into[i].resize(slices[i].size);
        const LoadRequest load{from + slices[i].offset, into[i].data(), slices[i].size, slices[i].width};
        co_await cpu.load(load);
    }
}

}  // namespace

namespace ringmesh::test::remote_access_test {  // outside it, `system` is a function of the C library

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(remote_access)

/// Whole blocks, parts of them, and ranges across their borders; the two other nodes load at the same time.
BOOST_DATA_TEST_CASE(loads_return_the_bytes_at_any_width_and_address,
                     data::make({1u, 2u, 4u, 8u}) * data::make({false, true}), width, prefetch)
{
    constexpr std::size_t kSize = 320;
    RingBench bench(with(3, prefetch));
    std::vector<Slice> slices;
    for (const std::uint64_t offset : {0u, 1u, 4u, 12u, 59u, 63u, 64u}) {
        for (const std::uint32_t size : {1u, 4u, 8u, 21u, 130u}) slices.push_back({offset, size, width});
    }
    const auto bytes = message(kSize, 1);
    std::array<std::vector<std::vector<std::byte>>, 2> loaded;
    loaded.fill(std::vector<std::vector<std::byte>>(slices.size()));
    bench.machine.processor(0).poke(create(bench, 0, kSize), bytes);
    for (const unsigned user : {1u, 2u}) {
        PcProcessor& cpu = bench.machine.processor(user);
        cpu.run(load_slices(cpu, map(bench, 0, user), slices, loaded.at(user - 1)), "reader");
    }
    bench.simulation.run();
    bench.simulation.require_drained();
    for (const auto& reader : loaded) {
        for (std::size_t i = 0; i < slices.size(); ++i) {
            BOOST_TEST_CONTEXT(slices[i].size << " bytes at " << slices[i].offset)
            {
                const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(slices[i].offset);
                BOOST_TEST(std::equal(reader[i].begin(), reader[i].end(), begin));
            }
        }
    }
}

/// The prefetch of a block exceeds the end of the segment, which is not an error.
BOOST_DATA_TEST_CASE(the_last_bytes_of_a_segment_are_loaded, data::make({4u, 60u, 68u}) * data::make({false, true}),
                     size, prefetch)
{
    RingBench bench(with(2, prefetch));
    const Shared shared = share(bench, 1, 0, size);
    const auto bytes = message(size, 2);
    bench.machine.processor(1).poke(shared.local, bytes);
    const std::vector<Slice> slices{{0, size, 4}};
    std::vector<std::vector<std::byte>> loaded(1);
    PcProcessor& cpu = bench.machine.processor(0);
    cpu.run(load_slices(cpu, shared.remote, slices, loaded), "reader");
    bench.simulation.run();
    BOOST_TEST((loaded[0] == bytes));
}

/// A program loads what it stored, without any other synchronisation.
static Task<> store_then_load(PcProcessor& cpu, std::uint64_t to, StoreKind kind, std::size_t size,
                              std::vector<std::byte>& loaded)
{
    for (std::uint64_t number = 1; number <= 4; ++number) {
        const auto bytes = message(size, number);
        const StoreRequest store{kind, to, bytes.data(), static_cast<std::uint32_t>(size)};
        co_await cpu.store(store);
        const LoadRequest load{to, loaded.data(), static_cast<std::uint32_t>(size), 8};
        co_await cpu.load(load);
        if (loaded != bytes) co_return;
    }
    loaded.clear();
}

BOOST_DATA_TEST_CASE(a_program_loads_what_it_stored, data::make({4u, 64u, 100u, 300u}) * data::make({false, true}),
                     size, prefetch)
{
    RingBench bench(with(2, prefetch));
    const Shared shared = share(bench, 1, 0, 512);
    std::vector<std::byte> loaded(size);
    PcProcessor& cpu = bench.machine.processor(0);
    cpu.run(store_then_load(cpu, shared.remote, StoreKind::kMmx, size, loaded), "program");
    bench.simulation.run();
    bench.simulation.require_drained();
    BOOST_TEST(cpu.finished());
    BOOST_TEST(loaded.empty());
}

struct Arrived {
    std::size_t at_store = 0;  ///< bytes that the target held when the store returned
    std::size_t at_barrier = 0;
};

static std::size_t matching(const PcProcessor& owner, std::uint64_t address, const std::vector<std::byte>& bytes)
{
    std::vector<std::byte> there(bytes.size());
    owner.peek(address, there);
    std::size_t count = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (there[i] == bytes[i]) ++count;
    }
    return count;
}

static Task<> store_and_wait(PcProcessor& cpu, const PcProcessor& owner, Shared shared, StoreKind kind,
                             std::vector<std::byte> bytes, Arrived& arrived)
{
    const StoreRequest store{kind, shared.remote, bytes.data(), static_cast<std::uint32_t>(bytes.size())};
    co_await cpu.store(store);
    arrived.at_store = matching(owner, shared.local, bytes);
    co_await cpu.barrier();
    arrived.at_barrier = matching(owner, shared.local, bytes);
}

/// message() contains no byte 0, so none matches by chance.
BOOST_DATA_TEST_CASE(after_a_barrier_all_bytes_are_in_the_targets_memory_and_not_before,
                     data::make({false, true}) * data::make({1u, 60u, 65u, 4096u}) * data::make({1, 8}), mmx, size,
                     buffers)
{
    WulfkitParams params = RingBench::nodes(3);
    params.psb.stream_buffers = buffers;
    RingBench bench(params);
    Shared shared = share(bench, 2, 0, 8192);
    shared.local += 20;  // inside a block
    shared.remote += 20;
    Arrived arrived;
    PcProcessor& cpu = bench.machine.processor(0);
    cpu.run(store_and_wait(cpu, bench.machine.processor(2), shared, mmx ? StoreKind::kMmx : StoreKind::kSingle,
                           message(size, 3), arrived),
            "writer");
    bench.simulation.run();
    bench.simulation.require_drained();
    BOOST_TEST(arrived.at_store < size);
    BOOST_TEST(arrived.at_barrier == size);
}

static Task<> time_load(PcProcessor& cpu, std::uint64_t from, Duration& took)
{
    std::byte bytes[4];
    const LoadRequest load{from, bytes, 4};
    co_await cpu.load(load);
    took = cpu.time();
}

static Task<> time_store_and_barrier(PcProcessor& cpu, std::uint64_t to, Duration& took)
{
    const std::byte bytes[4]{};
    const StoreRequest store{StoreKind::kSingle, to, bytes, 4};
    co_await cpu.store(store);
    co_await cpu.barrier();
    took = cpu.time();
}

/// Machines that differ in one stage each.
static std::vector<WulfkitParams> machines()
{
    std::vector<WulfkitParams> all(11, RingBench::nodes(2));
    all[1].host.crossing = 50_ns;
    all[2].pci.clock = 66_MHz;
    all[3].pci.retry_gap = 0_cycles;
    all[4].pci.read_turnaround = 3_cycles;
    all[5].host.local_access = 400_ns;
    all[6].cable.length = Length::micrometres(30'000'000);
    all[7].blink.clock = 25_MHz;
    all[8].psb.stream_open = 3_cycles;
    all[9].host.read_crossing = 90_ns;
    all[10].psb.crossing = 111_ns;
    return all;
}

BOOST_DATA_TEST_CASE(a_load_of_4_bytes_takes_what_its_stages_sum_to, data::xrange(11u) * data::make({false, true}),
                     machine, prefetch)
{
    WulfkitParams params = machines().at(machine);
    params.psb.read_prefetch = prefetch;
    RingBench bench(params);
    const Shared shared = share(bench, 1, 0, 64);
    Duration took;
    PcProcessor& cpu = bench.machine.processor(0);
    cpu.run(time_load(cpu, shared.remote, took), "reader");
    bench.simulation.run();
    BOOST_TEST(took == RemoteStages(params).load(prefetch));
    BOOST_TEST_MESSAGE("load: " << took.ns() << " ns");
}

BOOST_DATA_TEST_CASE(a_store_of_4_bytes_and_a_barrier_take_what_their_stages_sum_to, data::xrange(11u), machine)
{
    const WulfkitParams params = machines().at(machine);
    RingBench bench(params);
    const Shared shared = share(bench, 1, 0, 64);
    Duration took;
    PcProcessor& cpu = bench.machine.processor(0);
    cpu.run(time_store_and_barrier(cpu, shared.remote, took), "writer");
    bench.simulation.run();
    BOOST_TEST(took == RemoteStages(params).store_and_barrier());
    BOOST_TEST_MESSAGE("store and barrier: " << took.ns() << " ns");
}

static Task<> copy_by_dma(PcProcessor& cpu, DmaRequest order, const PcProcessor& owner, std::uint64_t local,
                          Arrived& arrived)
{
    std::vector<std::byte> bytes(order.size);
    cpu.peek(order.from, bytes);
    co_await cpu.dma(order);
    arrived.at_barrier = matching(owner, local, bytes);
}

/// Neither are bytes outside its range changed.
BOOST_DATA_TEST_CASE(dma_copies_are_whole_when_the_program_goes_on,
                     data::make({64u, 1024u, 65536u}) * data::make({1, 8}) * data::make({16, 64}), size, buffers, burst)
{
    WulfkitParams params = RingBench::nodes(3);
    params.psb.dma_buffers = buffers;
    params.psb.dma_burst = Bytes(burst);
    RingBench bench(params);
    const Shared shared = share(bench, 2, 0, 3 * 65536);
    PcProcessor& cpu = bench.machine.processor(0);
    const std::uint64_t source = cpu.segments().allocate(size + 4) + 4;
    cpu.poke(source, message(size, 5));
    const DmaRequest order{.from = source, .to = shared.remote + 128, .size = size};
    Arrived arrived;
    cpu.run(copy_by_dma(cpu, order, bench.machine.processor(2), shared.local + 128, arrived), "copier");
    bench.simulation.run();
    bench.simulation.require_drained();
    BOOST_TEST(arrived.at_barrier == size);
    BOOST_TEST((memory_of(bench, 2, shared.local, 128) == std::vector<std::byte>(128)));
    BOOST_TEST((memory_of(bench, 2, shared.local + 128 + size, 128) == std::vector<std::byte>(128)));
    BOOST_TEST_MESSAGE("DMA of " << size << " bytes: " << now().ns() << " ns");
}

static Task<> ring_doorbell(PcProcessor& cpu, std::uint64_t doorbell)
{
    const std::byte bytes[4]{};
    const StoreRequest store{StoreKind::kSingle, doorbell, bytes, 4};
    co_await cpu.store(store);
    co_await cpu.flush();
}

static Task<> wait_for_interrupt(PcProcessor& cpu, Duration& woken)
{
    co_await cpu.interrupt();
    woken = cpu.time();
}

BOOST_DATA_TEST_CASE(an_interrupt_comes_the_handlers_time_after_the_store_has_crossed_the_card, data::xrange(11u),
                     machine)
{
    const Duration handler = machine % 2 == 0 ? 0_ns : 12_us;
    WulfkitParams params = machines().at(machine);
    params.host.interrupt = handler;
    RingBench bench(params);
    Duration woken;
    PcProcessor& sender = bench.machine.processor(0);
    PcProcessor& receiver = bench.machine.processor(1);
    sender.run(ring_doorbell(sender, sender.segments().map_doorbell(1)), "sender");
    receiver.run(wait_for_interrupt(receiver, woken), "receiver");
    bench.simulation.run();
    bench.simulation.require_drained();
    BOOST_TEST(woken == RemoteStages(params).doorbell() + handler);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test::remote_access_test
