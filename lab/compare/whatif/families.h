// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analytic/curves.h"
#include "lab/compare/whatif/variants.h"

/// The curves of a comparison of variants, and where they change places.
namespace ringmesh::lab {

/// Two curves of a family: where they change places.
struct CurvePair {
    std::size_t a = 0;
    std::size_t b = 0;
    std::vector<analytic::Crossing> crossings = {};
    std::vector<bool> within_noise = {};  ///< of each crossing: at a point beside it they differ by no more than noise
    double least_percent = 0;             ///< of the first curve: by how much they differ at a point, at least
    double most_percent = 0;              ///< likewise at most
    bool all_within_noise = false;        ///< they differ nowhere by more than noise
    int lower = 0;  ///< if they do not cross: negative if the first curve is lower, positive if the second; 0: equal
};

/// Curves along one dimension, the others held: of all variants, or of the values of another dimension.
struct CurveFamily {
    std::size_t along = 0;
    std::optional<std::size_t> of = {};  ///< the other dimension; none: of variants
    std::string held = {};               ///< "hops=1, variant base"; may be empty
    std::vector<std::string> names = {};
    std::vector<double> points = {};  ///< where all are measured
    std::vector<CurvePair> pairs = {};
    std::vector<analytic::BestRange> best = {};  ///< none if it is not known what is better
};

/// An axis of more values is compared by variants alone.
inline constexpr std::size_t kMostCurves = 6;

/// Along each dimension of numbers: the curves of the variants, and those of the values of each other axis, or column
/// of texts, that has at most kMostCurves.
std::vector<CurveFamily> curve_families(const VariantComparison& comparison);

}  // namespace ringmesh::lab
