// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <optional>

#include "analytic/curves.h"
#include "analytic/series.h"
#include "lab/sql/functions/functions.h"
#include "lab/table/welch.h"
#include "lab/table/writers/text_table.h"
#include "tlm/statistics/line_fit.h"

/// What papers do with columns of numbers and with curves.
namespace ringmesh::lab {
namespace {

/// One of the numbers of the least-squares line.
auto of_line(double LineFit::*number)
{
    return [number](SqlColumn x, SqlColumn y) {
        std::vector<LinePoint> points;
        for (std::size_t i = 0; i < x.size(); ++i) points.push_back({x[i], y[i]});
        return fit_line(points).*number;
    };
}

std::optional<double> first_crossover(SqlColumn x, SqlColumn a, SqlColumn b)
{
    analytic::require_each_x_once(x);
    const auto found = analytic::crossings(x, a, b);
    return found.empty() ? std::nullopt : std::optional(found.front().at);
}

}  // namespace

std::vector<SqlFunction> curve_functions()
{
    const auto of = [](std::string name, std::vector<std::string> arguments, std::string meaning, auto call) {
        return aggregate(std::move(name), std::move(arguments), "", std::move(meaning), "", std::move(call));
    };
    return {
        of("slope", {"x", "y"}, "of the least-squares line", of_line(&LineFit::slope)),
        of("intercept", {"x", "y"}, "of the least-squares line, at x = 0", of_line(&LineFit::intercept)),
        of("largest_residual", {"x", "y"}, "largest distance in y from the least-squares line",
           of_line(&LineFit::largest_residual)),
        of("mean", {"x"}, "arithmetic mean; unlike avg() independent of the order of rows",
           [](SqlColumn x) { return sample_of(x).mean; }),
        of("deviation", {"x"}, "standard deviation of a sample",
           [](SqlColumn x) { return x.size() < 2 ? std::nullopt : std::optional(std::sqrt(sample_of(x).variance)); }),
        of("ci95", {"x"}, "half the width of the 95 % interval of the mean, by Student's t; NULL for one value",
           [](SqlColumn x) { return mean_interval(sample_of(x)); }),
        of("batch_ci95", {"place", "x", "batches"},
           "the same for values that depend on their neighbours: batch means in the order of places, of as many "
           "batches of equal length (the first values that are left over are dropped); NULL for fewer values",
           [](SqlColumn place, SqlColumn x, double batches) {
               return mean_interval(sample_of(analytic::batch_means(place, x, batches)));
           }),
        of("median", {"x"}, "the middle value, or the mean of the two in the middle",
           [](SqlColumn x) { return analytic::quantile(x, 0.5); }),
        of("quantile", {"x", "part"}, "the value below which this part of them lies, linear between two",
           &analytic::quantile),
        of("at_least", {"x", "y"}, "the x at which y is least; of several the smallest", &analytic::place_of_least),
        of("at_most", {"x", "y"}, "the x at which y is largest; of several the smallest", &analytic::place_of_largest),
        formula("fixed", {"x", "decimals"}, "", "the number as text for readers, with so many decimals: '1,832.58'", "",
                [](double x, int decimals) { return with_thousands(x, decimals); }),
        formula(
            "saturated", {"accepted_part", "latency", "unloaded_latency"}, "",
            "1 if less than 95 % of what is offered is accepted, or the latency is above 10 times that of the lowest "
            "load; otherwise 0",
            "",
            [rule = analytic::SaturationRule()](double part, double latency, double unloaded) {
                return rule.accepts_too_little(part) || rule.is_late(latency, unloaded) ? 1 : 0;
            }),
        of("crossover", {"x", "a", "b"},
           "the first x at which two curves change places, by straight lines between points; curves that touch do not, "
           "nor do those that are equal at the first or last points; NULL if they do not",
           &first_crossover),
        of("drops_after", {"x", "y"}, "the x before the largest fall of y; NULL if it never falls",
           &analytic::before_largest_fall),
        of("rises_after", {"x", "y"}, "the x before the largest rise of y; NULL if it never rises",
           &analytic::before_largest_rise),
        of("unevenness", {"x", "y"},
           "largest deviation of a slope between neighbours from that between the ends, relative to it",
           &analytic::unevenness),
    };
}

}  // namespace ringmesh::lab
