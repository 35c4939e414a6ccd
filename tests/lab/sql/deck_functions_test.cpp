// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "lab/sql/functions.h"
#include "tests/cases.h"

namespace ringmesh::lab::deck_functions_test {
namespace {

double value_of(const std::string& name, const std::vector<workloads::Cell>& arguments)
{
    const auto functions = deck_functions();
    const auto found = std::find_if(functions.begin(), functions.end(),
                                    [&name](const SqlFunction& function) { return function.name == name; });
    BOOST_TEST_REQUIRE((found != functions.end()), name);
    BOOST_TEST_REQUIRE(found->arguments.size() == arguments.size());
    return real_argument(found->scalar(arguments));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(sql_deck_functions)

using workloads::Cell;

/// docs/reference/analytic.md: 24 and 42 clocks of 33 MHz for 64 bytes.
BOOST_AUTO_TEST_CASE(raw_writes_take_bytes_and_clocks)
{
    const auto near = boost::test_tools::tolerance(1e-6);
    BOOST_TEST(value_of("deck_write_mb_per_s", {Cell(32), Cell(3), Cell(2)}) == 64.0 * 33 / 24, near);
    BOOST_TEST(value_of("deck_write_mb_per_s", {Cell(8), Cell(3), Cell(2)}) == 64.0 * 33 / 42, near);
}

BOOST_DATA_TEST_CASE(a_transaction_that_does_not_fill_a_block_is_refused, data::make({-8, 0, 24}), bytes)
{
    BOOST_CHECK_THROW(value_of("deck_write_mb_per_s", {Cell(bytes), Cell(3), Cell(2)}), std::domain_error);
}

BOOST_AUTO_TEST_CASE(a_copy_takes_bytes_and_nanoseconds_and_adds_to_the_write)
{
    const auto near = boost::test_tools::tolerance(1e-12);
    BOOST_TEST(value_of("deck_copy_mb_per_s", {Cell(32), Cell(100.0)}) == 160.0, near);
    BOOST_TEST(value_of("deck_in_series_mb_per_s", {Cell(60.0), Cell(30.0)}) == 20.0, near);
}

/// [002 IV]: 8.56 us and 62.54 MB/s against 9.82 us and 84.12 MB/s cross at 371 B, and at 1024 B from 12.5 us on.
BOOST_AUTO_TEST_CASE(lines_take_microseconds_and_mb_per_s)
{
    const double bytes = value_of("deck_crossing_bytes", {Cell(8.56), Cell(62.54), Cell(9.82), Cell(84.12)});
    BOOST_TEST((bytes > 370.5 && bytes < 371.5), bytes);
    const double us = value_of("deck_latency_for_crossing_us", {Cell(8.56), Cell(62.54), Cell(84.12), Cell(1024)});
    BOOST_TEST((us > 12.45 && us < 12.55), us);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::lab::deck_functions_test
