// SPDX-License-Identifier: Apache-2.0
/// Reads over the PCI bus: their time, their retries, their bytes.
#include <algorithm>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <vector>

#include "tests/hw/pci/pci_bus_bench.h"

namespace {

namespace data = boost::unit_test::data;
using namespace ringmesh;
using namespace ringmesh::test;

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(pci_bus)

BOOST_DATA_TEST_CASE(a_read_takes_address_turnaround_and_a_data_phase_per_word,
                     data::make({33, 66}) * data::make({0, 1, 4}) * data::make({4, 8}), mhz, turnaround, width)
{
    hw::PciParams params;
    params.clock = Frequency::hertz(1'000'000 * mhz);
    params.read_turnaround = Cycles(turnaround);
    params.write_wait = 7_cycles;  // not of a read
    params.width = Bytes(width);
    BusBench bench(params);
    for (int words = 1; words <= 64 / width; ++words) {
        bench.chip(0).request_read_at(10_us * words, kCard + 8 * static_cast<std::uint64_t>(words),
                                      static_cast<std::size_t>(width * words));
    }
    bench.run();
    BOOST_TEST_REQUIRE(bench.chip(1).writes.size() == static_cast<std::size_t>(64 / width));
    for (std::size_t i = 0; i < bench.chip(1).writes.size(); ++i) {
        const auto words = static_cast<std::int64_t>(i) + 1;
        const PciProbe::Write& read = bench.chip(1).writes[i];
        const PciProbe::Answer& answer = bench.chip(0).answers[i];
        BOOST_TEST(read.read);
        BOOST_TEST(read.asked == 10_us * words);
        BOOST_TEST(read.answered == 10_us * words + bench.read(words));
        BOOST_TEST(answer.time == read.answered);
        BOOST_TEST((answer.bytes == pci_memory(kCard + 8 * (i + 1), static_cast<std::size_t>(width * words))));
    }
    bench.simulation.require_drained();
}

/// And the next transaction begins that much later.
BOOST_DATA_TEST_CASE(a_target_that_waits_holds_the_bus, data::make({0_ns, 287_ns, 1_ps}), wait)
{
    BusBench bench;
    bench.chip(1).waits = wait;
    bench.chip(0).request_read_at(1_us, kCard, 64);
    bench.chip(0).request_read_at(1_us, kCard, 4);
    bench.run();
    const auto& reads = bench.chip(1).writes;
    BOOST_TEST_REQUIRE(reads.size() == 2u);
    BOOST_TEST(reads[0].answered == 1_us + bench.read(16) + wait);
    BOOST_TEST(reads[1].asked == reads[0].answered + bench.turnaround());
}

BOOST_DATA_TEST_CASE(a_retried_read_comes_again_until_its_target_has_the_bytes, data::make({1, 2, 10}), retries)
{
    BusBench bench;
    bench.chip(1).take = std::deque<bool>(static_cast<std::size_t>(retries), false);
    bench.chip(1).waits = 1_us;  // not of a retry
    bench.chip(0).again_after = bench.clocks(2);
    bench.chip(0).request_read_at(1_us, kCard + 3, 5);
    bench.run();
    const auto& answers = bench.chip(0).answers;
    BOOST_TEST_REQUIRE(answers.size() == static_cast<std::size_t>(retries) + 1);
    const Duration each = bench.retry() + std::max(bench.clocks(2), bench.turnaround());
    BOOST_TEST(answers.back().time == 1_us + each * retries + bench.read(2) + 1_us);
    BOOST_TEST(answers.back().done);
    BOOST_TEST((answers.back().bytes == pci_memory(kCard + 3, 5)));
    bench.simulation.require_drained();
}

/// A repeatedly retried read leaves the bus to another master in between, and completes in the end.
BOOST_AUTO_TEST_CASE(a_retried_read_and_the_writes_of_its_target_do_not_block_each_other)
{
    BusBench bench;
    bench.chip(1).take = std::deque<bool>(30, false);
    bench.chip(0).again_after = bench.clocks(2);
    bench.chip(0).request_read_at(1_us, kCard, 4);
    for (std::uint64_t i = 0; i < 20; ++i) bench.chip(1).request_at(1_us, 64 * i, pattern(64, i));
    bench.run();
    const auto& writes = bench.chip(0).writes;
    BOOST_TEST_REQUIRE(writes.size() == 20u);
    for (std::size_t i = 1; i < 20; ++i) {
        BOOST_TEST(writes[i].asked > writes[i - 1].answered);
        BOOST_TEST(writes[i].asked <= writes[i - 1].answered + 2 * bench.turnaround() + bench.retry());
    }
    BOOST_TEST(bench.chip(0).answers.back().done);
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
