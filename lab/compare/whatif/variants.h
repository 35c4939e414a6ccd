// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analytic/curves.h"
#include "lab/compare/comparison.h"
#include "lab/study/description/study.h"
#include "lab/table/welch.h"
#include "workloads/workload.h"

/// Variants of a test side by side over its axes, by one of the program's results.
namespace ringmesh::lab {

using analytic::Better;

/// What the variants are compared by.
struct VariantQuestion {
    std::string by = {};                ///< a column of the program; empty: the first one of times or rates
    std::optional<Better> better = {};  ///< not given: smaller times, larger rates
};

/// An axis, or a column with which the program names its rows.
struct Dimension {
    std::string name;
    std::string unit;  ///< of its numbers
    std::vector<workloads::Cell> values;
    std::size_t group = 0;  ///< dimensions of one group go in step
    bool of_rows = false;   ///< a column of the program

    bool is_number() const;
    /// "5 ns"
    std::string text(std::size_t value) const;
};

/// The repetitions of one variant at one place.
struct Contender {
    std::vector<std::string> points = {};  ///< keys in the store
    std::vector<double> values = {};       ///< empty: nothing was measured here
    Sample sample = {};
    std::optional<double> interval = {};  ///< half the 95 % interval of the mean; needs repetitions
    MeanDifference change = {};           ///< from the base; nothing for the base itself
    std::string doubt = {};               ///< why a mean is no lasting one, of the first run that has a doubt

    bool measured() const { return !values.empty(); }
};

/// A value of each dimension, and what the variants gave there.
struct VariantPlace {
    std::vector<std::size_t> at;
    std::vector<Contender> variants;
};

struct VariantComparison {
    workloads::Column by;
    bool by_was_chosen = false;  ///< by the program, as nobody asked for a column
    std::optional<Better> better;
    std::vector<std::string> variants;  ///< the base first
    bool repeated = false;
    bool doubted = false;               ///< there is a contender with a doubt
    std::vector<Dimension> dimensions;  ///< without those that have one value
    std::string everywhere;             ///< "size_bytes=64 bytes": those that have one
    std::vector<VariantPlace> places;
    std::vector<std::size_t> lone = {};  ///< of each variant: results at places that no other has, left out
};

/// @param table of the test, as whole_table() has it
/// @throws UserError if the column is unknown, holds no numbers, or nothing can be compared
VariantComparison compare_variants(const StudyTest& test, const workloads::Results& table,
                                   const VariantQuestion& question);

/// Of programs of others, whose rows are one for the whole program and one for each call: the times of the former
/// alone. Of others, all.
VariantComparison of_whole_programs(VariantComparison comparison);

/// @name The curves of a comparison of variants, and where they change places
/// @{

/// Two curves of a family: where they change places.
struct CurvePair {
    std::size_t a = 0;
    std::size_t b = 0;
    std::vector<analytic::Crossing> crossings = {};
    std::vector<std::optional<double>> halves = {};  ///< of each crossing: half its 95 % interval over seeds
    std::vector<bool> within_noise = {};  ///< of each crossing: at a point beside it they differ by no more than noise
    double least_percent = 0;             ///< of the first curve: by how much they differ at a point, at least
    double most_percent = 0;              ///< likewise at most
    double last_percent = 0;              ///< likewise at the last point
    bool all_within_noise = false;        ///< they differ nowhere by more than noise
    int lower = 0;  ///< if they do not cross: negative if the first curve is lower, positive if the second; 0: equal
};

/// Curves along one dimension, the others held: of all variants, or of the values of another dimension.
struct CurveFamily {
    std::size_t along = 0;
    std::optional<std::size_t> of = {};  ///< the other dimension; none: of variants
    std::string held = {};               ///< "hops=1, variant base"; may be empty
    std::vector<std::string> names = {};
    std::vector<double> points = {};  ///< where all are measured, without a doubt
    std::vector<CurvePair> pairs = {};
    std::vector<analytic::BestRange> best = {};  ///< none if it is not known what is better
};

/// An axis of more values is compared by variants alone.
inline constexpr std::size_t kMostCurves = 6;

/// Which means curves are made of.
enum class CurvePoints : std::uint8_t {
    kLasting,     ///< those without a doubt
    kUnsaturated  ///< those of runs that were too short as well
};

/// Along each dimension of numbers: the curves of the variants, and those of the values of each other axis, or column
/// of texts, that has at most kMostCurves.
std::vector<CurveFamily> curve_families(const VariantComparison& comparison,
                                        CurvePoints points = CurvePoints::kLasting);

/// @}

}  // namespace ringmesh::lab
