// SPDX-License-Identifier: Apache-2.0
#include "lab/table/writers/csv.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tlm/error.h"

namespace {

namespace data = boost::unit_test::data;
using namespace ringmesh;
using lab::CsvTable;

using Texts = std::vector<std::string>;

CsvTable table_of(const std::string& text) { return lab::csv_from_text(text, "own.csv"); }

std::string error_of(const std::string& text, const std::string& column = {})
{
    try {
        const CsvTable table = table_of(text);
        if (!column.empty()) table.column(column);
    } catch (const UserError& error) {
        return error.what();
    }
    return "no error";
}

void require_cells(const std::string& text, const Texts& expected)
{
    const CsvTable table = table_of(text);
    BOOST_TEST_REQUIRE(table.rows.size() == 1u);
    BOOST_TEST(table.rows.front().cells == expected, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(csv)

BOOST_AUTO_TEST_CASE(the_first_line_names_the_columns)
{
    const CsvTable table = table_of("a,b\n1,2\n3,4\n");
    BOOST_TEST(table.columns == (Texts{"a", "b"}), boost::test_tools::per_element());
    BOOST_TEST(table.rows.size() == 2u);
    BOOST_TEST(table.rows[1].cells == (Texts{"3", "4"}), boost::test_tools::per_element());
    BOOST_TEST(table.column("b") == 1u);
}

BOOST_AUTO_TEST_CASE(quoted_cells_hold_commas_quotation_marks_and_line_ends)
{
    require_cells("a,b,c\n\"x,y\",\"say \"\"no\"\"\",\"two\nlines\"\n", {"x,y", "say \"no\"", "two\nlines"});
}

/// As commands write them in front of a table; a line number counts them.
BOOST_AUTO_TEST_CASE(lines_of_comment_are_skipped)
{
    const CsvTable table = table_of("# sweep, \"x\"\r\n# note = y\na,b\n# between\n1,#2\n# end");
    BOOST_TEST(table.columns == (Texts{"a", "b"}), boost::test_tools::per_element());
    BOOST_TEST_REQUIRE(table.rows.size() == 1u);
    BOOST_TEST(table.rows[0].cells == (Texts{"1", "#2"}), boost::test_tools::per_element());
    BOOST_TEST(table.rows[0].line == 5u);
}

BOOST_AUTO_TEST_CASE(cells_may_be_empty) { require_cells("a,b,c\n,\"\",\n", {"", "", ""}); }

BOOST_AUTO_TEST_CASE(blanks_count_within_quotation_marks_alone)
{
    const CsvTable table = table_of("a , b\n x y ,\" z \"\n");
    BOOST_TEST(table.columns == (Texts{"a", "b"}), boost::test_tools::per_element());
    BOOST_TEST(table.rows.at(0).cells == (Texts{"x y", " z "}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(line_ends_of_windows_and_a_byte_order_mark_are_no_text)
{
    const CsvTable table = table_of(
        "\xEF\xBB\xBF"
        "a,b\r\n1,2\r\n3,4");
    BOOST_TEST(table.columns == (Texts{"a", "b"}), boost::test_tools::per_element());
    BOOST_TEST(table.rows.at(0).cells == (Texts{"1", "2"}), boost::test_tools::per_element());
    BOOST_TEST(table.rows.at(1).cells == (Texts{"3", "4"}), boost::test_tools::per_element());
    require_cells("a,b\r\n1,2\r", {"1", "2"});
}

BOOST_AUTO_TEST_CASE(rows_know_the_line_on_which_they_begin)
{
    const CsvTable table = table_of("a,b\n\"two\nlines\",2\n\n3,4\n");
    BOOST_TEST(table.rows.at(0).line == 2u);
    BOOST_TEST(table.rows.at(1).line == 5u);
    BOOST_TEST(table.where(table.rows.at(1)) == "own.csv:5");
}

namespace {

struct Mistake {
    std::string text;
    std::string expected;
};
std::ostream& operator<<(std::ostream& out, const Mistake& mistake) { return out << mistake.expected; }

const std::vector<Mistake> kMistakes{
    {"", "own.csv:1: "},
    {"a,,c\n", "own.csv:1: column 2"},
    {"\na,b,a\n", "own.csv:2: column 'a'"},
    {"a,b\n1,2\n3\n", "own.csv:3: 1 cell where the header has 2 columns; write the cell of 'b'"},
    {"a,b\n1,2,3\n", "own.csv:2: 3 cells where the header has 2 columns"},
    {"a,b\n1,5\"\n", "own.csv:2: cell '5\"'"},
    {"a,b\n1,\"5\" m\n", "own.csv:2: text behind"},
    {"a,b\n1,\"5\n6\n", "own.csv:2: a quotation mark without"},
};

}  // namespace

BOOST_DATA_TEST_CASE(mistakes_are_told_with_file_and_line, data::make(kMistakes))
{
    BOOST_TEST(error_of(sample.text).starts_with(sample.expected), error_of(sample.text));
}

BOOST_AUTO_TEST_CASE(a_missing_column_is_told_with_the_known_ones)
{
    const std::string error = error_of("hops,bytes\n", "hop");
    BOOST_TEST(error.find("own.csv:1: no column 'hop'") == 0u, error);
    BOOST_TEST(error.find("'hops'") != std::string::npos, error);
}

BOOST_AUTO_TEST_CASE(files_are_read)
{
    const ringmesh::test::TemporaryFolder folder;
    BOOST_TEST(lab::read_csv(folder.write("own.csv", "a\n5\n")).rows.at(0).cells.at(0) == "5");
    BOOST_CHECK_THROW(lab::read_csv("none.csv"), UserError);
    BOOST_CHECK_THROW(lab::read_csv(folder.path()), UserError);
    BOOST_CHECK_THROW(lab::read_csv("/dev/zero"), UserError);
    BOOST_CHECK_THROW(lab::read_csv(folder.write("utf16.csv",
                                                 "\xFF\xFE"
                                                 "a")),
                      UserError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
