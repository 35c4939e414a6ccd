// SPDX-License-Identifier: Apache-2.0
#include "workloads/remote/remote_read.h"

#include "tests/platforms/configuration/user_error.h"
#include "tests/support/cases.h"
#include "tests/workloads/fakes/fake_machine.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;
using test::cell;
using test::FakeMachine;

struct Bench {
    Simulation simulation{1};
    FakeMachine machine{simulation, 4};
    RemoteRead workload;

    explicit Bench(RemoteReadOptions options) : workload(std::move(options)) {}
    Results run() { return test::run_workload(workload, machine); }
};

const auto kClose = boost::test_tools::tolerance(1e-12);

void check_refused(RemoteReadOptions options, const std::string& message)
{
    Bench bench(std::move(options));
    BOOST_TEST(test::error_of([&] { bench.workload.start(bench.machine); }) == message);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(remote_read)

BOOST_DATA_TEST_CASE(a_block_takes_one_load_for_each_width_in_it_and_narrower_ones_for_the_rest,
                     data::make({1, 2, 4, 8}) * data::make({8, 15, 13, 64, 4096}) * data::make({1, 3}), width, size,
                     repetitions)
{
    Bench bench({.sizes = std::to_string(size), .widths = std::to_string(width), .repetitions = repetitions});
    const auto results = bench.run();
    int loads = 0;
    for (int left = size, widest = width; left > 0; left -= widest, ++loads) {
        while (widest > left) widest /= 2;
    }
    const Duration elapsed = loads * bench.machine.costs.load;
    BOOST_TEST(cell<double>(results, 0, "load_ns") == bench.machine.costs.load.ns(), kClose);
    BOOST_TEST(cell<double>(results, 0, "bandwidth_mb_per_s") == size / elapsed.seconds() / 1e6, kClose);
    BOOST_TEST(cell<double>(results, 0, "bandwidth_mib_per_s") == size / elapsed.seconds() / 1048576, kClose);
}

BOOST_AUTO_TEST_CASE(there_is_a_row_for_each_width_and_size)
{
    Bench bench({.sizes = "64,128", .widths = "8,1"});
    const auto results = bench.run();
    BOOST_TEST_REQUIRE(results.rows.size() == 4u);
    const std::vector<std::pair<std::int64_t, std::int64_t>> expected{{8, 64}, {8, 128}, {1, 64}, {1, 128}};
    for (std::size_t row = 0; row < expected.size(); ++row) {
        BOOST_TEST(cell<std::int64_t>(results, row, "width_bytes") == expected[row].first);
        BOOST_TEST(cell<std::int64_t>(results, row, "size_bytes") == expected[row].second);
    }
}

BOOST_AUTO_TEST_CASE(a_load_wider_than_its_block_has_no_row)
{
    Bench bench({.sizes = "4,1,8", .widths = "8,2"});
    const auto results = bench.run();
    BOOST_TEST_REQUIRE(results.rows.size() == 3u);
    const std::vector<std::pair<std::int64_t, std::int64_t>> expected{{8, 8}, {2, 4}, {2, 8}};
    for (std::size_t row = 0; row < expected.size(); ++row) {
        BOOST_TEST(cell<std::int64_t>(results, row, "width_bytes") == expected[row].first);
        BOOST_TEST(cell<std::int64_t>(results, row, "size_bytes") == expected[row].second);
    }
    BOOST_TEST(results.notes.at(2) == "3 rows left out, in which one load would be wider than the block");
}

BOOST_DATA_TEST_CASE(a_barrier_comes_before_each_block_and_takes_none_of_its_time, data::make({1, 4}), repetitions)
{
    Bench bench({.sizes = "64,8", .widths = "8,4", .repetitions = repetitions});
    const auto results = bench.run();
    BOOST_TEST(bench.machine.processor(0).barriers == 4u * static_cast<unsigned>(repetitions));
    BOOST_TEST(cell<double>(results, 0, "load_ns") == bench.machine.costs.load.ns(), kClose);
}

// The second block is read when the first one has been; the byte changes meanwhile.
BOOST_AUTO_TEST_CASE(a_wrong_byte_ends_the_run)
{
    Bench bench({.sizes = "64", .widths = "8", .repetitions = 2});
    bench.workload.start(bench.machine);
    auto& owner = bench.machine.processor(2);
    const auto window = bench.machine.processor(0).segments().import_and_map(2, 1);
    const std::uint64_t last = (window & ((std::uint64_t{1} << 40) - 1)) + 63;
    bench.machine.agenda.at(1_ns, [&owner, last] {
        const std::byte wrong{0x5a};
        owner.poke(last, std::span(&wrong, 1));
    });
    BOOST_CHECK_THROW(bench.simulation.run(), ModelError);
}

BOOST_AUTO_TEST_CASE(mistakes_in_options_are_refused)
{
    check_refused({.to = 9}, "remote-read: this machine has no rank to = 9; choose one of 0 to 3");
    check_refused({.widths = "4,3"}, "widths = 4,3: no load has 3 bytes; choose some of 1, 2, 4 and 8");
    check_refused({.widths = "16"}, "widths = 16 is out of bounds; a load has 1 to 8 bytes");
    check_refused({.widths = "4,8,4"}, "widths = 4,8,4: 4 is given twice; keep one");
    check_refused({.widths = "1..8"}, "widths = 1..8 lacks a step; write '1..8 x2'");
    check_refused({.sizes = "1,3", .widths = "4,8"},
                  "remote-read: no block of sizes = 1,3 has room for a load of widths = 4,8; take larger sizes or "
                  "narrower loads");
    check_refused({.sizes = "0"}, "sizes = 0 is out of bounds; a block has 1 to 1048576 bytes");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
