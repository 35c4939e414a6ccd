// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/truth/uncertainty/variations.h"

namespace ringmesh::lab {

/// Draws of a Latin hypercube, where answers do not follow their inputs in straight lines.
/// A further one lies between the least and the most of 39 with 38 / 40, which is 95 %.
inline constexpr unsigned kHypercubeSamples = 39;

/// By input, of each draw a part of its range, from 0 to 1; of a choice, of its values.
using Draws = std::vector<std::vector<double>>;

/// What another study keeps of the rows that set its inputs, and of how these move with all of its inputs.
struct KeptSettings {
    std::string study;  ///< its name
    std::vector<Input> inputs;
    std::vector<RowEffects> rows;
    SettingRows met;
};

/// What became of such a row where its inputs have other values.
struct SettingResult {
    std::string id;
    SettingRow met;
    std::vector<std::string> inputs;  ///< that it set
    std::size_t samples = 0;          ///< that simulated it
    std::size_t unmet = 0;            ///< those of them in which it is off by more than kUnmet
};
/// A row that is off by more than this many of its standard uncertainties is not met.
inline constexpr double kUnmet = 3;

struct Analysis {
    std::vector<Input> inputs;          ///< that act in what the rows hang on
    std::vector<RowEffects> rows;       ///< those with a simulated number, in the order of their ids
    std::vector<std::string> problems;  ///< trials that gave no number, and why
    std::size_t runs = 0;               ///< variations of the whole study
    Draws draws = {};                   ///< many, for rows that follow their inputs in straight lines
    std::vector<SettingResult> settings = {};
    std::size_t set_anew = 0;              ///< samples whose calibrated inputs were set anew, for too few met the rows
    std::size_t unmet = 0;                 ///< samples that, as simulated, miss one of these rows: they do not count
    bool unmet_count = false;              ///< unless fewer than half as many as were asked for meet them
    std::vector<std::string> unheld = {};  ///< calibrated inputs of which no row that set them is known
    /// Calibrated inputs that rows of another study hold, by the name of that study.
    std::map<std::string, std::vector<std::string>> held_elsewhere = {};
};

struct AnalysisRules {
    bool numerical = true;                 ///< also other seeds and options of the measurement
    unsigned samples = kHypercubeSamples;  ///< 0: none
    /// Rows with a published number; those that an input's `set_by` names tell what the inputs can be together.
    SettingRows published = {};
    /// What tells of inputs that rows of other studies have set.
    std::vector<KeptSettings> elsewhere = {};
    VariationRules variations = {};
};

/// An input that moves a row by less than this part of it does not move it.
inline constexpr double kMovesRow = 1e-4;
/// An input takes part in the hypercube if it moves a row that is not linear by more than this part.
inline constexpr double kMovesRowMuch = 0.01;

/// Asks a question with each input at its other values, with other seeds and options of the measurement; then, if a row
/// does not follow its inputs in straight lines, with samples of all inputs that move such rows. Inputs are drawn where
/// the rows that set calibrated ones leave them. Every run is cached.
/// @return nothing if other shards have not run theirs
/// @throws UserError
std::optional<Analysis> analyse(VariedQuestion& question, const AnalysisRules& rules, Store& store);

/// (relative change of the result) / (relative change of the input) over the whole range; none for a choice, at zero,
/// or if an end gave no number.
std::optional<double> elasticity(const RowEffects& row, const Effect& effect, const Input& input);

}  // namespace ringmesh::lab
