// SPDX-License-Identifier: Apache-2.0
/// What the processor does but poll: stores, loads, barriers, interrupts, DMA orders, computing, programs.
#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "tests/hw/host/host_bench.h"
#include "tests/support/cases.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;

struct Piece {
    std::uint64_t address;
    std::uint64_t size;
};

/// A range cut at every multiple of `limit`.
std::vector<Piece> cut(std::uint64_t address, std::uint64_t size, std::uint64_t limit)
{
    std::vector<Piece> pieces;
    for (std::uint64_t byte = address; byte < address + size; ++byte) {
        if (pieces.empty() || byte % limit == 0) pieces.push_back({byte, 0});
        ++pieces.back().size;
    }
    return pieces;
}

/// Stores one range after the other, and notes when each store returned.
Task<> store_all(PcProcessor& cpu, StoreKind kind, std::vector<Piece> ranges, std::vector<std::byte> bytes,
                 std::vector<Duration>& returned)
{
    for (const Piece& range : ranges) {
        const StoreRequest request{kind, HostBench::kWindow + range.address, bytes.data(),
                                   static_cast<std::uint32_t>(range.size)};
        co_await cpu.store(request);
        returned.push_back(cpu.time());
    }
}

std::uint64_t gather(const hw::HostParams& params, StoreKind kind)
{
    switch (kind) {
        case StoreKind::kSingle: return static_cast<std::uint64_t>(params.single_gather.count());
        case StoreKind::kMemcpy: return static_cast<std::uint64_t>(params.memcpy_gather.count());
        case StoreKind::kMmx: return static_cast<std::uint64_t>(params.mmx_gather.count());
    }
    return 0;
}

std::int64_t instructions(std::uint64_t bytes, StoreKind kind)
{
    const std::uint64_t width = kind == StoreKind::kMmx ? 8 : 4;
    return static_cast<std::int64_t>((bytes + width - 1) / width);
}

const auto kKinds = data::make({StoreKind::kSingle, StoreKind::kMemcpy, StoreKind::kMmx});

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(host_processor)

BOOST_DATA_TEST_CASE(a_store_becomes_one_transaction_per_gathering_boundary, kKinds* data::make({8, 64}), kind,
                     memcpy_gather)
{
    hw::HostParams params;
    params.memcpy_gather = Bytes(memcpy_gather);
    HostBench bench(params);
    std::vector<Piece> ranges;
    for (std::uint64_t offset = 0; offset < 64; offset += 5) {
        for (std::uint64_t size = 1; size <= 200; size += 13 + offset) ranges.push_back({offset, size});
    }
    const auto bytes = pattern(200);
    std::vector<Duration> returned;
    bench.run(store_all(bench.cpu, kind, ranges, bytes, returned));

    std::size_t next = 0;
    for (const Piece& range : ranges) {
        for (const Piece& piece : cut(range.address, range.size, gather(params, kind))) {
            BOOST_TEST_REQUIRE(next < bench.pci.writes.size());
            const PciProbe::Write& write = bench.pci.writes[next++];
            BOOST_TEST(write.address == HostBench::kWindow + piece.address);
            BOOST_TEST_REQUIRE(write.bytes.size() == piece.size);
            const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(piece.address - range.address);
            BOOST_TEST(std::equal(write.bytes.begin(), write.bytes.end(), first));
        }
    }
    BOOST_TEST(next == bench.pci.writes.size());
    BOOST_TEST(returned.size() == ranges.size());
    bench.simulation.require_drained();
}

BOOST_DATA_TEST_CASE(a_store_takes_an_issue_per_instruction, kKinds* data::make({0, 4, 11}), kind, issue)
{
    hw::HostParams params;
    params.store_issue = Cycles(issue);
    params.posted_writes = 1024;
    HostBench bench(params);
    const std::vector<Piece> ranges{{0, 1}, {0, 4}, {2, 4}, {0, 64}, {60, 64}, {3, 100}};
    std::vector<Duration> returned;
    bench.run(store_all(bench.cpu, kind, ranges, pattern(100), returned));
    Duration time;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        for (const Piece& piece : cut(ranges[i].address, ranges[i].size, gather(params, kind))) {
            time += bench.clocks(Cycles(issue) * instructions(piece.size, kind));
        }
        BOOST_TEST(returned.at(i) == time);
    }
}

