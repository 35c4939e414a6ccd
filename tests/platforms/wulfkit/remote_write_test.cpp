// SPDX-License-Identifier: Apache-2.0
/// The raw writes of [002] on the model's card: which measurement has the published shape.
#include <boost/test/unit_test.hpp>

#include "tests/platforms/wulfkit/ring_bench.h"
#include "tests/workloads/fakes/fake_machine.h"
#include "workloads/remote/remote_read.h"
#include "workloads/remote/remote_write.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using namespace ringmesh::workloads;

template <class RemoteWorkload>
Results measure(RemoteWorkload workload, const platforms::WulfkitParams& params = RingBench::nodes(2))
{
    RingBench bench(params);
    const Results results = run_workload(workload, bench.machine);
    bench.simulation.require_drained();
    return results;
}

/// Part of the peak at 64, 512 and 16384 bytes.
std::vector<double> parts(WriteMethod method)
{
    const auto results = measure(RemoteWrite({.sizes = "64,512,16384", .repetitions = 50, .method = method}));
    std::vector<double> values;
    for (std::size_t row = 0; row < 3; ++row) values.push_back(cell<double>(results, row, "percent_of_peak"));
    return values;
}

}  // namespace

namespace ringmesh::test::remote_write_test {  // outside it, `system` is a function of the C library

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(remote_writes)

BOOST_AUTO_TEST_CASE(blocks_to_one_place_reach_the_peak_when_they_fill_the_stream_buffers)
{
    const auto part = parts(WriteMethod::kSamePlace);
    BOOST_TEST(part[0] < 50);
    BOOST_TEST(part[1] >= 95);
}

BOOST_AUTO_TEST_CASE(blocks_in_a_row_reach_it_whatever_their_size)
{
    const auto part = parts(WriteMethod::kStreaming);
    BOOST_TEST(part[0] >= 90);
    BOOST_TEST(part[1] >= 95);
}

BOOST_AUTO_TEST_CASE(blocks_one_at_a_time_do_not_reach_it_at_512_bytes)
{
    BOOST_TEST(parts(WriteMethod::kSingle)[1] < 90);
}

BOOST_AUTO_TEST_CASE(the_latency_drops_at_each_multiple_of_64_bytes_and_nowhere_else)
{
    const auto results =
        measure(RemoteWrite({.sizes = "4..256 step 4", .repetitions = 2, .method = WriteMethod::kSingle}));
    for (std::size_t row = 1; row < results.rows.size(); ++row) {
        const bool drops = cell<double>(results, row, "latency_ns") < cell<double>(results, row - 1, "latency_ns");
        BOOST_TEST_CONTEXT(cell<std::int64_t>(results, row, "size_bytes"))
        BOOST_TEST(drops == (cell<std::int64_t>(results, row, "size_bytes") % 64 == 0));
    }
}

BOOST_AUTO_TEST_CASE(bytes_that_are_read_remotely_are_those_of_the_owner_with_read_ahead_too)
{
    auto params = RingBench::nodes(2);
    params.psb.read_prefetch = true;
    const auto ahead = measure(RemoteRead({.sizes = "1000", .widths = "4"}), params);
    BOOST_TEST(cell<double>(ahead, 0, "load_ns") > 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test::remote_write_test
