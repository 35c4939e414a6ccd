// SPDX-License-Identifier: Apache-2.0
#include "lab/table/welch.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

namespace ringmesh::lab {
namespace {

/// The integral of cos(x)^power from 0 to `end`, by Simpson's rule.
double cosine_integral(double power, double end)
{
    constexpr int kSteps = 2000;
    const double step = end / kSteps;
    double sum = 1 + std::pow(std::max(0.0, std::cos(end)), power);
    for (int i = 1; i < kSteps; ++i) sum += (i % 2 == 0 ? 2 : 4) * std::pow(std::cos(step * i), power);
    return sum * step / 3;
}

/// By bisection, which takes milliseconds.
double new_student_975(double degrees)
{
    // With t = sqrt(degrees) tan(x), the density becomes cos(x)^(degrees - 1)
    constexpr double kBetween = 0.95;
    const double all = cosine_integral(degrees - 1, std::numbers::pi / 2);
    double low = 0;
    double high = std::numbers::pi / 2;
    for (int i = 0; i < 50; ++i) {
        const double middle = (low + high) / 2;
        (cosine_integral(degrees - 1, middle) < kBetween * all ? low : high) = middle;
    }
    return std::sqrt(degrees) * std::tan(low);
}

}  // namespace

Sample sample_of(std::span<const double> values)
{
    Sample sample{.count = values.size()};
    if (values.empty()) return sample;
    const auto n = static_cast<double>(values.size());
    // Equal values have no spread, which the rounding of their sum would give them
    const bool equal = std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); });
    sample.mean = equal ? values.front() : std::accumulate(values.begin(), values.end(), 0.0) / n;
    double squares = 0;
    for (const double value : values) squares += (value - sample.mean) * (value - sample.mean);
    if (values.size() > 1) sample.variance = squares / (n - 1);
    return sample;
}

double student_975(double degrees)
{
    constexpr double kNormal = 1.959964;  // from here on the difference is below a ten-thousandth
    if (degrees > 1e4) return kNormal;
    if (degrees != std::floor(degrees)) return new_student_975(degrees);
    static std::map<double, double> known;  // numbers of repetitions less one are few
    const auto [place, is_new] = known.try_emplace(degrees, 0);
    if (is_new) place->second = new_student_975(degrees);
    return place->second;
}

std::optional<double> mean_interval(const Sample& sample)
{
    if (sample.count < 2) return std::nullopt;
    if (sample.variance <= 0) return 0;
    const auto n = static_cast<double>(sample.count);
    return student_975(n - 1) * std::sqrt(sample.variance / n);
}

std::optional<double> welch_interval(const Sample& a, const Sample& b)
{
    if (a.count < 2 || b.count < 2) return std::nullopt;
    const double of_a = a.variance / static_cast<double>(a.count);
    const double of_b = b.variance / static_cast<double>(b.count);
    const double variance = of_a + of_b;
    if (variance <= 0) return 0;
    const double degrees =
        variance * variance /
        (of_a * of_a / static_cast<double>(a.count - 1) + of_b * of_b / static_cast<double>(b.count - 1));
    return student_975(degrees) * std::sqrt(variance);
}

}  // namespace ringmesh::lab
