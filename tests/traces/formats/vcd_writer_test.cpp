// SPDX-License-Identifier: Apache-2.0
#include "traces/formats/vcd_writer.h"

#include <boost/test/unit_test.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/traces/waveform_bench.h"

using namespace ringmesh;
using namespace ringmesh::test;

namespace {

/// The declarations of a file with these signals, without identifiers and types.
std::string declarations(const std::vector<std::string>& names)
{
    const TemporaryFolder folder;
    VcdWriter writer("run.vcd");
    SignalTable signals;
    for (const std::string& name : names) signals.declare({name, SignalKind::kBit, 1});
    writer.finish(signals, {}, {});
    std::string text = text_of("run.vcd");
    text = text.substr(text.find("1 ps\n$end\n") + 10);
    std::string result;
    for (std::size_t line = 0; line < text.size(); line = text.find('\n', line) + 1) {
        const std::string_view rest = std::string_view(text).substr(line, text.find('\n', line) - line);
        if (rest.starts_with("$scope module ")) result += std::string(rest.substr(14, rest.size() - 19)) + "{ ";
        if (rest.starts_with("$upscope")) result += "} ";
        if (rest.starts_with("$var wire 1 ")) {
            const std::string_view name = rest.substr(rest.find(' ', 12) + 1);
            result += std::string(name.substr(0, name.size() - 5)) + ' ';
        }
    }
    return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(vcd_writer)

BOOST_AUTO_TEST_CASE(scopes_are_nested_and_opened_once)
{
    BOOST_TEST(declarations({"a.x", "a.b.y", "c.z", "a.w", "top", "a.b.d.v"}) == "top a{ x w b{ y d{ v } } } c{ z } ");
}

BOOST_AUTO_TEST_CASE(scopes_are_in_the_order_of_their_numbers)
{
    BOOST_TEST(declarations({"n10.x", "n9.x", "n1.x", "n01.x", "n.x", "n9a.x", "m.x"}) ==
               "m{ x } n{ x } n01{ x } n1{ x } n9{ x } n9a{ x } n10{ x } ");
}

BOOST_AUTO_TEST_CASE(signals_of_a_scope_keep_the_order_of_declaration)
{
    std::vector<std::string> names;
    std::string expected = "a{ ";
    for (int n = 40; n > 0; --n) {
        names.push_back("a.s" + std::to_string(n));
        expected += "s" + std::to_string(n) + ' ';
    }
    BOOST_TEST(declarations(names) == expected + "} ");
}

BOOST_AUTO_TEST_CASE(a_signal_may_have_the_name_of_a_scope)
{
    BOOST_TEST(declarations({"a.b", "a.b.c"}) == "a{ b b{ c } } ");
}

BOOST_AUTO_TEST_CASE(brackets_and_white_space_do_not_reach_the_file)
{
    BOOST_TEST(declarations({"a[3].queue [1]\n"}) == "a(3){ queue_(1)_ } ");
}

BOOST_AUTO_TEST_CASE(identifiers_are_unique_and_printable)
{
    constexpr unsigned kMany = 94 * 94 + 95;  // one, two and three characters
    const TemporaryFolder folder;
    VcdWriter writer("run.vcd");
    SignalTable signals;
    for (unsigned n = 0; n < kMany; ++n) signals.declare({"s" + std::to_string(n), SignalKind::kBit, 1});
    writer.begin(signals, 0_ps);
    for (unsigned n = 0; n < kMany; ++n) writer.change_number(n, 0);
    writer.finish(signals, {}, {});
    const std::string text = changes_of("run.vcd");
    std::set<std::string> identifiers;
    for (std::size_t at = text.find("\n0"); at != std::string::npos; at = text.find("\n0", at + 1)) {
        const std::string identifier = text.substr(at + 2, text.find('\n', at + 1) - at - 2);
        for (const char c : identifier) BOOST_REQUIRE(c > ' ' && c < '\x7f');
        identifiers.insert(identifier);
    }
    BOOST_TEST(identifiers.size() == kMany);
}

BOOST_AUTO_TEST_CASE(a_time_without_changes_leaves_no_stamp)
{
    const TemporaryFolder folder;
    VcdWriter writer("run.vcd");
    SignalTable signals;
    const auto fill = signals.declare({"fill", SignalKind::kUnsigned, 8});
    writer.begin(signals, 0_ps);
    writer.end_of_initial_values();
    writer.set_time(5_ps);
    writer.set_time(6_ps);
    writer.change_number(fill, 1);
    writer.set_time(6_ps);
    writer.change_number(fill, 2);
    writer.finish(signals, 6_ps, {});
    BOOST_TEST(changes_of("run.vcd") == "#0\n$dumpvars\n$end\n#6\nb1 !\nb10 !\n");
}

BOOST_AUTO_TEST_CASE(a_run_that_was_stopped_is_told)
{
    const TemporaryFolder folder;
    VcdWriter writer("run.vcd");
    const SignalTable signals;
    writer.begin(signals, 0_ps);
    writer.end_of_initial_values();
    writer.finish(signals, 9_ps, "interrupted at 9 ps");
    BOOST_TEST(changes_of("run.vcd") == "#0\n$dumpvars\n$end\n#9\n$comment interrupted at 9 ps $end\n");
}

BOOST_AUTO_TEST_CASE(a_comment_cannot_end_itself)
{
    const TemporaryFolder folder;
    VcdWriter writer("run.vcd");
    const SignalTable signals;
    writer.comment("an $end too early");
    writer.finish(signals, {}, {});
    BOOST_TEST(text_of("run.vcd").starts_with("$comment an _end too early $end\n"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
