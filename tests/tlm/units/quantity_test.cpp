// SPDX-License-Identifier: Apache-2.0
#include "tlm/units/quantity.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "tests/support/cases.h"

using namespace ringmesh;

namespace {

/// A text and what it counts in the finest unit.
struct Reading {
    std::string text;
    std::int64_t count;
    friend std::ostream& operator<<(std::ostream& out, const Reading& reading) { return out << reading.text; }
};

struct Refusal {
    std::string text;
    std::string problem;
    friend std::ostream& operator<<(std::ostream& out, const Refusal& refusal) { return out << refusal.text; }
};

template <class Quantity>
void check_refused(const Parsed<Quantity>& parsed, const std::string& problem)
{
    BOOST_TEST(!parsed.value.has_value());
    BOOST_TEST(parsed.problem == problem);
}

/// Every power of ten and its neighbours, and numbers without pattern, up to the largest.
std::vector<std::int64_t> counts()
{
    std::vector<std::int64_t> all{0, INT64_MAX, INT64_MAX - 1, INT64_MAX / 3};
    for (std::int64_t power = 1; power <= INT64_MAX / 10; power *= 10) {
        for (const std::int64_t n : {power - 1, power, power + 1, 5 * power, power / 7 * 3}) all.push_back(n);
    }
    for (std::int64_t power = 1; power <= INT64_MAX / 2; power *= 2) all.push_back(power);
    return all;
}

const std::vector<Reading> kDurations{
    {"5 ns", 5'000},
    {"5ns", 5'000},
    {"  5\t ns ", 5'000},
    {"66.7 ns", 66'700},
    {"66.700000 ns", 66'700},
    {"0.001 ns", 1},
    {"1.5us", 1'500'000},
    {"007 ps", 7},
    {"0 ns", 0},
    {"0.1 ns", 100},
    {"2 ms", 2'000'000'000},
    {"0.000000000001 s", 1},
    {"4.35 ns", 4'350},
    {"9223372.036854775807 s", INT64_MAX},
    {"1.0 ps", 1},
    {"9223372036854775807 ps", INT64_MAX},
    {"9007199.254740993 ms", 9'007'199'254'740'993},  // 2^53 + 1: no double holds it
};

const std::vector<Refusal> kNoDurations{
    {"5", "a duration needs a unit; write \"5 ns\""},
    {"66.7", "a duration needs a unit; write \"66.7 ns\""},
    {"5 MHz", "'MHz' is not a unit of time; write ps, ns, us, ms or s"},
    {"5 NS", "'NS' is not a unit of time; write ps, ns, us, ms or s"},
    {"5 \xc2\xb5s", "'\xc2\xb5s' is not a unit of time; write ps, ns, us, ms or s"},
    {"1e3 ns", "'e3 ns' is not a unit of time; write ps, ns, us, ms or s"},
    {"5 ns 3 ps", "'ns 3 ps' is not a unit of time; write ps, ns, us, ms or s"},
    {"-5 ns", "a duration must not be negative; write \"5 ns\""},
    {"-5", "a duration must not be negative; write \"5 ns\""},
    {"-5 MHz", "'MHz' is not a unit of time; write ps, ns, us, ms or s"},
    {"0.5 ps", "not a whole number of picoseconds; write \"0 ns\" or \"1 ps\""},
    {"66.66666 ns", "not a whole number of picoseconds; write \"66666 ps\" or \"66667 ps\""},
    {"0.0000000000000000000000000000001 s", "not a whole number of picoseconds; write \"0 ns\" or \"1 ps\""},
    {"9223372036854775808 ps", "too large; the largest duration is \"9223372.036854775807 s\""},
    {"9223372.036854775808 s", "too large; the largest duration is \"9223372.036854775807 s\""},
    {"9223372.0368547758070001 s", "too large; the largest duration is \"9223372.036854775807 s\""},
    {"99999999999999999999999999 ns", "too large; the largest duration is \"9223372.036854775807 s\""},
    {"fast", "'fast' is not a duration; write a number and a unit, such as \"5 ns\""},
    {"", "'' is not a duration; write a number and a unit, such as \"5 ns\""},
    {"-", "'-' is not a duration; write a number and a unit, such as \"5 ns\""},
    {"ns", "'ns' is not a duration; write a number and a unit, such as \"5 ns\""},
    {"+5 ns", "'+5 ns' is not a duration; write a number and a unit, such as \"5 ns\""},
    {"1,5 ns", "'1,5 ns' is not a duration; write a number and a unit, such as \"5 ns\""},
    {".5 ns", "'.5 ns' is not a duration; write a number and a unit, such as \"5 ns\""},
    {"5. ns", "'5. ns' is not a duration; write a number and a unit, such as \"5 ns\""},
    {"1.2.3 ns", "'1.2.3 ns' is not a duration; write a number and a unit, such as \"5 ns\""},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(quantity)

BOOST_DATA_TEST_CASE(a_decimal_duration_is_read_exactly, data::make(kDurations), reading)
{
    const auto parsed = parse_duration(reading.text);
    BOOST_TEST(parsed.problem == "");
    BOOST_TEST_REQUIRE(parsed.value.has_value());
    BOOST_TEST(parsed.value->ps() == reading.count);
}

BOOST_DATA_TEST_CASE(an_invalid_duration_is_refused_with_its_cure, data::make(kNoDurations), refusal)
{
    check_refused(parse_duration(refusal.text), refusal.problem);
}

BOOST_AUTO_TEST_CASE(every_unit_has_its_factor)
{
    for (const Reading& one :
         std::vector<Reading>{{"1 Hz", 1}, {"1 kHz", 1'000}, {"1 MHz", 1'000'000}, {"1 GHz", 1'000'000'000}}) {
        BOOST_TEST(parse_frequency(one.text).value.value().hz() == one.count, one.text);
    }
    for (const Reading& one : std::vector<Reading>{{"1 B", 1},
                                                   {"1 kB", 1'000},
                                                   {"1 KiB", 1'024},
                                                   {"1 MB", 1'000'000},
                                                   {"1 MiB", 1'048'576},
                                                   {"1 GB", 1'000'000'000},
                                                   {"1 GiB", 1'073'741'824},
                                                   {"1.5 KiB", 1'536}}) {
        BOOST_TEST(parse_bytes(one.text).value.value().count() == one.count, one.text);
    }
    for (const Reading& one :
         std::vector<Reading>{{"1 um", 1}, {"1 mm", 1'000}, {"1 cm", 10'000}, {"1 m", 1'000'000}, {"0.5 cm", 5'000}}) {
        BOOST_TEST(parse_length(one.text).value.value().um() == one.count, one.text);
    }
    for (const Reading& one : std::vector<Reading>{{"1 cycle", 1}, {"12 cycles", 12}, {"1 cycles", 1}}) {
        BOOST_TEST(parse_cycles(one.text).value.value().count() == one.count, one.text);
    }
}

BOOST_AUTO_TEST_CASE(each_kind_of_quantity_names_its_own_units)
{
    check_refused(parse_frequency("50"), "a frequency needs a unit; write \"50 MHz\"");
    check_refused(parse_frequency("5 ns"), "'ns' is not a unit of frequency; write Hz, kHz, MHz or GHz");
    check_refused(parse_frequency("0.5 Hz"), "not a whole number of hertz; write \"0 MHz\" or \"1 Hz\"");
    check_refused(parse_bytes("64"), "a size needs a unit; write \"64 B\"");
    check_refused(parse_bytes("64 KB"), "'KB' is not a unit of size; write B, kB, KiB, MB, MiB, GB or GiB");
    check_refused(parse_bytes("1.0001 KiB"), "not a whole number of bytes; write \"1 KiB\" or \"1025 B\"");
    check_refused(parse_length("1"), "a length needs a unit; write \"1 m\"");
    check_refused(parse_length("1 ft"), "'ft' is not a unit of length; write um, mm, cm or m");
    check_refused(parse_cycles("12"), "a number of cycles needs a unit; write \"12 cycles\"");
    check_refused(parse_cycles("12 ns"), "'ns' is not a unit of clock cycles; write cycle or cycles");
    check_refused(parse_cycles("1.5 cycles"), "not a whole number of cycles; write \"1 cycle\" or \"2 cycles\"");
}

BOOST_AUTO_TEST_CASE(every_quantity_reads_back_as_itself)
{
    for (const std::int64_t count : counts()) {
        BOOST_TEST_CONTEXT("count " << count)
        {
            BOOST_TEST((parse_duration(to_string(Duration::picoseconds(count))).value == Duration::picoseconds(count)));
            BOOST_TEST((parse_frequency(to_string(Frequency::hertz(count))).value == Frequency::hertz(count)));
            BOOST_TEST((parse_bytes(to_string(Bytes(count))).value == Bytes(count)));
            BOOST_TEST((parse_length(to_string(Length::micrometres(count))).value == Length::micrometres(count)));
            BOOST_TEST((parse_cycles(to_string(Cycles(count))).value == Cycles(count)));
        }
    }
}

BOOST_DATA_TEST_CASE(a_duration_is_printed_as_shortly_as_it_can_be,
                     data::make(std::vector<Reading>{{"106 ns", 106'000},
                                                     {"66.7 ns", 66'700},
                                                     {"1 us", 1'000'000},
                                                     {"1.5 us", 1'500'000},
                                                     {"2085 ns", 2'085'000},
                                                     {"999 ps", 999},
                                                     {"500 ns", 500'000},
                                                     {"0 ns", 0},
                                                     {"1 s", 1'000'000'000'000},
                                                     {"-5 ns", -5'000},
                                                     {"-9223372.036854775808 s", INT64_MIN}}),
                     reading)
{
    BOOST_TEST(to_string(Duration::picoseconds(reading.count)) == reading.text);
}

BOOST_AUTO_TEST_CASE(other_quantities_are_printed_as_shortly_as_they_can_be)
{
    BOOST_TEST(to_string(Frequency::hertz(50'000'000)) == "50 MHz");
    BOOST_TEST(to_string(Frequency::hertz(33'300'000)) == "33.3 MHz");
    BOOST_TEST(to_string(Bytes(64)) == "64 B");
    BOOST_TEST(to_string(Bytes(1'500)) == "1500 B");
    BOOST_TEST(to_string(Bytes(2'048)) == "2 KiB");
    BOOST_TEST(to_string(Bytes(64'000)) == "64 kB");
    BOOST_TEST(to_string(Length::micrometres(300'000)) == "30 cm");
    BOOST_TEST(to_string(Length::micrometres(1'500'000)) == "1.5 m");
    BOOST_TEST(to_string(Cycles(1)) == "1 cycle");
    BOOST_TEST(to_string(Cycles(12)) == "12 cycles");
}

BOOST_AUTO_TEST_CASE(numbers_have_one_form_however_they_are_written)
{
    const std::vector<std::vector<std::string>> alike{
        {"0.05", "0.050", "00.05", "5e-2", " 0.05", ".05"},
        {"64", "064", "64.0"},
        {"20 us", "20us", "20.0 us", "0.02ms", "20000 ns"},
        {"20000 cycles", "20000cycles", "020000  cycles"},
        {"1,2,0.5", "1, 2,0.50", "01,2.0,5e-1"},
        {"64..512 step 64,7", "64..512step 64, 7", "64..512/64,7", "064..512 step 64.0,07"},
        {"1..4096 x2", "1..4096x2", "1 .. 4096 x 2"},
        {"5 us..9 us", "5us..9us", "5.0us .. 9000ns"},
        {"5:0.2,9:0.1", "05:0.20,9:.1", "5:2e-1, 9:0.10"},
        {"0.02/packet", "2e-2/packet", "0.020/packet"},
    };
    for (const auto& forms : alike) {
        for (const std::string& text : forms) BOOST_TEST(one_form(text) == forms.front());
    }
    for (const std::string text :
         {"", "auto", "all", "opposite", "64,", "1..8", "-1", "1.2.3", "run-0.50.csv", "inf"}) {
        BOOST_TEST(one_form(text) == text);
    }
}

BOOST_AUTO_TEST_CASE(a_period_is_shown_to_more_than_the_picosecond_if_it_has_no_whole_number_of_them)
{
    BOOST_TEST(period_text(Clock(800_MHz)) == "1.25 ns");
    BOOST_TEST(period_text(Clock(Frequency::hertz(9'950'000'000))) == "100.503 ps");
    BOOST_TEST(period_text(Clock(33_MHz)) == "30.303 ns");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