BOOST_DATA_TEST_CASE(transactions_leave_in_the_rhythm_in_which_they_are_issued, kKinds, kind)
{
    hw::HostParams params;
    params.store_issue = 400_cycles;
    HostBench bench(params);
    std::vector<Duration> returned;
    const std::vector<Piece> ranges{{0, 256}};
    bench.run(store_all(bench.cpu, kind, ranges, pattern(256), returned));
    Duration issued;
    const auto pieces = cut(0, 256, gather(params, kind));
    BOOST_TEST_REQUIRE(bench.pci.writes.size() == pieces.size());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        issued += bench.clocks(params.store_issue * instructions(pieces[i].size, kind));
        BOOST_TEST(bench.pci.writes[i].asked == issued + params.crossing);
    }
}

/// With p places the n-th transaction finds one when the one p before it has left the bus.
BOOST_DATA_TEST_CASE(a_store_stalls_while_the_posted_writes_are_full,
                     data::make({1, 2, 8}) * data::make({8, 9, 20, 64}), places, transactions)
{
    hw::HostParams params;
    params.posted_writes = places;
    params.store_issue = 1_cycles;
    HostBench bench(params);
    bench.pci.write_takes = 2_us;
    std::vector<Duration> returned;
    const std::vector<Piece> ranges{{0, 4 * static_cast<std::uint64_t>(transactions)}};
    bench.run(store_all(bench.cpu, StoreKind::kSingle, ranges, pattern(256), returned));
    const auto& writes = bench.pci.writes;
    BOOST_TEST_REQUIRE(writes.size() == static_cast<std::size_t>(transactions));
    const Duration issue = bench.clocks(params.store_issue);
    const Duration last_in = transactions > places
                                 ? writes[static_cast<std::size_t>(transactions - places) - 1].answered + issue
                                 : issue * transactions;
    BOOST_TEST(returned.at(0) == last_in);
}

Task<> use_memory(PcProcessor& cpu, std::vector<std::byte> bytes, std::vector<std::byte>& read, Duration& stored,
                  Duration& loaded)
{
    const StoreRequest store{StoreKind::kMemcpy, 0x777, bytes.data(), static_cast<std::uint32_t>(bytes.size())};
    co_await cpu.store(store);
    stored = cpu.time();
    const LoadRequest load{0x777, read.data(), static_cast<std::uint32_t>(read.size())};
    co_await cpu.load(load);
    loaded = cpu.time();
}

BOOST_DATA_TEST_CASE(local_memory_takes_its_time_for_each_line_and_no_bus,
                     data::make({0_ns, 100_ns}) * data::make({1, 300}) * data::make({false, true}), access, size,
                     caches)
{
    hw::HostParams params;
    params.local_access = access;
    if (!caches) params.cache = 0_B;
    HostBench bench(params);
    const auto bytes = pattern(static_cast<std::size_t>(size));
    std::vector<std::byte> read(bytes.size());
    Duration stored, loaded;
    bench.run(use_memory(bench.cpu, bytes, read, stored, loaded));
    const std::int64_t line = params.cache_line.count();
    const std::int64_t lines = (0x777 % line + size + line - 1) / line;
    const std::int64_t whole = std::max<std::int64_t>(0, (0x777 + size) / line - (0x777 + line - 1) / line);
    BOOST_TEST(stored == access * (lines - whole) + params.line_write * whole);
    const Duration again = caches ? params.cache_hit * Clock(params.clock) : access;
    BOOST_TEST(loaded == stored + again * lines);
    BOOST_TEST((read == bytes));
    BOOST_TEST(bench.pci.writes.empty());
}

Task<> spend(PcProcessor& cpu, Duration& after_compute, Duration& after_library)
{
    co_await cpu.compute(777_ns);
    after_compute = cpu.time();
    co_await cpu.library_call();
    after_library = cpu.time();
}

