// SPDX-License-Identifier: Apache-2.0
#include "lab/compare/whatif/variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "workloads/traffic/measurements/latency_series.h"

namespace ringmesh::lab {
namespace {

using At = std::vector<std::size_t>;

/// Seed by seed; empty unless both have as many values.
std::vector<double> differences_of(const std::vector<double>& a, const std::vector<double>& b)
{
    std::vector<double> differences;
    if (a.size() != b.size()) return differences;
    for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - b[i]);
    return differences;
}

/// Half the 95 % interval of where a straight line between two mean differences is zero, as far as it follows the
/// seeds' differences in straight lines (delta method, Student). Needs repetitions, the same at both points.
std::optional<double> half_interval(const analytic::Crossing& crossing, const std::vector<double>& below,
                                    const std::vector<double>& above)
{
    if (below.size() != above.size() || below.size() < 2) return std::nullopt;
    const double first = sample_of(below).mean;
    const double last = sample_of(above).mean;
    const double fall = first - last;
    if (fall == 0) return std::nullopt;
    const double scale = (crossing.above - crossing.below) / (fall * fall);
    std::vector<double> moves;
    for (std::size_t i = 0; i < below.size(); ++i) {
        moves.push_back(scale * (first * (above[i] - last) - last * (below[i] - first)));
    }
    return mean_interval(sample_of(moves));
}

/// The points of curves along one dimension.
class Bundle {
public:
    /// @param name of the curve @param x where it is measured
    void add(const std::string& name, double x, const Contender& contender)
    {
        const auto found = std::ranges::find_if(curves_, [&name](const auto& curve) { return curve.first == name; });
        auto& curve = found == curves_.end() ? curves_.emplace_back(name, Points()) : *found;
        curve.second.emplace(x, &contender);
    }

    /// Fills in names, points, pairs and the best. @return false if there are not two curves with two points
    bool compare(CurveFamily& family, std::optional<Better> better) const
    {
        if (curves_.size() < 2) return false;
        for (const auto& [x, contender] : curves_.front().second) {
            const bool everywhere =
                std::ranges::all_of(curves_, [x = x](const auto& curve) { return curve.second.contains(x); });
            if (everywhere) family.points.push_back(x);
        }
        if (family.points.size() < 2) return false;
        std::vector<std::vector<double>> means;
        for (const auto& [name, points] : curves_) {
            family.names.push_back(name);
            auto& curve = means.emplace_back();
            for (const double x : family.points) curve.push_back(points.at(x)->sample.mean);
        }
        for (std::size_t a = 0; a < means.size(); ++a) {
            for (std::size_t b = a + 1; b < means.size(); ++b) family.pairs.push_back(pair(family, means, a, b));
        }
        if (better) family.best = analytic::best_ranges(family.points, means, *better);
        return true;
    }

private:
    using Points = std::map<double, const Contender*>;

    CurvePair pair(const CurveFamily& family, const std::vector<std::vector<double>>& means, std::size_t a,
                   std::size_t b) const
    {
        CurvePair pair{.a = a, .b = b, .crossings = analytic::crossings(family.points, means[a], means[b])};
        const auto is_noise = [&](double x) {
            const Noise noise =
                mean_difference(curves_[a].second.at(x)->values, curves_[b].second.at(x)->values, Pairing::kBySeed)
                    .noise;
            return noise == Noise::kWithin || noise == Noise::kEqual;
        };
        for (const analytic::Crossing& crossing : pair.crossings) {
            pair.within_noise.push_back(is_noise(crossing.below) || is_noise(crossing.above));
            const auto differences = [&](double x) {
                return differences_of(curves_[a].second.at(x)->values, curves_[b].second.at(x)->values);
            };
            pair.halves.push_back(half_interval(crossing, differences(crossing.below), differences(crossing.above)));
        }
        pair.all_within_noise = std::ranges::all_of(family.points, is_noise);
        std::vector<double> percents;
        for (std::size_t i = 0; i < means[a].size(); ++i) {
            const double by = means[b][i] - means[a][i];
            if (by != 0 && pair.lower == 0) pair.lower = by > 0 ? -1 : 1;
            if (means[a][i] != 0) percents.push_back(100 * std::abs(by / means[a][i]));
        }
        if (percents.empty()) return pair;
        const auto [least, most] = std::ranges::minmax_element(percents);
        pair.least_percent = *least;
        pair.most_percent = *most;
        pair.last_percent = percents.back();
        return pair;
    }

