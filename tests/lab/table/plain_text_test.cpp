// SPDX-License-Identifier: Apache-2.0
#include "lab/table/writers/plain_text.h"

#include <string>
#include <string_view>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;
using namespace std::string_view_literals;

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(plain_text)

BOOST_DATA_TEST_CASE(characters_of_all_sizes_are_text,
                     data::make({"", "a\n\tb\r\n", "\u00b5s", "\u20ac", "\U0001F600", "\xF4\x8F\xBF\xBF"}), text)
{
    BOOST_CHECK_NO_THROW(require_plain_text(text, "a.csv"));
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_is_no_part_of_a_text)
{
    const ringmesh::test::TemporaryFolder folder;
    folder.write("a.sql", "\xEF\xBB\xBFSELECT 1;\r\n");
    BOOST_TEST(read_plain_text("a.sql") == "SELECT 1;\r\n");
}

BOOST_DATA_TEST_CASE(other_bytes_are_told_with_file_and_line,
                     data::make({"\0"sv, "\xB5s"sv, "\xC3"sv, "\xC3("sv, "\xC0\x80"sv, "\xE0\x80\x80"sv,
                                 "\xED\xA0\x80"sv, "\xF0\x80\x80\x80"sv, "\xF4\x90\x80\x80"sv,
                                 "\xFF\xFE"
                                 "a"sv}),
                     bytes)
{
    const std::string text = "one\ntwo" + std::string(bytes);
    BOOST_CHECK_EXCEPTION(require_plain_text(text, "a.csv"), UserError, [](const UserError& error) {
        return std::string_view(error.what()).starts_with("a.csv:2: byte 0x");
    });
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