BOOST_AUTO_TEST_CASE(computing_and_library_calls_take_their_time)
{
    HostBench bench;
    Duration after_compute, after_library;
    bench.run(spend(bench.cpu, after_compute, after_library));
    BOOST_TEST(after_compute == 777_ns);
    BOOST_TEST(after_library == 777_ns + bench.params.library);
    BOOST_TEST(bench.cpu.finished());
}

Task<> store_and_catch(PcProcessor& cpu, std::uint64_t address, bool& refused)
{
    const auto bytes = pattern(8);
    const StoreRequest request{StoreKind::kSingle, address, bytes.data(), 8};
    try {
        co_await cpu.store(request);
    } catch (const UserError&) {
        refused = true;
    }
    const StoreRequest right{StoreKind::kSingle, HostBench::kWindow, bytes.data(), 8};
    co_await cpu.store(right);
}

/// The segment is as large as the memory of the bench.
BOOST_DATA_TEST_CASE(a_store_that_leaves_its_mapping_is_refused_before_it_is_made, data::make({-8, -7, -1, 0, 4088}),
                     bytes_after)
{
    HostBench bench;
    bool refused = false;
    const std::uint64_t address = HostBench::kWindow + bench.memory.size() + static_cast<std::uint64_t>(bytes_after);
    bench.run(store_and_catch(bench.cpu, address, refused));
    BOOST_TEST(refused == (bytes_after > -8));
    BOOST_TEST(bench.pci.writes.size() == (refused ? 2u : 4u));
    BOOST_TEST(bench.cpu.finished());
}

Task<> give_up(PcProcessor& cpu)
{
    co_await cpu.compute(1_us);
    throw std::runtime_error("enough");
}

BOOST_AUTO_TEST_CASE(what_a_program_throws_ends_the_run_with_its_name_rank_and_time)
{
    HostBench bench;
    const auto says = [](const ModelError& error) {
        return error.what() == fmt::format("program on processor {} fails at 1.000 us: enough", HostBench::kMe);
    };
    BOOST_CHECK_EXCEPTION(bench.run(give_up(bench.cpu)), ModelError, says);
    BOOST_TEST(now() == 1_us);
}

Task<> nothing(PcProcessor&) { co_return; }

BOOST_AUTO_TEST_CASE(a_processor_takes_one_program)
{
    HostBench bench;
    bench.run(nothing(bench.cpu));
    BOOST_TEST(bench.cpu.finished());
    BOOST_CHECK_THROW(bench.cpu.run(nothing(bench.cpu), "second"), ModelError);
}

namespace {

constexpr std::uint64_t kRemote = HostBench::kWindow + 0x4000;

/// Loads ranges one after the other into `bytes`, and notes when each load returned.
Task<> load_all(PcProcessor& cpu, const std::vector<Piece>& ranges, std::uint32_t width,
                std::vector<std::vector<std::byte>>& bytes, std::vector<Duration>& returned)
{
    for (const Piece& range : ranges) {
        auto& into = bytes.emplace_back(range.size);
        const LoadRequest request{range.address, into.data(), static_cast<std::uint32_t>(range.size), width};
        co_await cpu.load(request);
        returned.push_back(cpu.time());
    }
}

/// The bytes read by each instruction: as wide as allowed, aligned to its size, and within the range.
std::vector<Piece> instructions(std::uint64_t address, std::size_t size, std::size_t width)
{
    std::vector<Piece> pieces;
    for (const std::uint64_t end = address + size; address < end; address += pieces.back().size) {
        std::size_t bytes = width;
        while (address % bytes != 0 || address + bytes > end) bytes /= 2;
        pieces.push_back({address, bytes});
    }
    return pieces;
}

/// A remote access that the bridge takes at once: out, over the bus, and back.
Duration round_trip(const HostBench& bench) { return bench.params.read_crossing * 2 + bench.pci.write_takes; }

}  // namespace

