// SPDX-License-Identifier: Apache-2.0
#include "workloads/broadcast/options.h"

#include <boost/test/unit_test.hpp>
#include <string>

#include "tlm/error.h"

namespace ringmesh::workloads::broadcast::options_test {
namespace {

/// The error of these options with `ranks` ranks; empty if accepted.
std::string refusal(const Options& options, unsigned ranks = 48)
{
    try {
        options.require_sound(ranks);
        options.cases();
        return {};
    } catch (const UserError& error) {
        return error.what();
    }
}

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(broadcast_options)

BOOST_AUTO_TEST_CASE(defaults_are_those_of_the_thesis)
{
    Options options;
    const auto of = [&options](Algorithm algorithm) {
        options.algorithm = algorithm;
        return options.cases().at(0);
    };
    BOOST_TEST(of(Algorithm::kCube).part == 4096u);
    BOOST_TEST(of(Algorithm::kCube).pipe == 0u);
    BOOST_TEST(of(Algorithm::kDopl).part == 8192u);
    BOOST_TEST(of(Algorithm::kDopl).pipe == 2048u);
    BOOST_TEST(of(Algorithm::kOwn).part == 0u);
    BOOST_TEST(of(Algorithm::kTree).part == 3072u);
}

BOOST_AUTO_TEST_CASE(repetitions_are_those_of_the_programs_if_0)
{
    Options options;
    options.repetitions = 0;
    options.method = Method::kPartSize;
    BOOST_TEST(options.timed_repetitions(50000) == 5);
    options.method = Method::kPipeSize;
    BOOST_TEST(options.timed_repetitions(50000) == 15);
    options.method = Method::kCurve;
    BOOST_TEST(options.timed_repetitions(8001) == 1000);
    BOOST_TEST(options.timed_repetitions(10000) == 200);
    options.repetitions = 7;
    BOOST_TEST(options.timed_repetitions(10000) == 7);
}

BOOST_AUTO_TEST_CASE(too_few_ranks_or_a_root_outside_are_refused)
{
    Options options;
    BOOST_TEST(
        refusal(options, 1) ==
        "broadcast: ranks = 1: a broadcast needs a rank that has the data and one that lacks it; write 2 or more");
    options.root = 12;
    BOOST_TEST(refusal(options, 12) == "broadcast: root = 12: ranks 0 to 11 take part; choose one of them");
}

BOOST_AUTO_TEST_CASE(sizes_out_of_bounds_are_refused_by_name)
{
    Options options;
    options.size = "0";
    BOOST_TEST(refusal(options) == "broadcast: size = 0 is out of bounds; a broadcast has 1 to 4194304 bytes");
    options.size = "4194305";
    BOOST_TEST(!refusal(options).empty());
    options.size = "50000";
    options.part = "0";
    BOOST_TEST(refusal(options) == "broadcast: part = 0 is out of bounds; a part has 1 to 4194304 bytes");
    options.part = "524288";
    BOOST_TEST(refusal(options).empty());
    options.algorithm = Algorithm::kDopl;
    BOOST_TEST(refusal(options) == "broadcast: part = 524288 is out of bounds; a part has 1 to 8192 bytes");
    options.part = "8192";
    options.pipe = "0";
    BOOST_TEST(refusal(options) == "broadcast: pipe = 0 is out of bounds; a piece has 1 to 8192 bytes");
}

BOOST_AUTO_TEST_CASE(pieces_fit_their_part)
{
    Options options;
    options.algorithm = Algorithm::kDopl;
    options.part = "1024";
    BOOST_TEST(refusal(options) ==
               "broadcast: pipe = 2048: larger than the part of 1024 bytes; write that or less, or larger parts");
    options.part = "8192";
    options.pipe = "3000";
    BOOST_TEST(refusal(options).empty());
    options.method = Method::kPipeSize;
    BOOST_TEST(refusal(options) ==
               "broadcast: pipe = 3000: does not divide the part of 8192 bytes, which method=pipe-size cuts into equal "
               "pieces; write a divisor, or method=curve");
    options.algorithm = Algorithm::kTree;
    options.pipe = "auto";
    options.part = "100";
    BOOST_TEST(refusal(options) == "broadcast: part = 100: the tree's parts are whole lines; write a multiple of 32");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace ringmesh::workloads::broadcast::options_test
