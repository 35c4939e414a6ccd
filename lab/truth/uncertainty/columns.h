// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "lab/table/listing.h"
#include "lab/truth/uncertainty/bars.h"

/// The columns of an analysis: the varied inputs, and what each of them changes. The files that a study keeps and the
/// outputs of `sensitivity` are made of these.
namespace ringmesh::lab {

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

/// As settings.csv has them.
const Listing<SettingResult>& setting_columns();

}  // namespace ringmesh::lab
