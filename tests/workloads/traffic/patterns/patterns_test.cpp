// SPDX-License-Identifier: Apache-2.0

#include <array>
#include <cmath>
#include <fstream>
#include <set>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/workloads/fakes/fake_machine.h"
#include "tlm/error.h"
#include "workloads/traffic/pattern.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;
using test::FakeMachine;
using Sizes = std::vector<std::int64_t>;

struct Bench {
    Simulation simulation{1};
    FakeMachine machine;
    Random random{5};

    explicit Bench(const Sizes& sizes) : machine(simulation, TorusShape(sizes).nodes())
    {
        machine.shape = TorusShape(sizes);
    }
    std::unique_ptr<Pattern> make(const std::string& name, PatternOptions options = {})
    {
        return PatternChoice(name)->make(machine.layout(), options);
    }
    /// Where `packets` packets of a node go.
    std::vector<int> chosen(Pattern& pattern, unsigned source, int packets)
    {
        std::vector<int> by_node(machine.nodes());
        for (int i = 0; i < packets; ++i) ++by_node.at(pattern.next(source, random).value());
        return by_node;
    }
};

unsigned node_at(unsigned x, unsigned y, unsigned side) { return x + side * y; }

Layout mesh_of(std::int64_t columns, std::int64_t rows)
{
    return mesh_layout(static_cast<unsigned>(columns), static_cast<unsigned>(rows), false);
}

bool is_near(int count, double expected) { return std::abs(count - expected) <= 4 * std::sqrt(expected) + 1e-9; }

}  // namespace

BOOST_TEST_DONT_PRINT_LOG_VALUE(std::vector<std::int64_t>)

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(traffic_patterns)

BOOST_AUTO_TEST_CASE(open_patterns_lack_the_operations)
{
    const auto names = open_patterns().names();
    BOOST_TEST(names.size() + 3 == PatternPolicy::table().size());
    for (const auto& name : names) BOOST_TEST((PatternChoice(name)->loop == Loop::kOpen), name);
}

