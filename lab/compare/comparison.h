// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lab/store/point.h"
#include "lab/table/answer.h"
#include "lab/table/writers/cells.h"
#include "lab/table/writers/text_table.h"
#include "tlm/parameters/names.h"
#include "workloads/workload.h"

/// Compares two sides, place by place: `compare` and `study compare`.
namespace ringmesh::lab {

/// @name The difference of two means of repetitions: the core of `compare`, `study compare` and `whatif`
/// @{

/// Whether a difference is one.
enum class Noise : std::uint8_t { kEqual, kBeyond, kWithin, kUnknown };
inline constexpr NameTable<Noise, 4> kNoises{
    {{{"equal", Noise::kEqual}, {"yes", Noise::kBeyond}, {"no", Noise::kWithin}, {"unknown", Noise::kUnknown}}}};

/// Whether repetition i of one side has the seed of repetition i of the other: what both owe to it then cancels.
enum class Pairing : std::uint8_t { kNone, kBySeed };

struct MeanDifference {
    std::optional<double> percent = {};   ///< (b - a) / |a|
    std::optional<double> interval = {};  ///< half the 95 % interval of b - a; needs repetitions
    Noise noise = Noise::kUnknown;
};
/// @pre each has at least one value
MeanDifference mean_difference(std::span<const double> a, std::span<const double> b, Pairing pairing = Pairing::kNone);

/// @}
/// @name The inputs of points, and the differences between the inputs of two or more points
/// @{

/// Everything that was put in, but for the seed, by name: {"link.symbol_time", "5 ns"}.
std::vector<std::pair<std::string, std::string>> configuration_of(const Point& point);

/// What decides the results of a point but for model and seed: points with the same one are repetitions of each other.
std::string identity_of(const RunRecord& record);

/// A value of the configuration that is not the same in all of the points. Of points on several platforms the platform
/// is one, in place of the parameters that only some of them have; those that differ on one platform stay.
struct ConfigurationDifference {
    std::string name;                 ///< "link.symbol_time", "option sizes", "model"
    std::vector<std::string> values;  ///< of each point; "-" if it has none

    /// Neither an option nor a name.
    bool is_parameter() const { return name.find('.') != std::string::npos && name.find(' ') == std::string::npos; }
};
/// @param points those without a key have no configuration
std::vector<ConfigurationDifference> configuration_differences(std::span<const Point* const> points);

/// @}

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
    std::vector<std::string> notes;        ///< what could not be compared
    std::vector<std::string> only_a = {};  ///< names that the other side has not: of parameters, results, statistics
    std::vector<std::string> only_b = {};
};

/// Compares place by place. Rows of results are the same if they stand in the same place, or, if their numbers differ,
/// have the same leading whole numbers and texts.
Comparison compare(std::string a, std::string b, std::span<const ComparedPlace> places);

/// What differs in the configuration, and the results that differ most.
Answer answer_of(const Comparison& comparison);
/// Configuration first, then what differs in results and statistics; what is equal is counted.
std::string comparison_text(const Comparison& comparison, Room room);
/// Everything, equal values as well. @throws ModelError if a number is not finite
Json comparison_json(const Comparison& comparison);
/// The same, a line for each value: part, place, row, name, unit, a, b, difference_percent, interval, beyond_noise.
std::string comparison_csv(const Comparison& comparison);

}  // namespace ringmesh::lab
