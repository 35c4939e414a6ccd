// SPDX-License-Identifier: Apache-2.0
#include "lab/compare/difference.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "lab/table/welch.h"

namespace ringmesh::lab {

MeanDifference mean_difference(std::span<const double> a, std::span<const double> b, Pairing pairing)
{
    const Sample of_a = sample_of(a);
    const Sample of_b = sample_of(b);
    const double by = of_b.mean - of_a.mean;
    MeanDifference difference;
    if (of_a.mean != 0) difference.percent = 100 * by / std::abs(of_a.mean);
    if (pairing == Pairing::kBySeed && a.size() == b.size()) {
        std::vector<double> changes(a.size());
        std::transform(b.begin(), b.end(), a.begin(), changes.begin(), std::minus<>());
        difference.interval = mean_interval(sample_of(changes));
    } else {
        difference.interval = welch_interval(of_a, of_b);
    }
    if (std::equal(a.begin(), a.end(), b.begin(), b.end()) || (by == 0 && difference.interval.value_or(0) == 0)) {
        difference.noise = Noise::kEqual;
    } else if (difference.interval) {
        difference.noise = std::abs(by) > *difference.interval ? Noise::kBeyond : Noise::kWithin;
    }
    return difference;
}

std::optional<double> number_of(const workloads::Cell& cell)
{
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*integer);
    if (const auto* number = std::get_if<double>(&cell)) return *number;
    return std::nullopt;
}

}  // namespace ringmesh::lab