BOOST_DATA_TEST_CASE(a_remote_load_is_one_read_after_the_other_each_of_its_width_and_aligned,
                     data::make({1u, 2u, 4u, 8u}), width)
{
    HostBench bench;
    std::vector<Piece> ranges;
    for (const std::uint64_t offset : {0u, 1u, 4u, 7u, 12u, 15u}) {
        for (const std::uint64_t size : {1u, 4u, 8u, 13u, 64u}) ranges.push_back({kRemote + offset, size});
    }
    std::vector<std::vector<std::byte>> bytes;
    std::vector<Duration> returned;
    bench.run(load_all(bench.cpu, ranges, width, bytes, returned));
    const auto& reads = bench.pci.writes;
    std::size_t next = 0;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        for (const Piece& piece : instructions(ranges[i].address, ranges[i].size, width)) {
            BOOST_TEST_REQUIRE(next < reads.size());
            const PciProbe::Write& read = reads[next];
            BOOST_TEST(read.read);
            BOOST_TEST(read.address == piece.address);
            BOOST_TEST(read.bytes.size() == piece.size);
            BOOST_TEST(read.address / 16 == (read.address + read.bytes.size() - 1) / 16);
            BOOST_TEST(read.asked ==
                       round_trip(bench) * static_cast<std::int64_t>(next++) + bench.params.read_crossing);
        }
        BOOST_TEST(returned.at(i) == round_trip(bench) * static_cast<std::int64_t>(next));
        BOOST_TEST((bytes.at(i) == pci_memory(ranges[i].address, ranges[i].size)));
    }
    BOOST_TEST(next == reads.size());
    bench.simulation.require_drained();
}

Task<> store_and_load(PcProcessor& cpu, std::vector<std::byte> bytes, std::byte* into, Duration& stored,
                      Duration& loaded)
{
    const StoreRequest store{StoreKind::kSingle, kRemote, bytes.data(), static_cast<std::uint32_t>(bytes.size())};
    co_await cpu.store(store);
    stored = cpu.time();
    const LoadRequest load{kRemote, into, 4};
    co_await cpu.load(load);
    loaded = cpu.time();
}

BOOST_DATA_TEST_CASE(a_load_waits_for_room_in_the_bridge_and_follows_all_stores,
                     data::make({1, 2, 8}) * data::make({1u, 2u, 9u}), places, stores)
{
    hw::HostParams params;
    params.posted_writes = places;
    HostBench bench(params);
    std::vector<std::byte> into(4);
    Duration stored, loaded;
    bench.run(store_and_load(bench.cpu, pattern(4 * stores), into.data(), stored, loaded));
    const auto& all = bench.pci.writes;
    BOOST_TEST_REQUIRE(all.size() == stores + 1u);
    for (unsigned i = 0; i < stores; ++i) BOOST_TEST(!all[i].read);
    BOOST_TEST(all[stores].read);
    // The bridge has a free entry when the store that many entries before it has left
    const auto room = static_cast<unsigned>(places) > stores
                          ? stored
                          : std::max(stored, all[stores - static_cast<unsigned>(places)].answered);
    BOOST_TEST(all[stores].asked == std::max(room + params.read_crossing, all[stores - 1].answered));
    BOOST_TEST(loaded == all[stores].answered + params.read_crossing);
    BOOST_TEST((into == pci_memory(kRemote, 4)));
}

Task<> store_nothing_and_load_nothing(PcProcessor& cpu)
{
    const StoreRequest store{StoreKind::kMmx, kRemote, nullptr, 0};
    co_await cpu.store(store);
    const LoadRequest load{kRemote, nullptr, 0};
    co_await cpu.load(load);
}

BOOST_AUTO_TEST_CASE(no_bytes_take_no_time_and_no_bus)
{
    HostBench bench;
    bench.run(store_nothing_and_load_nothing(bench.cpu));
    BOOST_TEST(bench.cpu.finished());
    BOOST_TEST(now() == 0_ns);
    BOOST_TEST(bench.pci.writes.empty());
}

Task<> store_and_barrier(PcProcessor& cpu, std::vector<std::byte> bytes, Duration& stored, Duration& returned)
{
    const StoreRequest store{StoreKind::kSingle, kRemote, bytes.data(), static_cast<std::uint32_t>(bytes.size())};
    co_await cpu.store(store);
    stored = cpu.time();
    co_await cpu.barrier();
    returned = cpu.time();
}