    std::vector<std::pair<std::string, Points>> curves_;
};

/// All families along one dimension, in the order of the places.
class Families {
public:
    Families(const VariantComparison& comparison, std::size_t along, CurvePoints points)
        : comparison_(comparison), along_(along), points_(points)
    {}

    /// The curves of the variants, or of the values of the other dimension, in each of the variants.
    void find(std::optional<std::size_t> of, std::vector<CurveFamily>& found) const
    {
        std::vector<std::pair<std::string, Bundle>> bundles;
        std::map<std::pair<At, std::size_t>, std::size_t> known;
        const Dimension& line = comparison_.dimensions[along_];
        for (const VariantPlace& place : comparison_.places) {
            for (std::size_t variant = 0; variant < place.variants.size(); ++variant) {
                const Contender& contender = place.variants[variant];
                if (!contender.measured() || is_left_out(contender.doubt)) continue;
                const auto [held, title] = rest_of(place.at, of, variant);
                const auto [entry, added] = known.emplace(std::pair(held, of ? variant : 0), bundles.size());
                if (added) bundles.emplace_back(title, Bundle());
                bundles[entry->second].second.add(
                    of ? comparison_.dimensions[*of].text(place.at[*of]) : comparison_.variants[variant],
                    number_of(line.values[place.at[along_]]).value(), contender);
            }
        }
        for (const auto& [title, bundle] : bundles) {
            CurveFamily family{.along = along_, .of = of, .held = title};
            if (bundle.compare(family, comparison_.better)) found.push_back(std::move(family));
        }
    }

private:
    bool is_left_out(const std::string& doubt) const
    {
        return points_ == CurvePoints::kLasting ? !doubt.empty() : doubt.ends_with(workloads::kSaturated);
    }

    /// What is held, and as text.
    std::pair<At, std::string> rest_of(At at, std::optional<std::size_t> of, std::size_t variant) const
    {
        std::string title;
        const auto& all = comparison_.dimensions;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i].group == all[along_].group || (of && all[i].group == all[*of].group)) {
                at[i] = 0;
            } else {
                title += fmt::format("{}{}={}", title.empty() ? "" : ", ", all[i].name, all[i].text(at[i]));
            }
        }
        if (of && comparison_.variants.size() > 1) {
            title += fmt::format("{}{}", title.empty() ? "" : ", ", comparison_.variants[variant]);
        }
        return {at, title};
    }

    const VariantComparison& comparison_;
    std::size_t along_;
    CurvePoints points_;
};

/// Of dimensions in step the first whose values are all different stands for all of them.
bool stands_for_its_group(const VariantComparison& comparison, std::size_t dimension)
{
    const auto& all = comparison.dimensions;
    const auto tells_apart = [&](std::size_t candidate) {
        std::map<std::size_t, At> of_value;
        for (const VariantPlace& place : comparison.places) {
            At group;
            for (std::size_t i = 0; i < all.size(); ++i) {
                if (all[i].group == all[candidate].group) group.push_back(place.at[i]);
            }
            const auto [found, added] = of_value.emplace(place.at[candidate], group);
            if (!added && found->second != group) return false;
        }
        return true;
    };
    for (std::size_t i = 0; i < dimension; ++i) {
        const bool number = all[i].is_number() || !all[dimension].is_number();
        if (all[i].group == all[dimension].group && number && tells_apart(i)) return false;
    }
    return tells_apart(dimension);
}

}  // namespace

std::vector<CurveFamily> curve_families(const VariantComparison& comparison, CurvePoints points)
{
    std::vector<CurveFamily> families;
    const auto& all = comparison.dimensions;
    for (std::size_t along = 0; along < all.size(); ++along) {
        if (!all[along].is_number() || !stands_for_its_group(comparison, along)) continue;
        const Families along_it(comparison, along, points);
        along_it.find(std::nullopt, families);
        for (std::size_t of = 0; of < all.size(); ++of) {
            const bool few = all[of].values.size() <= kMostCurves;
            const bool offered = !all[of].of_rows || !all[of].is_number();
            if (all[of].group == all[along].group || !few || !offered) continue;
            if (stands_for_its_group(comparison, of)) along_it.find(of, families);
        }
    }
    return families;
}

}  // namespace ringmesh::lab
