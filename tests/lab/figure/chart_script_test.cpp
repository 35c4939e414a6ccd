// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <string>

#include "lab/figure/gnuplot/gnuplot.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"

namespace ringmesh::lab::chart_script_test {
namespace {

using ringmesh::test::contains;

/// Two curves over a load.
workloads::Results two_curves()
{
    return {.columns = {{"load", ""}, {"variant", ""}, {"latency_ns", "ns"}},
            .rows = {{0.1, std::string("base"), 30.0},
                     {0.3, std::string("base"), 50.0},
                     {0.1, std::string("fast"), 35.0},
                     {0.3, std::string("fast"), 40.0}},
            .notes = {}};
}

Chart chart_of()
{
    return {.id = "t",
            .title = "latency over load",
            .table = "t",
            .x = "load",
            .y = {{.column = "latency_ns"}},
            .series = {"variant"},
            .facets = {},
            .x_title = "load",
            .x_unit = "",
            .y_unit = "ns"};
}

std::size_t count(const std::string& text, const std::string& part)
{
    std::size_t number = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++number;
    return number;
}

std::string script_of(const Chart& chart) { return gnuplot_script(chart, two_curves(), {}); }

/// The columns of the key.
int key_columns(const std::string& script)
{
    return std::atoi(script.c_str() + script.find("maxcols ") + std::string("maxcols ").size());
}

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(chart_script)

BOOST_AUTO_TEST_CASE(crossings_at_one_place_write_their_mark_once_and_the_key_explains_it)
{
    Chart chart = chart_of();
    const CrossingMark mark{.x = 0.20712, .label = "a, b: 0.2071", .y_column = "latency_ns", .within_noise = true};
    chart.crossings = {mark, mark};
    chart.crossings[1].x = 0.20698;
    std::string script = script_of(chart);
    BOOST_TEST(count(script, "'~0.207'") == 1u);
    BOOST_TEST(count(script, "'~ maybe noise'") == 1u);
    chart.crossings[1].within_noise = false;
    script = script_of(chart);
    BOOST_TEST(count(script, "'0.207'") == 1u);
    BOOST_TEST(!contains(script, "~"));
}

BOOST_AUTO_TEST_CASE(a_long_title_of_an_axis_goes_on_in_a_second_line)
{
    Chart chart = chart_of();
    BOOST_TEST(contains(script_of(chart), "set xlabel 'load'\n"));
    chart.x_title = "packets that each node offers to the network of rings a microsecond";
    chart.y_title = std::string(100, 'y');
    const std::string script = script_of(chart);
    BOOST_TEST(contains(script, "set xlabel 'packets that "));
    BOOST_TEST(count(script, ".\"\\n\".") >= 3u);  // one of x, and two of y
}

BOOST_AUTO_TEST_CASE(entries_of_the_key_stand_beside_each_other_where_they_fit)
{
    Chart chart = chart_of();
    chart.bands = {{.low = 0.2, .high = 0.3, .label = "base: saturated from 0.2", .series = "base"}};
    BOOST_TEST(key_columns(script_of(chart)) == 2);
    chart.bands = {{.low = 0.2, .high = 0.3, .label = std::string(40, 'x')}};
    BOOST_TEST(key_columns(script_of(chart)) == 1);
}

/// CIE L*a*b* of a colour, as eyes see it that lack one sort of cones (Machado, Oliveira and Fernandes 2009).
using Matrix = std::array<std::array<double, 3>, 3>;
using Colour = std::array<double, 3>;

Colour linear(const std::string& hex)
{
    Colour all{};
    for (std::size_t i = 0; i < 3; ++i) {
        const double part = static_cast<double>(std::stoi(hex.substr(1 + 2 * i, 2), nullptr, 16)) / 255;
        all[i] = part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    }
    return all;
}

Colour times(const Matrix& matrix, const Colour& colour)
{
    Colour result{};
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t i = 0; i < 3; ++i) result[row] += matrix[row][i] * colour[i];
    }
    return result;
}

Colour seen(const std::string& hex, const Matrix& eye)
{
    constexpr Matrix kXyz{{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}};
    Colour rgb = times(eye, linear(hex));
    for (double& part : rgb) part = std::clamp(part, 0.0, 1.0);
    Colour xyz = times(kXyz, rgb);
    xyz[0] /= 0.9505;
    xyz[2] /= 1.089;
    for (double& part : xyz) part = part > 0.008856 ? std::cbrt(part) : 7.787 * part + 16.0 / 116;
    return {116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])};
}

BOOST_AUTO_TEST_CASE(all_eyes_tell_the_colours_apart_from_each_other_and_from_white)
{
    constexpr std::array<Matrix, 3> kEyes{
        {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
         {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
         {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}}};
    constexpr double kApart = 18;    // of 2.3, which is just seen
    constexpr double kContrast = 3;  // WCAG 2.1, of what is no text
    for (std::size_t i = 0; i < kCurveColours.size(); ++i) {
        const Colour rgb = linear(kCurveColours[i]);
        BOOST_TEST(1.05 / (0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2] + 0.05) >= kContrast, kCurveColours[i]);
        for (std::size_t j = 0; j < i; ++j) {
            for (const Matrix& eye : kEyes) {
                const Colour a = seen(kCurveColours[i], eye);
                const Colour b = seen(kCurveColours[j], eye);
                BOOST_TEST(std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) >= kApart,
                           kCurveColours[i] << " and " << kCurveColours[j]);
            }
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace ringmesh::lab::chart_script_test
