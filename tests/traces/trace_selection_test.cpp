// SPDX-License-Identifier: Apache-2.0
#include "traces/trace_selection.h"

#include <memory>
#include <string>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/traces/waveform_bench.h"
#include "tlm/error.h"

using namespace ringmesh;
using namespace ringmesh::test;

namespace {

/// A block with a block in it: node.fill, node.lc2.link, ...
class Node final : public sc_core::sc_module {
public:
    explicit Node(const sc_core::sc_module_name& name) : sc_module(name) {}
    void trace(sc_core::sc_trace_file* file) const override
    {
        sc_core::sc_trace(file, queue_fill, std::string(name()) + ".queue_fill");
    }
    Block lc2{"lc2"};
    Block bridge{"bridge"};
    int queue_fill = 0;
};

struct Bench {
    TemporaryFolder folder;
    Node node0{"node0"};
    Node node1{"node1"};

    std::string selected(const std::string& patterns)
    {
        Recorder file(to_vcd("run.vcd"));
        trace_selected(file, patterns);
        std::string names;
        for (const std::uint32_t signal : file.signals().order()) names += file.signals()[signal].name + ' ';
        return names;
    }
    std::string problem_with(const std::string& patterns)
    {
        try {
            return "none, but: " + selected(patterns);
        } catch (const UserError& error) {
            return error.what();
        }
    }
};

const std::string kLc20 = "node0.lc2.link node0.lc2.link_id node0.lc2.busy node0.lc2.fill node0.lc2.phase ";
const std::string kLc21 = "node1.lc2.link node1.lc2.link_id node1.lc2.busy node1.lc2.fill node1.lc2.phase ";

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(trace_patterns)

BOOST_DATA_TEST_CASE(a_pattern_matches,
                     data::make({"*", "node0.lc2", "node?.lc2", "*.lc2", "node*2", "*lc2*", "n*d*.*c?"}), pattern)
{
    BOOST_TEST(matches_pattern("node0.lc2", pattern));
}

BOOST_DATA_TEST_CASE(a_pattern_does_not_match,
                     data::make({"", "node0", "lc2", "node0.lc", "node0.lc2?", "*.lc", "?", "node0.*.lc2",
                                 "Node0.lc2"}),
                     pattern)
{
    BOOST_TEST(!matches_pattern("node0.lc2", pattern));
}

BOOST_AUTO_TEST_CASE(many_stars_match_in_bounded_time)
{
    BOOST_TEST(!matches_pattern(std::string(1000, 'a'), "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(trace_selection)

BOOST_AUTO_TEST_CASE(a_module_is_traced_with_all_below)
{
    Bench bench;
    BOOST_TEST(bench.selected("node0.lc2") == kLc20);
    BOOST_TEST(bench.selected("node0") == bench.selected("node0.*"));
    BOOST_TEST(bench.selected("node0").find("node1") == std::string::npos);
    BOOST_TEST(bench.selected("node0").find("node0.queue_fill") != std::string::npos);
    BOOST_TEST(bench.selected("node0").find("node0.bridge.fill") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(patterns_choose_modules_or_single_signals_and_add_up)
{
    Bench bench;
    BOOST_TEST(bench.selected("*.lc2") == kLc20 + kLc21);
    BOOST_TEST(bench.selected("*.queue_fill") == "node0.queue_fill node1.queue_fill ");
    BOOST_TEST(bench.selected("node1.lc2.li*") == "node1.lc2.link node1.lc2.link_id ");
    BOOST_TEST(bench.selected("node1.lc2, node0.queue_fill") == "node0.queue_fill " + kLc21);
    BOOST_TEST(bench.selected("*.lc2,node1.lc2") == kLc20 + kLc21);
}

BOOST_AUTO_TEST_CASE(a_pattern_without_a_match_names_the_nearest)
{
    Bench bench;
    BOOST_TEST(bench.problem_with("node1,nodee0.*") ==
               "--trace nodee0.*: no traced object of this name; did you mean 'node0.*'?");
    BOOST_TEST(bench.problem_with("*.lcc2") == "--trace *.lcc2: no traced object of this name; did you mean '*.lc2'?");
    BOOST_TEST(bench.problem_with("node0.lc2.fil") ==
               "--trace node0.lc2.fil: no traced object of this name; did you mean 'node0.lc2.fill'?");
}

BOOST_AUTO_TEST_CASE(top_level_names_that_differ_in_their_number_are_shown_as_a_range)
{
    Bench bench;
    std::vector<std::unique_ptr<Block>> more;
    for (const char* name : {"node2", "node9", "node10", "mesh", "tile05", "x4"}) {
        more.push_back(std::make_unique<Block>(name));
    }
    BOOST_TEST(bench.problem_with("router") ==
               "--trace router: no traced object of this name; known: mesh, node0..node2, node9..node10, tile05, x4");
}

BOOST_AUTO_TEST_CASE(a_long_list_of_top_level_names_is_cut)
{
    Bench bench;
    std::vector<std::unique_ptr<Block>> more;
    for (char letter = 'a'; letter <= 'p'; ++letter)
        more.push_back(std::make_unique<Block>(std::string(3, letter).c_str()));
    BOOST_TEST(bench.problem_with("router") ==
               "--trace router: no traced object of this name; known: aaa, bbb, ccc, ddd, eee, fff, ggg, hhh, iii, "
               "jjj, kkk, lll, mmm, nnn, node0..node1, ooo and more");
}

BOOST_DATA_TEST_CASE(an_empty_pattern_is_refused, data::make({"", "node0,", ",", "node0,,node1"}), patterns)
{
    Bench bench;
    BOOST_TEST(bench.problem_with(patterns) ==
               "--trace: an empty pattern; write names separated by commas, for example node0,*.lc2");
}

BOOST_AUTO_TEST_CASE(a_machine_without_signals_says_so)
{
    const TemporaryFolder folder;
    Recorder file(to_vcd("run.vcd"));
    BOOST_CHECK_EXCEPTION(trace_selected(file, "*"), UserError, [](const UserError& error) {
        return error.what() == std::string("--trace *: this machine has nothing to trace");
    });
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
