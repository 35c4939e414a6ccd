// SPDX-License-Identifier: Apache-2.0
#include "lab/sql/csv_table.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "tests/support/cases.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;
using workloads::Cell;

/// The only column of a table of these cells.
std::vector<Cell> column_of(const std::vector<std::string>& cells)
{
    std::string text = "a,n\n";
    for (const std::string& cell : cells) text += cell + ",\n";
    std::vector<Cell> column;
    for (const auto& row : sql_table_of(csv_from_text(text, "own.csv")).content.rows) column.push_back(row.at(0));
    return column;
}

Cell cell_of(const std::string& text) { return column_of({text}).at(0); }

std::string error_of(const std::vector<std::string>& cells)
{
    try {
        column_of(cells);
    } catch (const UserError& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(csv_table)

BOOST_AUTO_TEST_CASE(a_table_has_the_name_of_its_file_and_the_columns_of_its_first_line)
{
    const SqlTable table = sql_table_of(csv_from_text("hops,what\n1,x\n", "some/folder/own.csv"));
    BOOST_TEST(table.name == "own.csv");
    BOOST_TEST(table.content.columns.at(1).name == "what");
}

BOOST_DATA_TEST_CASE(blanks_around_a_number_and_its_plus_do_not_count, data::make({"5", " 5", "5\t", "+5", "\" +5 \""}),
                     text)
{
    BOOST_TEST((cell_of(text) == Cell(std::int64_t{5})));
}

BOOST_AUTO_TEST_CASE(numbers_are_as_people_and_programs_write_them)
{
    BOOST_TEST((cell_of("+.5") == Cell(0.5)));
    BOOST_TEST((cell_of("-0.25") == Cell(-0.25)));
    BOOST_TEST((cell_of("1e3") == Cell(1000.0)));
    BOOST_TEST((cell_of("0") == Cell(std::int64_t{0})));
    BOOST_TEST((cell_of("99999999999999999999") == Cell(1e20)));
    BOOST_TEST((cell_of("") == Cell(std::monostate())));
    BOOST_TEST((cell_of("\"  \"") == Cell(std::monostate())));
    BOOST_TEST((cell_of("+-5") == Cell("+-5")));
    BOOST_TEST((cell_of("a b") == Cell("a b")));
}

BOOST_AUTO_TEST_CASE(digits_behind_a_needless_zero_are_ids_and_make_their_column_one_of_texts)
{
    BOOST_TEST((cell_of("007") == Cell("007")));
    BOOST_TEST((column_of({"007", "10", ""}) == std::vector<Cell>{"007", "10", std::monostate()}));
    BOOST_TEST((column_of({"0", "10"}) == std::vector<Cell>{std::int64_t{0}, std::int64_t{10}}));
}

BOOST_DATA_TEST_CASE(a_text_among_numbers_is_told_with_its_place,
                     data::make({"5 ns", "1;5", "007", "\"1,5\""}) ^ data::make({"5 ns", "1;5", "007", "1,5"}), text,
                     shown)
{
    const std::string error = error_of({"0.5", text});
    BOOST_TEST(error.starts_with("own.csv:3: a = " + std::string(shown) + ": "), error);
}

BOOST_DATA_TEST_CASE(a_number_with_more_behind_it_is_an_error_in_a_column_of_such,
                     data::make({"4.07 ms", "-4 MB/s", "12 %", "\"4,07\""}) ^
                         data::make({"4.07 ms", "-4 MB/s", "12 %", "4,07"}),
                     text, shown)
{
    const std::string error = error_of({text, text});
    BOOST_TEST(error.starts_with("own.csv:2: a = " + std::string(shown) + ": "), error);
}

BOOST_DATA_TEST_CASE(names_that_begin_with_digits_are_texts, data::make({"4x4", "2D", "1.0.13", "10_a.sql"}), text)
{
    BOOST_TEST((cell_of(text) == Cell(std::string(text))));
}

BOOST_DATA_TEST_CASE(what_is_no_finite_number_is_an_error_and_not_a_text,
                     data::make({"nan", "nan(1)", "NaN", "-inf", "Infinity", "1e999"}), text)
{
    const std::string error = error_of({"", text});
    BOOST_TEST(error.starts_with("own.csv:3: a = " + std::string(text) + ": "), error);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