BOOST_AUTO_TEST_CASE(a_neighbour_is_one_link_away_and_each_dimension_is_as_likely)
{
    Bench bench({3, 4, 5});
    const auto pattern = bench.make("nearest-neighbour");
    const auto by_node = bench.chosen(*pattern, 59, 30'000);  // at (2, 3, 4), the last of every ring
    for (const unsigned neighbour : {57u, 50u, 11u}) BOOST_TEST(is_near(by_node[neighbour], 10'000));
}

BOOST_DATA_TEST_CASE(the_hot_node_gets_its_part_and_the_rest_is_uniform, data::make({0.0, 0.3, 1.0}), part)
{
    Bench bench({8});
    const auto pattern = bench.make("hot-spot", {.hot_node = 5, .hot_part = part});
    const auto of_others = bench.chosen(*pattern, 2, 70'000);
    BOOST_TEST(of_others[2] == 0);
    BOOST_TEST(is_near(of_others[5], 70'000 * part + 10'000 * (1 - part)));
    BOOST_TEST(is_near(of_others[7], 10'000 * (1 - part)));
    const auto of_hot = bench.chosen(*pattern, 5, 70'000);
    BOOST_TEST(of_hot[5] == 0);
    BOOST_TEST(is_near(of_hot[2], 10'000));
}

BOOST_AUTO_TEST_CASE(chosen_senders_send_to_chosen_receivers_other_than_themselves_and_nobody_else_sends)
{
    Bench bench({8});
    const auto pattern = bench.make("between", {.senders = "1..3 step 2", .receivers = "3,5,6"});
    const auto of_one = bench.chosen(*pattern, 1, 30'000);
    for (unsigned node = 0; node < 8; ++node) {
        BOOST_TEST(is_near(of_one[node], node == 3 || node == 5 || node == 6 ? 10'000 : 0));
    }
    const auto of_three = bench.chosen(*pattern, 3, 30'000);
    for (unsigned node = 0; node < 8; ++node) BOOST_TEST(is_near(of_three[node], node == 5 || node == 6 ? 15'000 : 0));
    for (const unsigned silent : {0u, 2u, 4u, 5u, 6u, 7u}) BOOST_TEST(!pattern->next(silent, bench.random));
}

/// A list of senders, one of receivers, and a part of the message.
const std::vector<std::array<std::string, 3>> kRefusedPairs{
    {"8", "1", "senders = 8: this machine has nodes 0 to 7; choose one of them"},
    {"0", "9", "receivers = 9: this machine has nodes 0 to 7; choose one of them"},
    {"0,4", "4", "receivers = 4: sender 4 has no other node to send to; add a receiver, or take it from senders"},
    {"all", "1", "senders = all cannot be read; write plain numbers of nodes, "},
};

BOOST_AUTO_TEST_CASE(senders_and_receivers_that_do_not_exist_are_refused)
{
    Bench bench({8});
    for (const auto& [senders, receivers, message] : kRefusedPairs) {
        try {
            bench.make("between", {.senders = senders, .receivers = receivers});
            BOOST_ERROR("not refused: " + message);
        } catch (const UserError& error) {
            BOOST_TEST(std::string(error.what()).starts_with(message), error.what());
        }
    }
}

BOOST_AUTO_TEST_CASE(transpose_swaps_coordinates_and_the_diagonal_is_silent)
{
    Bench bench({5, 5});
    const auto pattern = bench.make("transpose");
    for (unsigned x = 0; x < 5; ++x) {
        for (unsigned y = 0; y < 5; ++y) {
            const auto to = pattern->next(static_cast<unsigned>(node_at(x, y, 5)), bench.random);
            BOOST_TEST(to.has_value() == (x != y));
            if (to) BOOST_TEST(*to == node_at(y, x, 5));
        }
    }
}

BOOST_AUTO_TEST_CASE(transpose_of_three_dimensions_swaps_the_outer_ones)
{
    Bench bench({2, 3, 2});
    const auto pattern = bench.make("transpose");
    BOOST_TEST(pattern->next(1 + 2 * 2, bench.random).value() == 2 * 2 + 6u);  // (1, 2, 0) to (0, 2, 1)
}

BOOST_DATA_TEST_CASE(transpose_needs_palindromic_sizes, data::make({Sizes{8}, Sizes{4, 8}, Sizes{2, 2, 3}}), sizes)
{
    Bench bench(sizes);
    BOOST_CHECK_THROW(bench.make("transpose"), UserError);
}

BOOST_AUTO_TEST_CASE(bit_complement_inverts_every_bit_of_the_number)
{
    Bench bench({4, 8});
    const auto pattern = bench.make("bit-complement");
    for (unsigned node = 0; node < 32; ++node) {
        BOOST_TEST(pattern->next(static_cast<unsigned>(node), bench.random).value() == (~node & 31u));
    }
    Bench other({6});
    BOOST_CHECK_THROW(other.make("bit-complement"), UserError);
}

struct Rule {
    const char* pattern;
    std::vector<unsigned> targets;  ///< of 8 nodes, or of the nodes of 4x2

    friend std::ostream& operator<<(std::ostream& out, const Rule& rule) { return out << rule.pattern; }
};

/// Dally and Towles, table 3.1, by hand for numbers of three bits; butterfly by Duato, Yalamanchili and Ni.
BOOST_DATA_TEST_CASE(each_node_of_a_permutation_sends_to_one,
                     data::make(std::vector<Rule>{{"bit-complement", {7, 6, 5, 4, 3, 2, 1, 0}},
                                                  {"bit-reversal", {0, 4, 2, 6, 1, 5, 3, 7}},
                                                  {"shuffle", {0, 2, 4, 6, 1, 3, 5, 7}},
                                                  {"bit-rotation", {0, 4, 1, 5, 2, 6, 3, 7}},
                                                  {"butterfly", {0, 4, 2, 6, 1, 5, 3, 7}},
                                                  {"neighbour", {5, 6, 7, 4, 1, 2, 3, 0}}}),
                     rule)
{
    Bench bench({4, 2});
    const auto pattern = bench.make(rule.pattern);
    for (unsigned node = 0; node < 8; ++node) {
        BOOST_TEST(pattern->next(node, bench.random).value_or(node) == rule.targets[node]);
    }
}

/// With four bits the first and last alone change places.
BOOST_AUTO_TEST_CASE(butterfly_is_no_reversal_of_four_bits)
{
    Bench bench({16});
    const auto pattern = bench.make("butterfly");
    BOOST_TEST(pattern->next(0b0101, bench.random).value() == 0b1100u);
    BOOST_TEST(!pattern->next(0b0110, bench.random));
    BOOST_TEST(bench.make("bit-reversal")->next(0b0101, bench.random).value() == 0b1010u);
}

BOOST_DATA_TEST_CASE(patterns_of_bits_need_a_power_of_two,
                     data::make({"bit-complement", "bit-reversal", "shuffle", "bit-rotation", "butterfly"}) *
                         data::make({6, 7, 12}),
                     name, nodes)
{
    Bench bench({nodes});
    BOOST_CHECK_THROW(bench.make(name), UserError);
}

BOOST_DATA_TEST_CASE(a_random_permutation_hangs_on_its_number_alone, data::make({2, 7, 64}), nodes)
{
    Bench bench({nodes});
    const auto targets = [&](std::int64_t number) {
        const auto pattern = bench.make("random-permutation", {.permutation = number});
        std::vector<unsigned> all;
        for (unsigned node = 0; node < bench.machine.nodes(); ++node) {
            all.push_back(pattern->next(node, bench.random).value_or(node));
        }
        return all;
    };
    const auto first = targets(1);
    BOOST_TEST(std::set<unsigned>(first.begin(), first.end()).size() == first.size());
    BOOST_TEST((first == targets(1)));
    if (nodes == 64) BOOST_TEST((first != targets(2)));
}

BOOST_AUTO_TEST_CASE(hot_spots_get_their_shares_and_the_rest_is_uniform)
{
    Bench bench({8});
    const auto pattern = bench.make("hot-spots", {.hot_shares = "5:0.2,1:0.1"});
    const auto of_others = bench.chosen(*pattern, 2, 70'000);
    BOOST_TEST(of_others[2] == 0);
    BOOST_TEST(is_near(of_others[5], 14'000 + 7'000));
    BOOST_TEST(is_near(of_others[1], 7'000 + 7'000));
    BOOST_TEST(is_near(of_others[0], 7'000));
    const auto of_hot = bench.chosen(*pattern, 5, 70'000);
    BOOST_TEST(of_hot[5] == 0);
    BOOST_TEST(is_near(of_hot[1], 7'000 + 9'000));
    BOOST_TEST(is_near(of_hot[0], 9'000));
}

BOOST_DATA_TEST_CASE(hot_shares_that_make_no_sense_are_refused,
                     data::make({"", "5", "5:", "5:0", "5:1.5", "8:0.1", "5:0.1,5:0.2", "5:0.6,4:0.6", "x:0.1",
                                 "5:0.1,", "-1:0.1"}),
                     shares)
{
    Bench bench({8});
    BOOST_CHECK_THROW(bench.make("hot-spots", {.hot_shares = shares}), UserError);
}

/// Of a table in a file.
struct Table {
    test::TemporaryFolder folder;
    std::string file = folder.path() / "rates.csv";

    explicit Table(const std::string& text) { std::ofstream(file) << text; }
    std::unique_ptr<Pattern> make(Bench& bench) const { return bench.make("table", {.rates = file}); }
};

BOOST_AUTO_TEST_CASE(a_table_sends_to_each_target_by_its_rate_and_each_source_by_the_sum_of_its_own)
{
    Bench bench({8});
    const Table table(
        "\xef\xbb\xbfsource,destination,rate\r\n# a comment, with a comma\n\n0,1,3\n0, 2 ,\t1\n5,0,2\n6,0,0\n");
    const auto pattern = table.make(bench);
    const auto of_first = bench.chosen(*pattern, 0, 40'000);
    BOOST_TEST(is_near(of_first[1], 30'000));
    BOOST_TEST(is_near(of_first[2], 10'000));
    BOOST_TEST(of_first[3] == 0);
    BOOST_TEST(bench.chosen(*pattern, 5, 10)[0] == 10);
    for (const unsigned silent : {1u, 6u}) BOOST_TEST(!pattern->next(silent, bench.random));
    // Both senders together send 6: 3 on average
    BOOST_TEST(pattern->weight(0) == 4.0 / 3, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(pattern->weight(5) == 2.0 / 3, boost::test_tools::tolerance(1e-12));
}

/// A text, and where it is wrong.
const std::vector<std::array<std::string, 2>> kWrongTables{
    {"0,1,1\n0,8,1\n", ":2:3: destination = 8"},
    {"-1,1,1\n", ":1:1: source = -1"},
    {"0,1,x\n", ":1:5: rate = x"},
    {"0,1,-1\n", ":1:5: rate = -1"},
    {"0,1,inf\n", ":1:5: rate = inf"},
    {"0,0,1\n", ":1:3: node 0 would send to itself"},
    {"0,1\n", ":1: 2 cells"},
    {"0,1,1\n\n0,1,2\n", ":3:1: flow from 0 to 1 is in line 1"},
    {"# nothing\n", ": no flow"},
    {"0,1,0\n", ": no flow"},
};

BOOST_AUTO_TEST_CASE(a_table_with_a_mistake_is_refused_with_its_place)
{
    Bench bench({8});
    for (const auto& [text, place] : kWrongTables) {
        const Table table(text);
        try {
            table.make(bench);
            BOOST_ERROR("not refused: " + text);
        } catch (const UserError& error) {
            BOOST_TEST(std::string(error.what()).starts_with(table.file + place), error.what());
        }
    }
    BOOST_CHECK_THROW(bench.make("table", {.rates = "no/such/file.csv"}), UserError);
    BOOST_CHECK_THROW(bench.make("table"), UserError);
}

BOOST_AUTO_TEST_CASE(who_would_send_to_itself_does_so_if_asked)
{
    Bench bench({4, 4});
    for (const auto* name : {"transpose", "bit-reversal", "shuffle", "bit-rotation", "butterfly"}) {
        BOOST_TEST(!bench.make(name)->next(0, bench.random));
        BOOST_TEST(bench.make(name, {.self = true})->next(0, bench.random).value() == 0u);
    }
}

/// Nodes that a pattern chooses from, each as likely.
void check_chosen(Bench& bench, Pattern& pattern, unsigned source, const std::set<unsigned>& expected)
{
    const auto by_node = bench.chosen(pattern, source, 10'000);
    for (unsigned node = 0; node < by_node.size(); ++node) {
        BOOST_TEST(
            is_near(by_node[node], expected.count(node) != 0 ? 10'000.0 / static_cast<double>(expected.size()) : 0));
    }
}

BOOST_AUTO_TEST_CASE(the_nearest_nodes_are_those_so_many_links_away)
{
    Bench bench({5, 5});
    check_chosen(bench, *bench.make("nearest", {.distance = 1}), 12, {13, 17});  // rings of one direction
    const auto torus = PatternChoice("nearest")->make(mesh_layout(5, 5, true), {.distance = 1});
    check_chosen(bench, *torus, 0, {1, 4, 5, 20});
    const auto open = PatternChoice("nearest")->make(mesh_of(5, 5), {.distance = 2});
    check_chosen(bench, *open, 0, {1, 2, 5, 6, 10});
    check_chosen(bench, *open, 24, {23, 22, 19, 18, 14});
}

BOOST_AUTO_TEST_CASE(a_quadrant_is_the_same_half_in_each_dimension)
{
    Bench bench({4, 3});
    const auto pattern = bench.make("quadrant");
    check_chosen(bench, *pattern, 0, {1});
    check_chosen(bench, *pattern, 7, {6, 10, 11});
    Bench line({2, 2});
    BOOST_TEST(!line.make("quadrant")->next(0, bench.random));
}

BOOST_DATA_TEST_CASE(tornado_goes_almost_half_way_round, data::make({3, 4, 5, 8, 9}), side)
{
    const auto n = static_cast<unsigned>(side);
    Bench bench({side, 2});
    const auto pattern = bench.make("tornado");
    const auto shift = static_cast<unsigned>(std::ceil(n / 2.0)) - 1;
    for (unsigned x = 0; x < n; ++x) {
        // The rings of 2 nodes contribute nothing: ceil(2 / 2) - 1 = 0
        BOOST_TEST(pattern->next(static_cast<unsigned>(n + x), bench.random).value() == n + (x + shift) % n);
    }
    Bench small({2, 2});
    BOOST_CHECK_THROW(small.make("tornado"), UserError);
}

BOOST_DATA_TEST_CASE(torus_patterns_are_refused_on_other_networks,
                     data::make({"nearest-neighbour", "transpose", "tornado", "neighbour", "nearest", "quadrant"}),
                     name)
{
    Bench bench({4, 4});
    bench.machine.shape.reset();
    BOOST_CHECK_THROW(bench.make(name), UserError);
}

BOOST_DATA_TEST_CASE(a_node_that_does_not_exist_is_refused, data::make({"hot-spot", "one-to-all", "tree-multicast"}),
                     name)
{
    Bench bench({4});
    BOOST_CHECK_THROW(bench.make(name, {.hot_node = 4, .root = 4}), UserError);
    BOOST_CHECK_NO_THROW(bench.make(name, {.hot_node = 3, .root = 3}));
}

BOOST_AUTO_TEST_CASE(only_the_root_sends_once_to_each_other_node_in_turn)
{
    Bench bench({5});
    const auto pattern = bench.make("one-to-all", {.root = 3});
    for (const unsigned to : {4u, 0u, 1u, 2u}) BOOST_TEST(pattern->next(3, bench.random).value() == to);
    BOOST_TEST(!pattern->next(3, bench.random));
    BOOST_TEST(!pattern->next(4, bench.random));
    BOOST_TEST(pattern->messages() == 4u);
}

BOOST_AUTO_TEST_CASE(in_each_step_of_all_to_all_each_node_receives_once)
{
    Bench bench({7});
    const auto pattern = bench.make("all-to-all");
    for (unsigned step = 1; step < 7; ++step) {
        std::set<unsigned> receivers;
        for (unsigned node = 0; node < 7; ++node) {
            const unsigned to = pattern->next(static_cast<unsigned>(node), bench.random).value();
            BOOST_TEST(to == (node + step) % 7);
            receivers.insert(to);
        }
        BOOST_TEST(receivers.size() == 7u);
    }
    BOOST_TEST(!pattern->next(0, bench.random));
    BOOST_TEST(pattern->messages() == 42u);
}

// A binomial tree: after round k, 2^k nodes have the message, and every node got it once.
BOOST_DATA_TEST_CASE(the_tree_reaches_each_node_once_in_log2_rounds, data::make({2, 5, 8, 13, 64}), count)
{
    const auto nodes = static_cast<unsigned>(count);
    Bench bench({count});
    const unsigned root = nodes / 3;
    const auto pattern = bench.make("tree-multicast", {.root = root});
    std::set<unsigned> have{root};
    BOOST_TEST(!pattern->next(static_cast<unsigned>((root + 1) % nodes), bench.random));
    unsigned rounds = 0;
    for (; have.size() < nodes; ++rounds) {
        std::vector<unsigned> receivers;
        for (const unsigned node : have) {
            if (const auto to = pattern->next(static_cast<unsigned>(node), bench.random)) receivers.push_back(*to);
        }
        for (const unsigned to : receivers) {
            BOOST_TEST(have.insert(to).second);
            pattern->reached(static_cast<unsigned>(to));
        }
        BOOST_TEST(have.size() == std::min(nodes, 2u << rounds));
    }
    BOOST_TEST(rounds == static_cast<unsigned>(std::ceil(std::log2(nodes))));
    for (unsigned node = 0; node < nodes; ++node) BOOST_TEST(!pattern->next(static_cast<unsigned>(node), bench.random));
}

BOOST_AUTO_TEST_CASE(uniform_traffic_may_include_the_source)
{
    Bench bench({8});
    const auto by_node = bench.chosen(*bench.make("uniform", {.self = true}), 3, 80'000);
    for (const int count : by_node) BOOST_TEST(is_near(count, 10'000));
    BOOST_TEST(bench.chosen(*bench.make("uniform"), 3, 1'000)[3] == 0);
}

BOOST_DATA_TEST_CASE(mesh_dimensions_do_not_wrap_around, data::make({0u, 1u, 5u, 6u, 23u}), source)
{
    const auto pattern = PatternChoice("nearest-neighbour")->make(mesh_of(6, 4), {});
    std::set<unsigned> beside;
    const unsigned x = source % 6;
    const unsigned y = source / 6;
    if (x > 0) beside.insert(source - 1);
    if (x < 5) beside.insert(source + 1);
    if (y > 0) beside.insert(source - 6);
    if (y < 3) beside.insert(source + 6);
    Random random{5};
    std::vector<int> by_node(24);
    const int each = 5'000;
    for (std::size_t i = 0; i < beside.size() * each; ++i) ++by_node.at(pattern->next(source, random).value());
    for (unsigned node = 0; node < 24; ++node) BOOST_TEST(is_near(by_node[node], beside.contains(node) ? each : 0));
}

BOOST_AUTO_TEST_CASE(a_transposed_or_half_way_node_of_a_mesh_is_that_of_a_torus)
{
    Bench torus({8, 8});
    Random random{5};
    for (const std::string name : {"transpose", "tornado", "bit-complement"}) {
        const auto on_torus = torus.make(name);
        const auto on_mesh = PatternChoice(name)->make(mesh_of(8, 8), {});
        for (unsigned node = 0; node < 64; ++node)
            BOOST_TEST((on_mesh->next(node, random) == on_torus->next(node, random)));
    }
}

BOOST_DATA_TEST_CASE(a_mesh_of_another_shape_is_refused_with_what_to_write,
                     data::make({"transpose", "tornado", "bit-complement"}), name)
{
    const Layout small = std::string(name) == "tornado" ? mesh_of(2, 2) : mesh_of(6, 4);
    try {
        PatternChoice(name)->make(small, {});
        BOOST_ERROR("not refused");
    } catch (const UserError& error) {
        BOOST_TEST(std::string(error.what())
                       .ends_with("; write --set mesh.columns=8 --set mesh.rows=8, or choose another pattern"));
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