BOOST_DATA_TEST_CASE(a_barrier_is_a_read_of_the_cards_register_behind_the_stores,
                     data::make({1u, 8u, 20u}) * data::make({0, 5}), stores, retries)
{
    HostBench bench;
    bench.pci.write_answers = std::deque<bool>(stores, true);
    bench.pci.write_answers.insert(bench.pci.write_answers.end(), static_cast<std::size_t>(retries), false);
    Duration stored, returned;
    bench.run(store_and_barrier(bench.cpu, pattern(4 * stores), stored, returned));
    const auto& all = bench.pci.writes;
    BOOST_TEST_REQUIRE(all.size() == stores + static_cast<unsigned>(retries) + 1);
    for (unsigned i = 0; i < stores; ++i) BOOST_TEST(!all[i].read);
    for (std::size_t i = stores; i < all.size(); ++i) {
        BOOST_TEST(all[i].read);
        BOOST_TEST(all[i].address == HostBench::kWindow + CardWindow::kBarrierRegister);
    }
    BOOST_TEST(returned == all.back().answered + bench.params.read_crossing);
}

/// It flushes as well, or the gathered bytes would wait for their time-out.
BOOST_AUTO_TEST_CASE(a_free_barrier_flushes_without_waiting)
{
    hw::HostParams params;
    params.barrier = hw::BarrierKind::kFree;
    HostBench bench(params);
    Duration stored, returned;
    bench.run(store_and_barrier(bench.cpu, pattern(4), stored, returned));
    BOOST_TEST(returned == stored + bench.clocks(params.store_issue));
    BOOST_TEST_REQUIRE(bench.pci.writes.size() == 2u);
    BOOST_TEST(!bench.pci.writes[1].read);
    BOOST_TEST(bench.pci.writes[1].address == HostBench::kWindow + CardWindow::kFlushRegister);
}

Task<> flush_once(PcProcessor& cpu, Duration& returned)
{
    co_await cpu.flush();
    returned = cpu.time();
}

BOOST_AUTO_TEST_CASE(a_flush_is_a_posted_store_to_the_card)
{
    HostBench bench;
    Duration returned;
    bench.run(flush_once(bench.cpu, returned));
    const Duration issued = bench.clocks(bench.params.store_issue);
    BOOST_TEST(returned == issued);
    BOOST_TEST_REQUIRE(bench.pci.writes.size() == 1u);
    BOOST_TEST(!bench.pci.writes[0].read);
    BOOST_TEST(bench.pci.writes[0].address == HostBench::kWindow + CardWindow::kFlushRegister);
    BOOST_TEST(bench.pci.writes[0].asked == issued + bench.params.crossing);
}

namespace {

Task<> take_interrupts(PcProcessor& cpu, Duration from, std::size_t count, std::vector<Duration>& woken)
{
    co_await cpu.compute(from);
    for (std::size_t i = 0; i < count; ++i) {
        co_await cpu.interrupt();
        woken.push_back(cpu.time());
    }
}

/// Interrupts at these times for a program that waits for them from 10 us on. @return when it resumes
std::vector<Duration> wakes(const std::vector<Duration>& interrupts, Duration interrupt)
{
    hw::HostParams params;
    params.interrupt = interrupt;
    HostBench bench(params);
    Timetable timetable("timetable");
    for (const Duration time : interrupts) timetable.at(time, [&bench] { bench.cpu.interrupted(); });
    std::vector<Duration> woken;
    bench.run(take_interrupts(bench.cpu, 10_us, interrupts.size(), woken));
    return woken;
}

}  // namespace

