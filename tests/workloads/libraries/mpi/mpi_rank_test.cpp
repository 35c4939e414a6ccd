// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/mpi/mpi_rank.h"

#include <algorithm>

#include "tests/platforms/configuration/user_error.h"
#include "tests/support/cases.h"
#include "tests/workloads/libraries/mpi/mpi_bench.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;
using mpi::Options;
using test::FakeCosts;
using test::MpiBench;

using Counts = std::vector<std::uint64_t>;

/// All buffers of the minimum size.
Options tiny()
{
    return {.short_limit = 60, .eager_limit = 500, .slots = 2, .eager_buffer = 576, .chunk = 100, .chunk_buffers = 1};
}

void check_refused(const Options& options, const std::string& message)
{
    BOOST_TEST(test::error_of([&] { options.require_valid(); }) == message);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(mpi_rank)

BOOST_DATA_TEST_CASE(the_size_alone_chooses_the_protocol, data::make({0, 100}) * data::make({1000, 32768}), short_limit,
                     eager_limit)
{
    MpiBench bench({.short_limit = short_limit, .eager_limit = eager_limit});
    const auto s = static_cast<std::uint32_t>(short_limit);
    const auto e = static_cast<std::uint32_t>(eager_limit);
    bench.sending.run({0, s, s + 1, e - 1, e, e + 1, e + 2});
    const Counts expected{2, 3, 2};
    BOOST_TEST(bench.sending.sent_by_protocol() == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(bytes_are_intact_at_every_border)
{
    MpiBench bench({.chunk = 4096, .chunk_buffers = 3});
    std::vector<std::uint32_t> sizes;
    for (const std::uint32_t border : {0u, 38u, 62u, 64u, 100u, 128u, 4096u, 32768u, 36864u, 40960u, 65536u, 200000u}) {
        if (border > 0) sizes.push_back(border - 1);
        sizes.push_back(border);
        sizes.push_back(border + 1);
    }
    bench.sending.run(sizes);
    BOOST_TEST(bench.sending.received_from.size() == sizes.size());
}

// The fake segments check nothing: an overrun shows as wrong bytes or a broken ring.
BOOST_DATA_TEST_CASE(a_receiver_that_comes_late_loses_nothing_of_the_smallest_buffers, data::make({0, 50, 5000}), late)
{
    MpiBench bench(tiny());
    std::vector<std::uint32_t> sizes;
    for (std::uint32_t i = 0; i < 300; ++i) sizes.push_back(i * 37 % 1500);
    bench.sending.run(sizes, late * 1_us);
    BOOST_TEST(bench.sending.received_from.size() == sizes.size());
    BOOST_TEST(bench.sending.all[1]->statistics().waits > 0u);
}

BOOST_DATA_TEST_CASE(a_receiver_that_copies_slowly_loses_no_chunk, data::make({1, 2, 3}), buffers)
{
    const FakeCosts costs{.poll = 20_us, .flight = [](std::uint64_t) { return 1_us; }};
    MpiBench bench({.eager_limit = 128, .chunk = 100, .chunk_buffers = buffers}, costs);
    bench.sending.run({1000, 1001, 999});
    BOOST_TEST(bench.sending.received_from.size() == 3u);
}

BOOST_AUTO_TEST_CASE(rare_acknowledgements_do_not_block_the_sender)
{
    Options options{.short_limit = 60, .slots = 8, .eager_buffer = 33024, .acknowledge = 4};
    MpiBench bench(options);
    std::vector<std::uint32_t> sizes;
    for (std::uint32_t i = 0; i < 200; ++i) sizes.push_back(i % 3 == 0 ? 60 : i * 977 % 32769);
    bench.sending.run(sizes, 1_ms);
    BOOST_TEST(bench.sending.received_from.size() == sizes.size());
    BOOST_TEST(bench.sending.all[0]->statistics().acknowledgements < sizes.size());
}

BOOST_AUTO_TEST_CASE(blocks_of_short_messages_may_overtake_each_other)
{
    const FakeCosts costs{.flight = [](std::uint64_t n) { return n % 3 == 0 ? 2_us : 1_us; }};
    MpiBench bench({.check = false, .call = Cycles(10)}, costs);
    std::vector<std::uint32_t> sizes;
    for (std::uint32_t i = 0; i < 500; ++i) sizes.push_back(i % 129);
    bench.sending.run(sizes);
    BOOST_TEST(bench.sending.received_from.size() == sizes.size());
}

BOOST_AUTO_TEST_CASE(one_rank_receives_from_all)
{
    MpiBench bench({.eager_buffer = 64 * 1024}, {}, 4);
    bench.sending.run({10, 5000, 60000, 0});
    for (const unsigned rank : {1u, 2u, 3u}) {
        BOOST_TEST(std::count(bench.sending.received_from.begin(), bench.sending.received_from.end(), rank) == 4);
    }
}

BOOST_DATA_TEST_CASE(a_message_as_large_as_the_buffer_fits, data::make({101, 1000, 40000}), size)
{
    const auto bytes = static_cast<std::uint32_t>(size);
    MpiBench fits({}, {}, 2, bytes);
    BOOST_CHECK_NO_THROW(fits.sending.run({bytes}));
}

BOOST_DATA_TEST_CASE(a_message_larger_than_the_buffer_is_refused, data::make({101, 1000, 40000}), size)
{
    const auto bytes = static_cast<std::uint32_t>(size);
    MpiBench bench({}, {}, 2, bytes - 1);
    const std::string expected = "mpi: rank 0 receives " + std::to_string(size) + " bytes of rank 1 in a buffer of " +
                                 std::to_string(size - 1) + "; take a larger one";
    BOOST_CHECK_EXCEPTION(bench.sending.run({bytes}), UserError, [&expected](const auto& error) {
        BOOST_TEST(std::string(error.what()).find(expected) != std::string::npos);
        return true;
    });
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(mpi_options)

BOOST_AUTO_TEST_CASE(options_that_contradict_each_other_are_refused)
{
    BOOST_CHECK_NO_THROW(Options{}.require_valid());
    BOOST_CHECK_NO_THROW(tiny().require_valid());
    check_refused(
        {.short_limit = 101, .slots = 2},
        "mpi: a message of short_limit = 101 takes 3 blocks, and the ring has slots = 2; take short_limit of at "
        "most 100");
    check_refused({.short_limit = 200, .eager_limit = 199},
                  "mpi: short_limit = 200 is more than eager_limit = 199; take at most as much");
    check_refused(
        {.eager_buffer = 32768},
        "mpi: eager_buffer = 32768 must be a multiple of 64 that holds the largest message with its envelope; "
        "take 32832 or more");
    check_refused(
        {.eager_buffer = 65537},
        "mpi: eager_buffer = 65537 must be a multiple of 64 that holds the largest message with its envelope; "
        "take 32832 or more");
    check_refused({.acknowledge = 22},
                  "mpi: with acknowledge = 22 messages of up to 3 blocks, a sender would deadlock with slots = 64; "
                  "take acknowledge of at most 21");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
