// SPDX-License-Identifier: Apache-2.0
#include "traces/windows/first_difference.h"

#include <fstream>
#include <string>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tlm/error.h"

using namespace ringmesh;
using namespace ringmesh::test;

namespace {

const std::string kHead =
    "$date\n 1 2 3\n$end\n$timescale\n 1 ps\n$end\n$scope module node0 $end\n$var integer 8 ! fill $end\n"
    "$var string 1 \" link $end\n$upscope $end\n$enddefinitions $end\n";

void write(const std::string& name, const std::string& text) { std::ofstream(name) << text; }

WaveformComparison compared(const std::string& a, const std::string& b)
{
    write("a.vcd", kHead + a);
    write("b.vcd", kHead + b);
    return compare_waveforms("a.vcd", "b.vcd");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(first_difference)

BOOST_AUTO_TEST_CASE(the_first_time_signal_and_both_values_are_told)
{
    const TemporaryFolder folder;
    const auto comparison = compared("#0\nb0 !\nsidle \"\n#5\nb1 !\n#9\nb10 !\nsecho \"\n",
                                     "#0\nb0 !\nsidle \"\n#5\nb1 !\n#7\nsrequest \"\n#9\nb11 !\n");
    BOOST_REQUIRE(comparison.first.has_value());
    BOOST_TEST((comparison.first->time == 7_ps));
    BOOST_TEST(comparison.first->signal == "node0.link");
    BOOST_TEST(comparison.first->a == "idle");
    BOOST_TEST(comparison.first->b == "request");
    BOOST_TEST(comparison.first->others == 0u);
}

BOOST_AUTO_TEST_CASE(a_change_that_is_none_is_no_difference)
{
    const TemporaryFolder folder;
    const auto comparison =
        compared("#0\nb0 !\nsidle \"\n#5\nb0001 !\n#9\n", "#0\nb0 !\nsidle \"\n#3\nsidle \"\n#5\nb1 !\n#9\n");
    BOOST_TEST(!comparison.first);
    BOOST_TEST(comparison.signals == 2u);
    BOOST_TEST((comparison.compared == Window{0_ps, 9_ps}));
}

BOOST_AUTO_TEST_CASE(only_the_time_that_both_have_is_compared_with_the_state_at_its_start)
{
    const TemporaryFolder folder;
    const auto equal =
        compared("#0\nb0 !\nsidle \"\n#5\nb1 !\n#9\nb10 !\n#30\nb11 !\n", "#7\nb1 !\nsidle \"\n#9\nb10 !\n");
    BOOST_TEST(!equal.first);
    BOOST_TEST((equal.compared == Window{7_ps, 9_ps}));
    const auto other = compared("#0\nb0 !\nsidle \"\n#5\nb1 !\n#9\n", "#7\nb0 !\nsidle \"\n#9\n");
    BOOST_REQUIRE(other.first.has_value());
    BOOST_TEST((other.first->time == 7_ps));
}

BOOST_AUTO_TEST_CASE(signals_of_one_alone_are_named)
{
    const TemporaryFolder folder;
    write("a.vcd", kHead + "#0\nb0 !\nsidle \"\n");
    std::string other = kHead + "#0\nb0 !\nsidle \"\n";
    other.replace(other.find("link"), 4, "bus0");
    write("b.vcd", other);
    const auto comparison = compare_waveforms("a.vcd", "b.vcd");
    BOOST_TEST((comparison.only_in_a == std::vector<std::string>{"node0.link"}));
    BOOST_TEST((comparison.only_in_b == std::vector<std::string>{"node0.bus0"}));
    BOOST_TEST(comparison.signals == 1u);
}

BOOST_DATA_TEST_CASE(what_is_no_waveform_is_told_with_its_line, data::make({0, 1, 2, 3}), i)
{
    const TemporaryFolder folder;
    const std::string texts[] = {"hello\n", kHead + "#0\nb0 %\n", kHead + "#x\n",
                                 "$timescale 1 ns $end\n$enddefinitions $end\n"};
    write("a.vcd", texts[i]);
    write("b.vcd", kHead + "#0\nb0 !\n");
    BOOST_CHECK_EXCEPTION(compare_waveforms("a.vcd", "b.vcd"), UserError,
                          [](const UserError& error) { return std::string(error.what()).starts_with("'a.vcd':"); });
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
