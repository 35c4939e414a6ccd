// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "lab/truth/ledger/report.h"

/// The error bars that a study keeps in its folder uncertainty/, so that `validate` shows them without the thousands of
/// runs behind them: bars.csv, a row for each simulated number; inputs.csv, one for each input; sensitivity.csv, one
/// for each input and each row that it moves; settings.csv, one for each row that set an input.
namespace ringmesh::lab {

inline constexpr const char* kBarsFile = "bars.csv";
inline constexpr const char* kInputsFile = "inputs.csv";
inline constexpr const char* kSensitivityFile = "sensitivity.csv";
inline constexpr const char* kSettingsFile = "settings.csv";
/// For messages on mistakes in these files.
inline constexpr const char* kBarsCure = "make the file again with validate --uncertainty --keep";

/// Folder of a study's analysis.
std::filesystem::path bars_folder(const std::filesystem::path& study);

struct KeptBars {
    std::map<std::string, Bar> bars;  ///< by id of the row
    /// By id and input from the low end of its range to the high one, or by id and choice, in percent of the row.
    std::map<std::string, std::map<std::string, double>> changes;
    VariedInputs inputs;
};

/// "12 cycles (derived, 10 cycles to 13 cycles)"
std::string input_state(std::string_view from, const std::string& value, const std::string& range);

/// From the texts of the files, by name. @throws UserError "FOLDER/FILE:LINE: ..."
KeptBars bars_from(const std::map<std::string, std::string>& files, const std::filesystem::path& folder);
/// None if the study keeps none. @throws UserError as bars_from(), and for a file that is missing beside the others
std::optional<KeptBars> read_bars(const std::filesystem::path& study);

/// Adds the bars to the rows, and what was varied to the report. A row without one takes that of its `bar_as`, in
/// parts of its number.
void add_bars(Report& report, const KeptBars& kept);

/// Ids of the rows that have a published and a simulated number.
std::set<std::string> judged_rows(const Report& report);

}  // namespace ringmesh::lab
