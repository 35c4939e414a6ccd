// SPDX-License-Identifier: Apache-2.0
#include "lab/table/writers/text_table.h"

#include <chrono>
#include <limits>

#include "lab/process/progress_bar.h"
#include "tests/support/cases.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;

TextTable example()
{
    TextTable table({{"name"}, {"latency", Align::kRight, "ns"}, {"meaning"}});
    table.row({"a", "4,177.0", "first"});
    table.row({"longer", "1", ""});
    return table;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(text_table)

BOOST_AUTO_TEST_CASE(two_digits_need_no_exponent)
{
    BOOST_TEST(two_digits(0) == "0");
    BOOST_TEST(two_digits(1.24) == "1.2");
    BOOST_TEST(two_digits(0.0051) == "0.0051");
    BOOST_TEST(two_digits(99.4) == "99");
    BOOST_TEST(two_digits(153.7) == "154");
    BOOST_TEST(two_digits(12'345.6) == "12346");
    BOOST_TEST(two_digits(-0.0002) == "-<0.001");
    BOOST_TEST(signed_two_digits(-260) == "-260");
    BOOST_TEST(signed_two_digits(35.2) == "+35");
}

BOOST_AUTO_TEST_CASE(columns_are_as_wide_as_their_widest_cell_and_lines_have_no_blanks_at_their_end)
{
    BOOST_TEST(example().text() ==
               "name    latency  meaning\n"
               "             ns\n"
               "------  -------  -------\n"
               "a       4,177.0  first\n"
               "longer        1\n");
}

BOOST_AUTO_TEST_CASE(without_units_there_is_no_line_for_them)
{
    TextTable table({{"a"}});
    table.row({"x"});
    BOOST_TEST(table.text(2) == "  a\n  -\n  x\n");
}

BOOST_AUTO_TEST_CASE(a_section_is_a_line_between_rows)
{
    TextTable table({{"a"}, {"b"}});
    table.section("one: with a heading longer than the columns");
    table.row({"x", "y"});
    BOOST_TEST(table.text() == "a  b\n-  -\n\none: with a heading longer than the columns\nx  y\n");
}

BOOST_AUTO_TEST_CASE(markdown_repeats_the_header_in_each_section_and_escapes_bars)
{
    TextTable table({{"a"}, {"b", Align::kRight, "ns"}});
    table.section("one");
    table.row({"x|y", ""});
    table.section("two");
    table.row({"z", "1"});
    BOOST_TEST(table.markdown() ==
               "### one\n\n| a | b [ns] |\n| --- | ---: |\n| x\\|y | |\n"
               "\n### two\n\n| a | b [ns] |\n| --- | ---: |\n| z | 1 |\n");
}

BOOST_AUTO_TEST_CASE(characters_of_several_bytes_take_one_column)
{
    TextTable table({{"a"}, {"b"}});
    table.row({"\u00b5s", "x"});
    table.row({"abc", "y"});
    BOOST_TEST(table.text() == "a    b\n---  -\n\u00b5s   x\nabc  y\n");
}

BOOST_AUTO_TEST_CASE(long_titles_are_wrapped_where_the_table_would_be_too_wide)
{
    const auto with = [](std::size_t width_of_text) {
        TextTable table({{"text"}, {"round trip mean", Align::kRight, "ns"}, {"hops", Align::kRight}});
        table.row({std::string(width_of_text, 'x'), "1.5", "2"});
        return table.text();
    };
    const auto header = [](const std::string& text) { return text.substr(0, text.find("  -")); };
    BOOST_TEST(with(97).starts_with("text" + std::string(93, ' ') + "  round trip mean  hops\n"));
    const std::string gap(94, ' ');
    BOOST_TEST(with(98).starts_with(gap + "      round\n" + gap + "       trip\ntext" + std::string(94, ' ') +
                                    "   mean  hops\n" + std::string(98, ' ') + "     ns\n"),
               header(with(98)));
}

BOOST_AUTO_TEST_CASE(texts_too_wide_are_wrapped_in_their_column)
{
    TextTable table({{"key"}, {"choices"}, {"meaning"}});
    table.section("one: more than a line");
    table.row({"first key", "some choices that take room", "forty characters and a few more than these"});
    table.row({"b", "c", "d"});
    const std::string wide = table.text();
    BOOST_TEST(table.text(0, 9 + 2 + 27 + 2 + 42) == wide);
    BOOST_TEST(table.text(0, 60) ==
               "key        choices           meaning\n"
               "---------  ----------------  -------------------------------\n"
               "\none: more than a line\n"
               "first key  some choices      forty characters and a few more\n"
               "           that take room    than these\n"
               "b          c                 d\n");
    BOOST_TEST(table.text(3, 63).starts_with("   key        choices           meaning\n"));
}

BOOST_AUTO_TEST_CASE(a_terminal_shows_a_table_that_is_too_wide_in_parts)
{
    TextTable table({{"a"}, {"b", Align::kRight}, {"first", Align::kRight, "ns"}, {"second", Align::kRight}});
    table.section("one");
    table.row({"x", "1", "1,000,000", "2,000,000"});
    table.row({"x", "2", "3,000,000", "4,000,000"});
    BOOST_TEST(table.text(0, {26, true}) == table.text());
    // Two columns are needed to tell the rows apart
    BOOST_TEST(table.text(0, {25, true}) ==
               "a  b      first\n"
               "             ns\n"
               "-  -  ---------\n"
               "\none\n"
               "x  1  1,000,000\n"
               "x  2  3,000,000\n"
               "\n"
               "a  b     second\n"
               "-  -  ---------\n"
               "\none\n"
               "x  1  2,000,000\n"
               "x  2  4,000,000\n");
    BOOST_TEST(table.text(0, 26) == table.text());               // no terminal
    BOOST_TEST(table.text(0, {5, true}).starts_with("a  b\n"));  // keys leave room for another column
}

BOOST_AUTO_TEST_CASE(later_parts_repeat_what_tells_the_rows_of_a_section_apart)
{
    TextTable table({{"row"}, {"what"}, {"first", Align::kRight}, {"second", Align::kRight}});
    for (const char* section : {"one", "two"}) {
        table.section(section);
        table.row({"x", "latency", "1,000,000", "2,000,000"});
        table.row({"", "rate", "3,000,000", "4,000,000"});  // of x, too
        table.row({"y", "latency", "5,000,000", "6,000,000"});
    }
    const std::string text = table.text(0, {25, true});
    const std::string second = text.substr(text.find("\n\nrow") + 2);
    BOOST_TEST(second.starts_with("row  what        second\n"), text);
    BOOST_TEST(
        second.find("x    latency  2,000,000\n     rate     4,000,000\ny    latency  6,000,000\n") != std::string::npos,
        text);
}

BOOST_AUTO_TEST_CASE(a_terminal_gets_no_columns_without_texts_and_no_rows_without_them_in_later_parts)
{
    TextTable table({{"place"}, {"busy", Align::kRight}, {"none"}, {"fill", Align::kRight}});
    table.row({"a link whose name is long", "1,000,000", "", ""});
    table.row({"a queue with a long name", "", "", "2,000,000"});
    BOOST_TEST(table.text(0, {40, true}).find("none") == std::string::npos);
    BOOST_TEST(table.text(0, 40).find("none") != std::string::npos);
    TextTable words({{"place"}, {"busy", Align::kRight}, {"fill", Align::kRight}});
    words.row({"a-link-whose-name-is-long", "1,000,000", ""});
    words.row({"a-queue", "1", "2,000,000"});
    const std::string text = words.text(0, {36, true});
    const std::string second = text.substr(text.find("fill"));
    BOOST_TEST(second.find("a-queue") != std::string::npos, text);
    BOOST_TEST(second.find("a-link") == std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(a_name_that_is_too_long_stands_above_its_row_if_the_table_then_fits)
{
    TextTable table({{"id"}, {"number", Align::kRight}, {"unit"}});
    table.row({"a.very.long.id.that.cannot.be.broken", "1", "ns"});
    table.row({"short", "2", "ns"});
    BOOST_TEST(table.text(0, {36, true}) ==
               "id                      number  unit\n"
               "----------------------  ------  ----\n"
               "a.very.long.id.that.cannot.be.broken\n"
               "                             1  ns\n"
               "short                        2  ns\n");
}

BOOST_AUTO_TEST_CASE(columns_with_one_value_leave_a_table_that_is_too_wide)
{
    TextTable table({{"name"}, {"size", Align::kRight, "bytes"}, {"latency", Align::kRight, "ns"}});
    table.row({"first", "64", "1,000,000"});
    table.row({"second", "64", "2,000,000"});
    BOOST_TEST(table.leave_out_equal(20).empty());  // no terminal
    BOOST_TEST(table.leave_out_equal({30, true}).empty());
    const auto left_out = table.leave_out_equal({20, true});
    BOOST_TEST_REQUIRE(left_out.size() == 1u);
    BOOST_TEST(left_out[0].first == "size");
    BOOST_TEST(left_out[0].second == "64 bytes");
    BOOST_TEST(table.columns().size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_terminal_narrows_the_first_column_too)
{
    TextTable table({{"what"}, {"number", Align::kRight}});
    table.row({"some words in the first column", "1"});
    BOOST_TEST(table.text(0, {26, true}) ==
               "what                number\n------------------  ------\nsome words in the        1\nfirst column\n");
}

BOOST_AUTO_TEST_CASE(columns_that_can_be_spared_are_left_out_where_there_is_no_room)
{
    auto table = example();
    BOOST_TEST(table.leave_out({"meaning"}, 10).empty());  // no terminal
    BOOST_TEST(table.leave_out({"meaning"}, {24, true}).empty());
    const std::vector<std::string> expected{"meaning"};
    BOOST_TEST(table.leave_out({"none such", "meaning", "latency"}, {23, true}) == expected,
               boost::test_tools::per_element());
    BOOST_TEST(table.text().starts_with("name    latency\n             ns\n------  -------\na       4,177.0\n"));
}

BOOST_AUTO_TEST_CASE(words_between_rows_stand_left_of_an_indented_table_and_not_in_markdown)
{
    TextTable table({{"a", Align::kRight}, {"b"}});
    table.words("one two three four");
    table.row({"1", "x"});
    BOOST_TEST(table.text(2, 12) == "  a  b\n  -  -\none two\n  three four\n  1  x\n");
    BOOST_TEST(table.markdown() == "| a | b |\n| ---: | --- |\n| 1 | x |\n");
    BOOST_TEST(table.cells().size() == 1u);
}

BOOST_AUTO_TEST_CASE(unbroken_lines_are_as_long_as_they_are)
{
    TextTable table({{"first title"}, {"second title"}});
    table.row({std::string(200, 'x'), "one two"});
    BOOST_TEST(widest_line(table.text(0, kUnbroken)) == 200u + 2 + 12);
    BOOST_TEST(table.text(0, kUnbroken).starts_with("first title" + std::string(189, ' ') + "  second title\n"));
}

BOOST_AUTO_TEST_CASE(one_is_no_plural)
{
    BOOST_TEST(counted(0, "point") == "0 points");
    BOOST_TEST(counted(1, "point") == "1 point");
    BOOST_TEST(counted(2, "point") == "2 points");
}

BOOST_AUTO_TEST_CASE(a_text_is_wrapped_at_blanks_only)
{
    BOOST_TEST(wrapped("one two three", 2, 7) == "one\n  two\n  three");
    BOOST_TEST(wrapped("one two three", 0, 7) == "one two\nthree");
    BOOST_TEST(wrapped("one two three", 0, 13) == "one two three");
    BOOST_TEST(wrapped("immeasurable", 0, 3) == "immeasurable");
    BOOST_TEST(wrapped("") == "");
}

BOOST_AUTO_TEST_CASE(a_row_of_another_length_is_a_model_error)
{
    auto table = example();
    BOOST_CHECK_THROW(table.row({"a"}), ModelError);
}

BOOST_DATA_TEST_CASE(whole_numbers_are_grouped_by_thousands,
                     data::make<std::int64_t>({0, 999, 1000, -1000, 1234567, -123456}) ^
                         data::make({"0", "999", "1,000", "-1,000", "1,234,567", "-123,456"}),
                     number, text)
{
    BOOST_TEST(with_thousands(number) == text);
}

BOOST_AUTO_TEST_CASE(fractions_are_rounded_and_grouped)
{
    BOOST_TEST(with_thousands(4177.35, 1) == "4,177.4");
    BOOST_TEST(with_thousands(-1234567.0, 2) == "-1,234,567.00");
    BOOST_TEST(with_thousands(999.96, 1) == "1,000.0");
    BOOST_TEST(with_thousands(0.0004, 3) == "0.000");
    BOOST_TEST(with_thousands(std::numeric_limits<double>::quiet_NaN(), 1) == "nan");
}

BOOST_AUTO_TEST_CASE(decimals_show_five_digits_of_the_smallest_number)
{
    BOOST_TEST(decimals_for(std::vector{4177.35, 14000.5}) == 1);
    BOOST_TEST(decimals_for(std::vector{11.6, 4177.35}) == 3);
    BOOST_TEST(decimals_for(std::vector{0.0, 123.4}) == 2);
    BOOST_TEST(decimals_for(std::vector{123456.5}) == 0);
    BOOST_TEST(decimals_for(std::vector{0.00001, 0.1}) == 3);
    BOOST_TEST(decimals_for(std::vector{0.00001}) == 6);
    BOOST_TEST(decimals_for(std::vector{0.000824, 0.002}) == 6);
    BOOST_TEST(decimals_for(std::vector{0.00824, 0.0}) == 5);
    BOOST_TEST(decimals_for(std::vector{0.0824}) == 4);
    BOOST_TEST(decimals_for(std::vector{1.0, 4177.0}) == 0);
    BOOST_TEST(decimals_for(std::vector<double>{}) == 0);
}

BOOST_DATA_TEST_CASE(durations_are_rounded_in_the_unit_that_fits,
                     data::make<std::int64_t>({999'999, 1'000'000, 15'300'101'943, 2'272'000'000'000}) ^
                         data::make({"999.999 ns", "1.000 us", "15.300 ms", "2.272 s"}),
                     picoseconds, text)
{
    BOOST_TEST(rounded(Duration::picoseconds(picoseconds)) == text);
}

BOOST_AUTO_TEST_CASE(a_progress_bar_is_full_only_at_the_end)
{
    using std::chrono::seconds;
    BOOST_TEST(progress_line("run", 0, seconds(2)) == "run [>                                       ]   0 %, 2 s");
    BOOST_TEST(progress_line("run", 0.5, seconds(12)) ==
               "run [====================>                   ]  50 %, 12 s, about 12 s left");
    BOOST_TEST(progress_line("run", 0.999, seconds(3)) ==
               "run [=======================================>]  99 %, 3 s, about 1 s left");
    BOOST_TEST(progress_line("run", 1.7, seconds(3)) == "run [========================================] 100 %, 3 s");
}

BOOST_DATA_TEST_CASE(a_line_of_progress_is_narrower_than_the_terminal, data::make({20u, 40u, 60u, 80u, 200u}), width)
{
    const std::string what = "200 points: 12 done";
    const std::string line = progress_line(what, 0.5, std::chrono::seconds(12), width);
    BOOST_TEST(line.size() < width);
    BOOST_TEST(line.starts_with(what));
    BOOST_TEST((line.find('[') != std::string::npos) == (width >= 60));
}

BOOST_DATA_TEST_CASE(a_progress_bar_estimates_the_rest_after_a_twentieth_or_20_s,
                     data::make({0.049, 0.05, 0.1, 0.25, 0.8, 1.0, 0.004, 0.0004, 0.0}) ^
                         data::make({10, 10, 12, 30, 10, 10, 20, 200, 30}) ^
                         data::make({"10 s", "10 s, about 3 min left", "12 s, about 2 min left",
                                     "30 s, about 90 s left", "10 s, about 3 s left", "10 s", "20 s, about 83 min left",
                                     "200 s, about 6 days left", "30 s"}),
                     part, passed, text)
{
    BOOST_TEST(progress_line("run", part, std::chrono::seconds(passed)).ends_with(std::string(" %, ") + text));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
