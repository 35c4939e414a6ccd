// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lab/study/points/points.h"
#include "tlm/parameters/names.h"
#include "tlm/parameters/parameters.h"

namespace ringmesh::lab {

enum class InputOf : std::uint8_t { kMachine, kProgram, kLibrary };
inline constexpr NameTable<InputOf, 3> kInputOwners{
    {{{"machine", InputOf::kMachine}, {"program", InputOf::kProgram}, {"library", InputOf::kLibrary}}}};

/// The uncertain inputs of results: each parameter of a machine, or option of a program or a library, that was assumed,
/// calibrated or derived, with the range or the choices that its provenance states.
struct Input {
    std::string name;  ///< unique in the study: "lc2.decode"; "call of rcce"; with its value if machines differ
    InputOf of = InputOf::kMachine;
    std::string owner;  ///< name of the program or library; empty for a machine's parameter
    std::string key;
    std::string kind;  ///< as ParameterRow has it
    std::string value;
    std::string low;  ///< of the range, with unit; empty for a choice
    std::string high;
    std::vector<std::string> alternatives;  ///< of a choice
    Provenance from = Provenance::kAssumed;
    std::vector<std::string> set_by;        ///< rows that calibrated it
    std::string reason;                     ///< for the range
    std::vector<std::size_t> points;        ///< of the study, in which it has an effect
    std::vector<std::string> refused = {};  ///< those of others() with which no row could be had: they are not drawn

    bool is_choice() const { return low.empty(); }
    /// Whether machines may refuse what lies between its ends and its value: sizes and whole numbers without a unit.
    bool has_steps() const { return kind == "size" || kind == "integer"; }
    /// What it is tried at besides its value: the ends of its range that differ from it, or the other choices.
    std::vector<std::string> others() const;
    /// The value at a fraction of the range, from 0 to below 1, or of the choices, its own first. Sizes and whole
    /// numbers, between which machines refuse some, have three: the ends and the value. For what was refused the value
    /// stands.
    std::string at(double fraction) const;
    /// "3 cycles to 9 cycles", "lru, random"
    std::string range_text() const;
};

/// "12 cycles (derived, 10 cycles to 13 cycles)"
std::string state_of(const Input& input);

/// Whether two studies have the same input, with the same value and range.
bool is_same(const Input& a, const Input& b);

/// The numbers of a range that an input can have. @pre it has a range
class Range {
public:
    explicit Range(const Input& input);
    double low() const { return low_; }
    double width() const { return high_ - low_; }
    /// At a fraction from 0 to below 1: anywhere, or each whole number of cycles as likely as the others.
    double at(double fraction) const;

private:
    double low_;
    double high_;
    bool whole_;
};

/// A quantity as a number, whatever its unit: all values of one parameter have the same. None for a text.
std::optional<double> number_of(const std::string& quantity);
/// The reverse: a value of the input with its unit, whole where it must be. @pre it has a range
std::string quantity_text(const Input& input, double x);

/// The inputs of a study, machines first. What a point sets itself is a condition there, and no input of it.
/// @throws UserError for a range that does not hold the value
std::vector<Input> inputs_of(std::span<const StudyPoint> points);

/// The point with another value of the input. @pre the input has an effect in it
StudyPoint with_input(StudyPoint point, const Input& input, const std::string& value);
/// The same for an option of the point's program.
void set_option(StudyPoint& point, const std::string& key, const std::string& value);

/// What a row is when one input is tried at its other values, and all else is as it was.
struct Effect {
    std::size_t input = 0;
    std::vector<std::optional<double>> results;  ///< for each of Input::others(); none: the study could not find it
};

/// A number that a study finds, and how it moves.
struct RowEffects {
    std::string id;
    double simulated = 0;
    std::vector<Effect> effects = {};  ///< of the inputs that move it, the largest first
    std::vector<double> seeds = {};    ///< with other seeds; empty: they do not move it
    std::vector<double> choices = {};  ///< with another option of the measurement ([numerical]): of each the farthest
    std::vector<double> samples = {};  ///< with draws of the inputs that move it; empty: not needed
    std::size_t unknown = 0;           ///< trials of inputs that gave no number

    /// From the smallest to the largest of what the effect and the study gave.
    double swing(const Effect& effect) const;
};

/// How a row that set inputs was met.
struct SettingRow {
    double error = 0;  ///< simulated less published
    double sigma = 0;  ///< standard uncertainty of the published number, and the error itself, in squares
};
using SettingRows = std::map<std::string, SettingRow>;  ///< by id

}  // namespace ringmesh::lab
