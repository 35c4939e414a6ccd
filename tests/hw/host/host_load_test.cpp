// SPDX-License-Identifier: Apache-2.0
/// The processor's loads of remote memory, its barrier and its flush.
#include <algorithm>
#include <bit>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <vector>

#include "tests/hw/host/host_bench.h"

namespace {

namespace data = boost::unit_test::data;
using namespace ringmesh;
using namespace ringmesh::test;

constexpr std::uint64_t kRemote = HostBench::kWindow + 0x4000;

Task<> load_once(PcProcessor& cpu, LoadRequest request, Duration& returned)
{
    co_await cpu.load(request);
    returned = cpu.time();
}

struct Piece {
    std::uint64_t address;
    std::size_t size;
};

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
Duration round_trip(const HostBench& bench) { return bench.params.crossing * 2 + bench.pci.write_takes; }

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(host_processor)

BOOST_DATA_TEST_CASE(a_remote_load_is_one_read_after_the_other_each_of_its_width_and_aligned,
                     data::make({1u, 2u, 4u, 8u}) * data::make({0u, 1u, 4u, 7u, 12u, 15u}) *
                         data::make({1u, 4u, 8u, 13u, 64u}),
                     width, offset, size)
{
    HostBench bench;
    std::vector<std::byte> bytes(size);
    Duration returned;
    bench.run(load_once(bench.cpu, {kRemote + offset, bytes.data(), size, width}, returned));
    const auto pieces = instructions(kRemote + offset, size, width);
    const auto& reads = bench.pci.writes;
    BOOST_TEST_REQUIRE(reads.size() == pieces.size());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        BOOST_TEST(reads[i].read);
        BOOST_TEST(reads[i].address == pieces[i].address);
        BOOST_TEST(reads[i].bytes.size() == pieces[i].size);
        BOOST_TEST(reads[i].address / 16 == (reads[i].address + reads[i].bytes.size() - 1) / 16);
        BOOST_TEST(reads[i].asked == round_trip(bench) * static_cast<std::int64_t>(i) + bench.params.crossing);
    }
    BOOST_TEST(returned == round_trip(bench) * static_cast<std::int64_t>(pieces.size()));
    BOOST_TEST((bytes == pci_memory(kRemote + offset, size)));
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
    BOOST_TEST(all[stores].asked == std::max(room + params.crossing, all[stores - 1].answered));
    BOOST_TEST(loaded == all[stores].answered + params.crossing);
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
    BOOST_TEST(returned == all.back().answered + bench.params.crossing);
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

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
