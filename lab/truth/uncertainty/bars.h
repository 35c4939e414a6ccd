// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lab/table/listing.h"
#include "lab/truth/rows/row.h"
#include "lab/truth/uncertainty/analysis.h"

namespace ringmesh::lab {

/// The bar of a row's simulated number: each input anywhere within its range, or at any of its choices, as likely as
/// the rows that set inputs leave it. Where the row follows its inputs in straight lines, the draws go along these;
/// otherwise the row has been simulated at samples.
Bar bar_of(const RowEffects& row, const Analysis& analysis);

/// Whether an input moves a row, by kMovesRow of it or more.
bool moves(const RowEffects& row, const Effect& effect);

/// How an input moves the rows that are judged.
struct InputSummary {
    const Input* input;
    std::size_t rows = 0;    ///< that it moves by kMovesRow of them or more
    std::size_t judged = 0;  ///< likewise, of those that were published and simulated
    double largest = 0;      ///< largest swing, in parts of the row
    std::string largest_row = {};
};
/// @param judged ids of rows
std::vector<InputSummary> summaries_of(const Analysis& analysis, const std::set<std::string>& judged);

/// The columns of an analysis: the varied inputs, and what each of them changes. The files that a study keeps and the
/// outputs of `sensitivity` are made of these.
const Listing<InputSummary>& input_columns();

/// A simulated number with its bar.
struct AnalysedRow {
    const RowEffects* effects;
    Bar bar;
    bool judged = false;
};
std::vector<AnalysedRow> analysed_rows(const Analysis& analysis, const std::set<std::string>& judged);
/// As bars.csv has them.
const Listing<AnalysedRow>& bar_columns();

/// An input at one of its other values, and a row that it moves.
struct InputTrial {
    const RowEffects* row;
    const Effect* effect;
    const Input* input;
    std::size_t number = 0;  ///< of the value among Input::others()

    const std::optional<double>& result() const { return effect->results[number]; }
    /// In percent of the row.
    std::optional<double> change_percent() const;
};
std::vector<InputTrial> trials_of(const Analysis& analysis);
std::vector<InputTrial> trials_of(const RowEffects& row, const std::vector<Input>& inputs);
const Listing<InputTrial>& trial_columns();
inline constexpr unsigned kInKeptTrials =
    16;  ///< those of sensitivity.csv; the others follow from bars.csv and inputs.csv

/// As settings.csv has them.
const Listing<SettingResult>& setting_columns();

}  // namespace ringmesh::lab
