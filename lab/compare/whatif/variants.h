// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analytic/curves.h"
#include "lab/compare/difference.h"
#include "lab/study/study.h"
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
    std::vector<Dimension> dimensions;  ///< without those that have one value
    std::string everywhere;             ///< "size_bytes=64 bytes": those that have one
    std::vector<VariantPlace> places;
};

/// @param table of the test, as whole_table() has it
/// @throws UserError if the column is unknown, holds no numbers, or nothing can be compared
VariantComparison compare_variants(const StudyTest& test, const workloads::Results& table,
                                   const VariantQuestion& question);

}  // namespace ringmesh::lab
