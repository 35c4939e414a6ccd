// SPDX-License-Identifier: Apache-2.0
/// Parameters that are lists of whole numbers.
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "platforms/configuration.h"
#include "tests/platforms/configuration/configuration_fixture.h"
#include "tests/platforms/configuration/user_error.h"
#include "tests/support/cases.h"
#include "tlm/parameters/parameter_list.h"

using namespace ringmesh;
using namespace ringmesh::platforms::test;
using ringmesh::platforms::Configuration;
using ringmesh::test::error_of;

namespace {

using Integers = std::vector<std::int64_t>;

struct TorusParams {
    Integers sizes{8};
    void visit(ParameterVisitor& visitor) { visitor.field({"sizes", "Sizes", assumed()}, sizes, {2, 4096}); }
};

/// A text, and its list or error message.
struct Written {
    std::string text;
    Integers means;
    friend std::ostream& operator<<(std::ostream& out, const Written& written) { return out << written.text; }
};
struct Wrong {
    std::string text;
    std::string shown;
    std::string message;
    friend std::ostream& operator<<(std::ostream& out, const Wrong& wrong) { return out << wrong.text; }
};

const std::vector<Written> kInFiles{{"8", {8}},     {"[8]", {8}},        {"[8, 4]", {8, 4}},  {"[ 2,4096 ]", {2, 4096}},
                                    {"\"8\"", {8}}, {"\"8x4\"", {8, 4}}, {"\"8,4\"", {8, 4}}, {"\"2x3,4\"", {2, 3, 4}}};
const std::vector<Written> kOnTheCommandLine{
    {"8", {8}},      {"[8]", {8}},    {"[8, 4]", {8, 4}},  {"[8,4]", {8, 4}},
    {"8x4", {8, 4}}, {"8,4", {8, 4}}, {"\"8x4\"", {8, 4}}, {"2x3x4x5", {2, 3, 4, 5}}};

const std::string kNoList = ": not a list of whole numbers; write it such as [8], or \"4x4\"";
const std::string kBelow = " is below 2, the smallest allowed value; write values from 2 to 4096";
const std::string kAbove = " is above 4096, the largest allowed value; write values from 2 to 4096";

const std::vector<Wrong> kWrongInFiles{
    {"[]", "[]", kNoList},
    {"[8, \"x\"]", "[ 8, 'x' ]", kNoList},
    {"[\"8\", \"8\"]", "[ '8', '8' ]", kNoList},
    {"[8, 1.5]", "[ 8, 1.5 ]", kNoList},
    {"[[8]]", "[ [ 8 ] ]", kNoList},
    {"1.5", "1.5", kNoList},
    {"true", "true", kNoList},
    {"\"\"", "\"\"", kNoList},
    {"\"8x\"", "\"8x\"", kNoList},
    {"\"x8\"", "\"x8\"", kNoList},
    {"\"8xx8\"", "\"8xx8\"", kNoList},
    {"\"8 nodes\"", "\"8 nodes\"", kNoList},
    {"\"99999999999999999999\"", "\"99999999999999999999\"", kNoList},
    {"1", "1", ": 1" + kBelow},
    {"[0, 8]", "[ 0, 8 ]", ": 0" + kBelow},
    {"[8, -8]", "[ 8, -8 ]", ": -8" + kBelow},
    {"[8, 4097]", "[ 8, 4097 ]", ": 4097" + kAbove},
    {"\"8x4097\"", "\"8x4097\"", ": 4097" + kAbove},
};
const std::vector<Wrong> kWrongOnTheCommandLine{
    {"", "\"\"", kNoList},
    {"8x", "\"8x\"", kNoList},
    {"8,", "\"8,\"", kNoList},
    {"1.5", "1.5", kNoList},
    {"eight", "\"eight\"", kNoList},
    {"8x0", "\"8x0\"", ": 0" + kBelow},
    {"[0, 8]", "[ 0, 8 ]", ": 0" + kBelow},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_FIXTURE_TEST_SUITE(configuration_list, ConfigurationFixture)

BOOST_DATA_TEST_CASE(a_list_in_a_file_may_be_written_as_people_do, data::make(kInFiles), written)
{
    TorusParams params;
    with("sizes = " + written.text).read_into(params);
    BOOST_TEST(params.sizes == written.means, boost::test_tools::per_element());
}

BOOST_DATA_TEST_CASE(a_list_on_the_command_line_may_be_written_as_people_do, data::make(kOnTheCommandLine), written)
{
    TorusParams params;
    Configuration configuration = with("sizes = [9, 9, 9]\n");
    configuration.set("sizes=" + written.text);
    configuration.read_into(params);
    BOOST_TEST(params.sizes == written.means, boost::test_tools::per_element());
}

BOOST_DATA_TEST_CASE(an_invalid_list_in_a_file_is_reported_with_line_and_cure, data::make(kWrongInFiles), wrong)
{
    TorusParams params;
    const Configuration configuration = with("sizes = " + wrong.text);
    BOOST_TEST(error_of([&] { configuration.read_into(params); }) ==
               kFile + ":3: sizes = " + wrong.shown + wrong.message);
    BOOST_TEST(params.sizes == Integers{8}, boost::test_tools::per_element());
}

BOOST_DATA_TEST_CASE(an_invalid_list_on_the_command_line_is_reported_with_the_assignment,
                     data::make(kWrongOnTheCommandLine), wrong)
{
    TorusParams params;
    Configuration configuration = with("");
    configuration.set("sizes=" + wrong.text);
    BOOST_TEST(error_of([&] { configuration.read_into(params); }) ==
               "--set sizes=" + wrong.text + ": sizes = " + wrong.shown + wrong.message);
}

BOOST_AUTO_TEST_CASE(a_list_is_printed_as_it_may_be_written)
{
    TorusParams params;
    params.sizes = {8, 4};
    const auto rows = list_parameters(params);
    BOOST_TEST_REQUIRE(rows.size() == 1u);
    BOOST_TEST(rows[0].kind == "integers");
    BOOST_TEST(rows[0].value == "[8, 4]");
    BOOST_TEST(!rows[0].quoted);
    BOOST_TEST(rows[0].low == "2");
    BOOST_TEST(rows[0].high == "4096");
    TorusParams again;
    with("sizes = " + rows[0].value).read_into(again);
    BOOST_TEST(again.sizes == params.sizes, boost::test_tools::per_element());
}

BOOST_DATA_TEST_CASE(a_default_outside_its_bounds_is_a_mistake_of_the_model, data::make({1, 4097}), size)
{
    TorusParams params;
    params.sizes = {8, size};
    BOOST_CHECK_THROW(list_parameters(params), ModelError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
