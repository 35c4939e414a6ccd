// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lab/compare/configuration.h"
#include "lab/compare/difference.h"
#include "lab/store/point.h"
#include "lab/table/text_table.h"

/// Compares two sides, place by place: `compare` and `study compare`.
namespace ringmesh::lab {

/// Points that are to be compared because they are alike but for what is in question.
struct ComparedPlace {
    std::string title;     ///< "hops=2"; may be empty if it is the only one
    std::vector<Point> a;  ///< repetitions, at least one
    std::vector<Point> b;
};

/// A result or a statistic on both sides: numbers are means over repetitions.
struct ValueDifference {
    std::string place;
    std::string row;  ///< "size_bytes=64", or the blocks of a statistic
    std::string name;
    std::string unit;
    workloads::Cell a;
    workloads::Cell b;
    MeanDifference difference = {};
};

struct Comparison {
    std::string a;  ///< names of the sides
    std::string b;
    std::vector<ConfigurationDifference> configuration;
    std::vector<ValueDifference> results;
    std::vector<ValueDifference> statistics;
    std::vector<std::string> notes;  ///< what could not be compared
};

/// Compares place by place. Rows of results are the same if they stand in the same place, or, if their numbers differ,
/// have the same leading whole numbers and texts.
Comparison compare(std::string a, std::string b, std::span<const ComparedPlace> places);

/// Configuration first, then what differs in results and statistics; what is equal is counted.
std::string comparison_text(const Comparison& comparison, Room room);
/// Everything, equal values as well. @throws ModelError if a number is not finite
std::string comparison_json(const Comparison& comparison);
/// The same, a line for each value: part, place, row, name, unit, a, b, difference_percent, interval, beyond_noise.
std::string comparison_csv(const Comparison& comparison);

}  // namespace ringmesh::lab
