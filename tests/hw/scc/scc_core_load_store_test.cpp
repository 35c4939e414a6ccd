// SPDX-License-Identifier: Apache-2.0
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/hw/scc/core_bench.h"

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(scc_core_load_store)

namespace {

namespace data = boost::unit_test::data;
using namespace ringmesh;
using namespace ringmesh::test;

/// Loads the same bytes again and again; notes how long each took.
Task<> load_often(SccProcessor& cpu, std::uint64_t address, std::span<std::byte> into, std::uint32_t width,
                  std::vector<Duration>& took, std::size_t times)
{
    for (std::size_t i = 0; i < times; ++i) {
        const Duration began = cpu.time();
        co_await load_bytes(cpu, address, into, width);
        took.push_back(cpu.time() - began);
    }
}

}  // namespace

BOOST_DATA_TEST_CASE(a_load_misses_both_caches_once_and_then_hits_the_first, data::make({1, 4, 32, 40, 100}), size)
{
    CoreBench bench;
    const auto address = bench.core.allocate(4096, PageKind::kCached);
    const auto bytes = pattern(static_cast<std::size_t>(size));
    bench.core.poke(address, bytes);
    std::vector<std::byte> into(bytes.size());
    std::vector<Duration> took;
    bench.run(load_often(bench.core, address, into, 4, took, 2));
    const auto instructions = static_cast<std::int64_t>(load_instructions(static_cast<std::uint32_t>(size), 4));
    const std::int64_t lines = (size + 31) / 32;
    BOOST_TEST(took.at(0) == bench.hit() * (instructions - lines) + bench.miss() * lines);
    BOOST_TEST(took.at(1) == bench.hit() * instructions);
    BOOST_TEST((into == bytes));
    BOOST_TEST(bench.core.stats().l2_misses.count() == static_cast<std::uint64_t>(lines));
    BOOST_TEST(bench.core.stats().memory_reads.count() == static_cast<std::uint64_t>(lines));
    BOOST_TEST(bench.core.finished());
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
