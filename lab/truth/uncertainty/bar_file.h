// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lab/truth/ledger/report.h"
#include "lab/truth/uncertainty/bars.h"

/// An analysis as a study keeps it, in its folder uncertainty/, so that `validate` shows bars without the thousands of
/// runs behind them: bars.csv, a row for each simulated number; inputs.csv, one for each input; sensitivity.csv, one
/// for each input and each row that it moves; settings.csv, one for each row that set an input.
namespace ringmesh::lab {

inline constexpr const char* kInputsFile = "inputs.csv";
inline constexpr const char* kSensitivityFile = "sensitivity.csv";

/// Folder of a study's analysis.
std::filesystem::path bars_folder(const std::filesystem::path& study);

struct KeptBars {
    std::map<std::string, Bar> bars;  ///< by id of the row
    /// By id and input from the low end of its range to the high one, or by id and choice, in percent of the row.
    std::map<std::string, std::map<std::string, double>> changes;
    VariedInputs inputs;
    std::map<std::string, std::string> states;  ///< of each input by its name: value and range

    /// @param choice empty for an end of a range, the low one first
    void add_change(const std::string& id, const std::string& input, const std::string& choice, double percent);
};

/// What an analysis says of a study. @param judged ids of rows with a published and a simulated number
KeptBars kept_bars(const Analysis& analysis, const std::set<std::string>& judged);
/// None if the study keeps none. @throws UserError "FILE:LINE: ..."
std::optional<KeptBars> read_bars(const std::filesystem::path& study);

/// What all other studies of the catalog keep of the rows that set their inputs. @throws UserError as read_bars
std::vector<KeptSettings> settings_of_others(const std::filesystem::path& study);

/// The files, by name.
std::map<std::string, std::string> bar_files(const Analysis& analysis, const std::set<std::string>& judged);
/// Writes them into the study's folder, each whole or not at all. @throws UserError
void keep_bars(const std::filesystem::path& study, const std::map<std::string, std::string>& files);

/// Inputs that are not what they were when the bars were kept, each with what it was and is.
/// @param inputs that act in what the rows hang on
std::vector<std::string> changed_inputs(const KeptBars& kept, const std::vector<Input>& inputs);

/// Adds the bars to the rows, and what was varied to the report. A row without one takes that of its `bar_as`, in
/// parts of its number.
void add_bars(Report& report, const KeptBars& kept);

/// How the rows with a published and a simulated number are met, by id.
SettingRows published_rows(const Report& report);

/// Ids of the rows that have a published and a simulated number.
std::set<std::string> judged_rows(const Report& report);

}  // namespace ringmesh::lab
