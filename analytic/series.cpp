// SPDX-License-Identifier: Apache-2.0
#include "analytic/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "analytic/domain.h"
#include "tlm/parameters/parameter_list.h"

namespace ringmesh::analytic {
namespace {

std::optional<double> before_largest_step(std::span<const double> x, std::span<const double> y, double sign)
{
    require_each_x_once(x);
    std::optional<double> place;
    double most = 0;
    for (std::size_t i = 1; i < x.size(); ++i) {
        const double step = sign * (y[i] - y[i - 1]);
        if (step <= most) continue;
        most = step;
        place = x[i - 1];
    }
    return place;
}

}  // namespace

double quantile(std::span<const double> sorted, double part)
{
    require(part >= 0 && part <= 1, "the part is not from 0 to 1");
    const double place = part * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(place));
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (sorted[above] - sorted[below]) * (place - static_cast<double>(below));
}

double place_of_largest(std::span<const double> x, std::span<const double> y)
{
    return x[static_cast<std::size_t>(std::max_element(y.begin(), y.end()) - y.begin())];
}

double place_of_least(std::span<const double> x, std::span<const double> y)
{
    return x[static_cast<std::size_t>(std::min_element(y.begin(), y.end()) - y.begin())];
}

std::optional<double> before_largest_rise(std::span<const double> x, std::span<const double> y)
{
    return before_largest_step(x, y, 1);
}

std::optional<double> before_largest_fall(std::span<const double> x, std::span<const double> y)
{
    return before_largest_step(x, y, -1);
}

double unevenness(std::span<const double> x, std::span<const double> y)
{
    require(x.size() >= 2, "needs two points");
    require_each_x_once(x);
    const auto slope = [&](std::size_t from, std::size_t to) { return (y[to] - y[from]) / (x[to] - x[from]); };
    const double mean = slope(0, x.size() - 1);
    double most = 0;
    for (std::size_t i = 1; i < x.size(); ++i) most = std::max(most, std::abs(slope(i - 1, i) / mean - 1));
    return most;
}

std::vector<double> batch_means(std::span<const double> x, std::span<const double> y, double batches)
{
    require(batches >= 2 && batches <= 1000 && batches == std::floor(batches),
            "the number of batches is not a whole number from 2 to 1000");
    require_each_x_once(x);
    const auto count = static_cast<std::size_t>(batches);
    const std::size_t length = y.size() / count;
    std::vector<double> means;
    if (length == 0) return means;
    for (auto rest = y.last(length * count); !rest.empty(); rest = rest.subspan(length)) {
        means.push_back(std::accumulate(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(length), 0.0) /
                        static_cast<double>(length));
    }
    return means;
}

void require_each_x_once(std::span<const double> x)
{
    const auto same = std::adjacent_find(x.begin(), x.end());
    if (same == x.end()) return;
    throw std::domain_error(fmt::format(
        "two rows have x = {}; take one of each, as in SELECT x, mean(y) AS y ... GROUP BY x", number_text(*same)));
}

}  // namespace ringmesh::analytic