/// An interrupt before the wait, which begins at 10 us, is not lost, and its handler may be done already.
BOOST_DATA_TEST_CASE(an_interrupt_ends_the_wait_when_its_handler_is_done,
                     data::make({1_us, 5_us, 9_us, 10_us, 10'001_ns, 50_us}) * data::make({0_ns, 3_us, 12_us}), time,
                     handler)
{
    BOOST_TEST(wakes({time}, handler) == std::vector{std::max(time + handler, 10_us)},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(each_interrupt_ends_one_wait)
{
    // Two before the wait, one while the second handler runs, two for a program that waits
    const auto woken = wakes({1_us, 8_us, 9_us, 40_us, 41_us}, 5_us);
    const std::vector<Duration> expected{10_us, 13_us, 14_us, 45_us, 46_us};
    BOOST_TEST(woken == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_program_that_waits_for_ever_is_reported)
{
    HostBench bench;
    std::vector<Duration> woken;
    bench.run(take_interrupts(bench.cpu, 1_us, 1, woken));
    BOOST_TEST(woken.empty());
    BOOST_TEST(bench.cpu.pending() == "program waits for an interrupt");
}

namespace {

constexpr std::uint64_t kTo = 0x2000;  ///< in the window

Task<> copy_twice(PcProcessor& cpu, std::vector<Duration>& done)
{
    for (const std::uint32_t size : {64U, 4096U}) {
        const DmaRequest order{.from = 0x3004, .to = HostBench::kWindow + kTo, .size = size};
        co_await cpu.dma(order);
        done.push_back(cpu.time());
    }
}

/// The order that arrived in the transactions from `first` on, if they fill the register.
hw::DmaCopy order_in(const std::vector<PciProbe::Write>& writes, std::size_t first)
{
    std::array<std::byte, sizeof(hw::DmaCopy)> bytes{};
    std::size_t count = 0;
    for (std::size_t i = first; i < writes.size() && count < bytes.size(); ++i) {
        BOOST_TEST(writes[i].address == HostBench::kWindow + CardWindow::kDmaRegister + count);
        BOOST_TEST(!writes[i].read);
        std::copy(writes[i].bytes.begin(), writes[i].bytes.end(), bytes.begin() + static_cast<std::ptrdiff_t>(count));
        count += writes[i].bytes.size();
    }
    BOOST_TEST(count == bytes.size());
    hw::DmaCopy order;
    std::memcpy(&order, bytes.data(), sizeof order);
    return order;
}

/// The status written by the card's engine when it is done.
void finish_at(HostBench& bench, Duration time, std::uint64_t address, std::uint32_t status)
{
    std::vector<std::byte> bytes(sizeof status);
    std::memcpy(bytes.data(), &status, sizeof status);
    bench.write_at(time, address, bytes);
}

}  // namespace

/// For all gathering widths of the bridge, and with the smallest buffers.
BOOST_DATA_TEST_CASE(a_dma_order_is_stored_to_the_card_and_done_when_its_status_is_in_memory,
                     data::make({64, 16, 4}) * data::make({1, 8}), gather, places)
{
    hw::HostParams params;
    params.mmx_gather = Bytes(gather);
    params.posted_writes = places;
    HostBench bench(params);
    std::vector<Duration> done;
    bench.cpu.run(copy_twice(bench.cpu, done), "program");
    const auto transactions = std::max(sizeof(hw::DmaCopy) / static_cast<std::size_t>(gather), std::size_t{1});
    std::uint32_t last_status = 0;  // of the order before
    bench.simulation.run();
    for (const std::uint32_t size : {64U, 4096U}) {
        const auto& writes = bench.pci.writes;
        const std::size_t orders = size == 64 ? 1 : 2;
        BOOST_TEST_REQUIRE(writes.size() == orders * transactions);
        const hw::DmaCopy order = order_in(writes, writes.size() - transactions);
        BOOST_TEST(order.from == 0x3004u);
        BOOST_TEST(order.to == kTo);
        BOOST_TEST(order.size == size);
        BOOST_TEST(order.status != last_status);
        BOOST_TEST(done.size() == orders - 1);
        finish_at(bench, now() + 20_us, order.status_address, last_status);  // another one's end is not its own
        const Duration end = now() + 50_us;
        finish_at(bench, end, order.status_address, order.status);
        bench.simulation.run();
        BOOST_TEST_REQUIRE(done.size() == orders);
        BOOST_TEST(done.back() >= end + params.poll_miss);
        BOOST_TEST(done.back() < end + params.poll_miss + bench.loop());
        last_status = order.status;
    }
    BOOST_TEST(bench.cpu.finished());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
