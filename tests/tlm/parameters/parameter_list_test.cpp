// SPDX-License-Identifier: Apache-2.0
#include "tlm/parameters/parameter_list.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/cases.h"
#include "tlm/error.h"

using namespace ringmesh;
using namespace ringmesh::literals;

namespace {

enum class Arbiter { kRoundRobin, kFixed };
constexpr NameTable<Arbiter, 2> kArbiters{{{{"round_robin", Arbiter::kRoundRobin}, {"fixed", Arbiter::kFixed}}}};

struct FifoParams {
    Bytes depth = 2_KiB;
    Cycles latency = 3_cycles;
    void visit(ParameterVisitor& visitor)
    {
        visitor.field({"depth", "Room in the FIFO", assumed()}, depth, {64_B, 1_MiB});
        visitor.field({"latency", "Cycles through the FIFO", spec("LC2 p.3")}, latency, {0_cycles, 99_cycles});
    }
};

struct LinkParams {
    Duration symbol_time = 4_ns;
    FifoParams fifo;
    Length cable = 1_m;
    void visit(ParameterVisitor& visitor)
    {
        visitor.field({"symbol_time", "One symbol on the link", seed("000 ch.2")}, symbol_time, {1_ps, 1_us});
        visitor.group("fifo", "The bypass FIFO", fifo);
        visitor.field({"cable", "Length of a cable", assumed()}, cable, {0_m, 100_m});
    }
};

struct AllParams {
    LinkParams link;
    Frequency clock = 50_MHz;
    std::int64_t nodes = 8;
    double load = 0.5;
    bool checks = true;
    std::string sizes = "64,128";
    std::string routing = "xy";
    Arbiter arbiter = Arbiter::kFixed;
    void visit(ParameterVisitor& visitor)
    {
        visitor.group("link", "The SCI link", link);
        visitor.field({"clock", "Clock of the B-Link", derived("b")}, clock, {1_MHz, 999_MHz});
        visitor.field({"nodes", "Nodes", calibrated("c")}, nodes, {2, 4096});
        visitor.field({"load", "Offered load", assumed()}, load, {0.0, 1.0});
        visitor.field({"checks", "Whether receivers check", assumed()}, checks);
        visitor.text({"sizes", "Sizes of messages", assumed()}, sizes);
        visitor.choice({"routing", "Routing", assumed()}, routing, {"xy", "yx"});
        visitor.choice({"arbiter", "Arbiter", assumed()}, arbiter, kArbiters);
    }
};

template <class Field>
std::vector<std::string> column(Field field)
{
    std::vector<std::string> cells;
    for (const ParameterRow& row : list_parameters(AllParams{})) cells.push_back(row.*field);
    return cells;
}

using Cells = std::vector<std::string>;

struct NumberParams {
    std::int64_t number = 0;
    std::int64_t other = 0;
    std::string_view other_name = "other";
    std::string colour = "red";
    void visit(ParameterVisitor& visitor)
    {
        visitor.field({"number", "A number", assumed()}, number, {-5, 5});
        visitor.field({other_name, "Another", assumed()}, other, {0, 0});
        visitor.choice({"colour", "A colour", assumed()}, colour, {"red", "green"});
    }
};

/// A parameter that needs another, which comes after it, and a group that needs processors.
struct DependentParams {
    struct Queue {
        std::int64_t slots = 1;
        std::int64_t patience = 1;
        std::string order = "oldest";
        std::string needs = "order";
        void visit(ParameterVisitor& visitor)
        {
            visitor.field({"slots", "Slots"}, slots, {0, 9});
            visitor.when(needs, {"oldest", "open-row"}, [&] {
                visitor.field({"patience", "Patience"}, patience, {0, 9});
            });
            visitor.choice({"order", "Order"}, order, {"fifo", "oldest", "open-row"});
        }
    };
    Queue queue;
    std::int64_t width = 1;
    void visit(ParameterVisitor& visitor)
    {
        visitor.only_if(visitor.nodes() == NodeKind::kProcessor, "there is no queue; build one",
                        [&] { visitor.group("queue", "The queue", queue); });
        visitor.field({"width", "Width"}, width, {0, 9});
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(parameter_list)

BOOST_AUTO_TEST_CASE(keys_carry_their_groups_in_order_of_declaration)
{
    const Cells expected{
        "link.symbol_time", "link.fifo.depth", "link.fifo.latency", "link.cable", "clock", "nodes", "load",
        "checks",           "sizes",           "routing",           "arbiter"};
    BOOST_TEST(column(&ParameterRow::key) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(each_type_has_its_kind)
{
    const Cells expected{"duration", "size",    "cycles", "length", "frequency", "integer",
                         "number",   "boolean", "text",   "choice", "choice"};
    BOOST_TEST(column(&ParameterRow::kind) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(values_and_bounds_are_written_as_a_user_would)
{
    const Cells values{"4 ns", "2 KiB", "3 cycles", "1 m", "50 MHz", "8", "0.5", "true", "64,128", "xy", "fixed"};
    const Cells lows{"1 ps", "64 B", "0 cycles", "0 m", "1 MHz", "2", "0", "", "", "", ""};
    const Cells highs{"1 us", "1 MiB", "99 cycles", "100 m", "999 MHz", "4096", "1", "", "", "", ""};
    BOOST_TEST(column(&ParameterRow::value) == values, boost::test_tools::per_element());
    BOOST_TEST(column(&ParameterRow::low) == lows, boost::test_tools::per_element());
    BOOST_TEST(column(&ParameterRow::high) == highs, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(only_integers_numbers_and_booleans_need_no_quotes)
{
    for (const ParameterRow& row : list_parameters(AllParams{})) {
        const bool bare = row.kind == "integer" || row.kind == "number" || row.kind == "boolean";
        BOOST_TEST(row.quoted == !bare, row.key);
    }
}

BOOST_AUTO_TEST_CASE(a_row_tells_meaning_provenance_source_and_innermost_group)
{
    const auto rows = list_parameters(AllParams{});
    BOOST_TEST(rows[0].meaning == "One symbol on the link");
    BOOST_TEST((rows[0].origin.from == Provenance::kSeed));
    BOOST_TEST(rows[0].origin.source == "000 ch.2");
    BOOST_TEST(rows[0].group_meaning == "The SCI link");
    BOOST_TEST((rows[2].origin.from == Provenance::kSpec));
    BOOST_TEST(rows[2].group_meaning == "The bypass FIFO");
    BOOST_TEST(rows[3].group_meaning == "The SCI link");
    BOOST_TEST(rows[4].group_meaning == "");
    BOOST_TEST((rows[5].origin.from == Provenance::kCalibrated));
    BOOST_TEST(rows[5].origin.set_by == Cells{"c"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_parameter_is_in_use_where_another_has_one_of_the_values_that_it_needs)
{
    DependentParams params;
    for (const std::string order : {"fifo", "oldest", "open-row"}) {
        params.queue.order = order;
        const auto rows = list_parameters(params);
        BOOST_TEST(rows[1].key == "queue.patience");
        BOOST_TEST(rows[1].not_in_use == (order == "fifo" ? "queue.order = \"fifo\"" : ""));
        BOOST_TEST(rows[1].cure == (order == "fifo" ? "set queue.order=oldest or open-row" : ""));
        BOOST_TEST(rows[2].not_in_use == "");
    }
}

BOOST_AUTO_TEST_CASE(of_nested_conditions_the_outermost_that_is_not_met_is_told)
{
    DependentParams params;
    const auto walk = [&params](ParameterVisitor& visitor) { params.visit(visitor); };
    for (const std::string order : {"fifo", "oldest"}) {
        params.queue.order = order;
        const auto rows = list_parameters_of(walk, NodeKind::kPacketSource);
        BOOST_TEST(rows[1].not_in_use == "there is no queue");
        BOOST_TEST(rows[1].cure == "build one");
        BOOST_TEST(rows[3].not_in_use == "");
    }
}

BOOST_AUTO_TEST_CASE(a_condition_on_a_parameter_that_does_not_exist_is_an_error)
{
    DependentParams params;
    params.queue.needs = "oder";
    BOOST_CHECK_THROW(list_parameters(params), ModelError);
}

BOOST_AUTO_TEST_CASE(choices_are_listed_whether_named_by_text_or_enumeration)
{
    const auto rows = list_parameters(AllParams{});
    BOOST_TEST(rows[8].choices.empty());
    BOOST_TEST(rows[9].choices == (Cells{"xy", "yx"}), boost::test_tools::per_element());
    BOOST_TEST(rows[10].choices == (Cells{"round_robin", "fixed"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_list_is_of_the_values_handed_in_and_leaves_them)
{
    AllParams params;
    params.link.fifo.depth = 128_B;
    params.arbiter = Arbiter::kRoundRobin;
    const auto rows = list_parameters(params);
    BOOST_TEST(rows[1].value == "128 B");
    BOOST_TEST(rows[10].value == "round_robin");
    BOOST_TEST((params.arbiter == Arbiter::kRoundRobin));
}

BOOST_DATA_TEST_CASE(a_value_is_listed_up_to_its_bounds_and_refused_beyond, data::make({-6, -5, 5, 6}), value)
{
    NumberParams params;
    params.number = value;
    if (value >= -5 && value <= 5) {
        BOOST_TEST(list_parameters(params)[0].value == std::to_string(value));
    } else {
        BOOST_CHECK_THROW(list_parameters(params), ModelError);
    }
}

BOOST_AUTO_TEST_CASE(a_key_declared_twice_is_refused)
{
    NumberParams params;
    BOOST_CHECK_NO_THROW(list_parameters(params));
    params.other_name = "number";
    BOOST_CHECK_THROW(list_parameters(params), ModelError);
}

BOOST_AUTO_TEST_CASE(a_default_outside_its_choices_is_refused)
{
    NumberParams params;
    params.colour = "green";
    BOOST_CHECK_NO_THROW(list_parameters(params));
    params.colour = "blue";
    BOOST_CHECK_THROW(list_parameters(params), ModelError);
}

BOOST_DATA_TEST_CASE(a_number_reads_back_as_itself, data::make({0.0, 0.1, -1.5, 1e300, 1.0 / 3, 12345678.9}), value)
{
    BOOST_TEST(std::stod(number_text(value)) == value);
}

BOOST_DATA_TEST_CASE(a_number_that_json_cannot_hold_is_refused,
                     data::make({std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}),
                     value)
{
    BOOST_CHECK_THROW(number_text(value), ModelError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
