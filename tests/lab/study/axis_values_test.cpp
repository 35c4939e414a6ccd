// SPDX-License-Identifier: Apache-2.0
#include "lab/study/description/study.h"

#include <fmt/format.h>

#include <ostream>

#include "tests/support/cases.h"
#include "tlm/error.h"

namespace {

using ringmesh::lab::axis_values;

struct Written {
    const char* text;
    const char* values;
};
std::ostream& operator<<(std::ostream& stream, const Written& written) { return stream << written.text; }

const std::vector<Written> kWritten{
    {"5 ns, 2.5ns,half", "5 ns|2.5ns|half"},
    {"64..512 step 64", "64|128|192|256|320|384|448|512"},
    {"64..200/64", "64|128|192"},
    {"1..4096 x8", "1|8|64|512|4096"},
    {"7..7 step 1", "7"},
    {"0..2 step 1,5", "0|1|2|5"},
    {"0.1..0.3 step 0.1", "0.1|0.2|0.3"},  // no 0.30000000000000004
    {"0.7..1.3 step 0.2", "0.7|0.9|1.1|1.3"},
    {"0.5..2 step 0.50", "0.5|1|1.5|2"},
    {"0.001..1 x10", "0.001|0.01|0.1|1"},
    {"1..2 step 0.5", "1|1.5|2"},
    {"2ns..6ns step 2ns", "2ns|4ns|6ns"},
    {"2 ns..3 ns step 500ps", "2 ns|2.5 ns|3 ns"},
    {"1us..100us x10", "1us|10us|100us"},
    {"64B..512B step 192B", "64B|256B|448B"},
    {"1KiB..2KiB step 512 B", "1KiB|1.5KiB|2KiB"},
    {"1cycle..3cycles step 1cycle", "1cycles|2cycles|3cycles"},
    {"99.5MHz..100.5MHz step 500kHz", "99.5MHz|100MHz|100.5MHz"},
};

struct Mistake {
    const char* text;
    const char* has;  ///< what stands in the message
};
std::ostream& operator<<(std::ostream& stream, const Mistake& mistake) { return stream << mistake.text; }

const std::vector<Mistake> kMistakes{
    {"", "empty value"},
    {"1,,2", "empty value"},
    {"1..4", "lacks a step; write 1..4 step 1 or 1..4 x2"},
    {"0.1..0.3", "0.1..0.3 step 0.1 or 0.1..0.3 x2"},
    {"2ns..6ns", "2ns..6ns step 1ns or 2ns..6ns x2"},
    {"6ns..2ns", "2ns..6ns step 1ns"},
    {"0..100000", "0..100000 step 100"},
    {"2ns..6us step 2ns", "different units, 2ns and 6us"},
    {"2..6ns step 2ns", "1ns..4ns step 1ns"},
    {"2ns..6ns step 2B", "do not go together"},
    {"2ns..6ns step 2", "step 1ns"},
    {"0.1..0.3 step 0", "a step of 0"},
    {"0.1..0.3 step 0.5", "0.5 goes beyond 0.3 in the first step"},
    {"2ns..6ns x4", "4 goes beyond 6ns"},
    {"0.3..0.1 step 0.1", "write 0.1..0.3 step 0.1"},
    {"0us..100us x10", "never leaves 0"},
    {"1us..100us x1", "the factor 1"},
    {"1us..100us x2.5", "the factor 2.5"},
    {"1us..100us x10us", "the factor 10us"},
    {"0..1 step 0.0001", "more than 10000 values"},
    {"1..9999999999999999 x2", "more than 15 digits"},
    {"1s..999999999s x2", "too large"},
    {"2parsec..6parsec step 2parsec", "'parsec' is no unit"},
    {"1.2 ns...3ns step 1ns", "cannot be read"},
    {"a..b step c", "cannot be read"},
    {"-1..1 step 1", "cannot be read"},
    {"1..4 step", "cannot be read"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(study_axis_values)

BOOST_DATA_TEST_CASE(values_are_written_as_a_user_would, data::make(kWritten), written)
{
    BOOST_TEST(fmt::format("{}", fmt::join(axis_values(written.text, "here"), "|")) == written.values);
}

BOOST_DATA_TEST_CASE(a_range_that_makes_no_sense_is_told_with_its_place, data::make(kMistakes), mistake)
{
    BOOST_CHECK_EXCEPTION(axis_values(mistake.text, "study.toml:3: x"), ringmesh::UserError, [&](const auto& error) {
        const std::string text = error.what();
        BOOST_TEST(text.find(mistake.has) != std::string::npos, text);
        return text.starts_with("study.toml:3: x: ");
    });
}

BOOST_AUTO_TEST_CASE(ten_thousand_values_are_allowed)
{
    BOOST_TEST(axis_values("1..10000 step 1", "here").size() == 10'000u);
    BOOST_CHECK_THROW(axis_values("0..10000 step 1", "here"), ringmesh::UserError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
