// SPDX-License-Identifier: Apache-2.0
#include "analytic/curves.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace ringmesh::analytic {

std::vector<Crossing> crossings(std::span<const double> x, std::span<const double> a, std::span<const double> b,
                                Abscissa abscissa)
{
    std::vector<Crossing> all;
    std::optional<std::size_t> last;  // point at which they differ
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double here = a[i] - b[i];
        if (here == 0) continue;
        const double before = last ? a[*last] - b[*last] : here;
        if ((before < 0) != (here < 0)) {
            double at = x[*last + 1];
            if (*last + 1 == i && abscissa == Abscissa::kLinear) {
                at = x[*last] + (x[i] - x[*last]) * before / (before - here);
            } else if (*last + 1 == i) {
                at = x[*last] * std::pow(x[i] / x[*last], before / (before - here));
            }
            all.push_back(
                {.at = at, .below = x[*last], .above = x[i], .lower = here < 0 ? -1 : 1, .before = *last, .behind = i});
        }
        last = i;
    }
    return all;
}

std::vector<BestRange> best_ranges(std::span<const double> x, std::span<const std::vector<double>> curves,
                                   Better better)
{
    std::vector<BestRange> all;
    for (std::size_t i = 1; i < x.size(); ++i) {
        // Between two x all curves are straight: the best one changes only where two of them meet
        std::vector<double> ends{0, 1};
        for (std::size_t a = 0; a < curves.size(); ++a) {
            for (std::size_t b = a + 1; b < curves.size(); ++b) {
                const double before = curves[a][i - 1] - curves[b][i - 1];
                const double here = curves[a][i] - curves[b][i];
                if (before * here < 0) ends.push_back(before / (before - here));
            }
        }
        std::sort(ends.begin(), ends.end());
        ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
        const auto at = [&](double part) { return x[i - 1] + (x[i] - x[i - 1]) * part; };
        for (std::size_t end = 1; end < ends.size(); ++end) {
            const double middle = (ends[end - 1] + ends[end]) / 2;
            const auto value = [&](std::size_t curve) {
                return curves[curve][i - 1] + (curves[curve][i] - curves[curve][i - 1]) * middle;
            };
            BestRange range{.from = at(ends[end - 1]), .to = at(ends[end]), .curves = {0}};
            for (std::size_t curve = 1; curve < curves.size(); ++curve) {
                const double by = value(curve) - value(range.curves.front());
                if (by == 0) {
                    range.curves.push_back(curve);
                } else if ((by < 0) == (better == Better::kSmaller)) {
                    range.curves = {curve};
                }
            }
            if (!all.empty() && all.back().curves == range.curves) {
                all.back().to = range.to;
            } else {
                all.push_back(std::move(range));
            }
        }
    }
    return all;
}

}  // namespace ringmesh::analytic
