// SPDX-License-Identifier: Apache-2.0
#include "lab/table/writers/cells.h"

#include <cstdint>
#include <string>
#include <variant>

#include "lab/table/results.h"
#include "lab/table/writers/json.h"
#include "tests/support/cases.h"

namespace {

using namespace ringmesh::lab;
using ringmesh::workloads::Cell;
using ringmesh::workloads::Results;

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(cells)

BOOST_AUTO_TEST_CASE(a_text_is_a_number_as_a_whole_or_not_at_all)
{
    BOOST_TEST(*number_from<unsigned>("12") == 12u);
    BOOST_TEST(*number_from<double>("1.5") == 1.5);
    for (const char* text : {"", "12 ", "1x", "-1", "4294967296"}) BOOST_TEST(!number_from<unsigned>(text), text);
}

BOOST_AUTO_TEST_CASE(what_sql_has_no_number_for_is_a_text_of_its_digits)
{
    BOOST_TEST(std::get<std::int64_t>(unsigned_cell(INT64_MAX)) == INT64_MAX);
    BOOST_TEST(std::get<std::string>(unsigned_cell(UINT64_MAX)) == "18446744073709551615");
    BOOST_TEST((cell_from(Json::parse("18446744073709551615")) == unsigned_cell(UINT64_MAX)));
    BOOST_TEST(Json::parse("18446744073709551615").as_unsigned() == UINT64_MAX);
}

BOOST_AUTO_TEST_CASE(exact_texts_are_read_back_as_the_same_cells)
{
    BOOST_TEST(exact_text(Cell(std::int64_t{-7})) == "-7");
    BOOST_TEST(*number_from<double>(exact_text(Cell(0.1 + 0.2))) == 0.1 + 0.2);
    BOOST_TEST(exact_text(Cell(std::monostate())).empty());
    BOOST_TEST(!number_of(Cell(std::string("7"))));
}

// A query may name two columns alike; an object of JSON may not
BOOST_AUTO_TEST_CASE(of_two_columns_of_one_name_an_object_holds_the_last)
{
    const Results results{.columns = {{"a", ""}, {"b", ""}, {"a", ""}},
                          .rows = {{std::int64_t{1}, std::int64_t{2}, std::int64_t{3}}},
                          .notes = {}};
    const Json json = results_json(results);
    const auto& row = json.at("rows").values().front();
    BOOST_TEST(row.members().size() == 2u);
    BOOST_TEST(row.at("a").as_integer() == 3);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
