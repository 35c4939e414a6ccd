// SPDX-License-Identifier: Apache-2.0
/// What the processor does but poll: stores, loads, computing, programs.
#include <algorithm>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <vector>

#include "tests/hw/host/host_bench.h"
#include "tlm/error.h"

namespace {

namespace data = boost::unit_test::data;
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

BOOST_DATA_TEST_CASE(local_memory_takes_its_access_time_and_no_bus, data::make({0_ns, 100_ns}) * data::make({1, 300}),
                     access, size)
{
    hw::HostParams params;
    params.local_access = access;
    HostBench bench(params);
    const auto bytes = pattern(static_cast<std::size_t>(size));
    std::vector<std::byte> read(bytes.size());
    Duration stored, loaded;
    bench.run(use_memory(bench.cpu, bytes, read, stored, loaded));
    const std::int64_t line = params.cache_line.count();
    const std::int64_t lines = (0x777 % line + size + line - 1) / line;
    BOOST_TEST(stored == access * lines);
    BOOST_TEST(loaded == access * lines * 2);
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
    BOOST_TEST(after_library == 777_ns + bench.params.crossing);
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

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
