// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lab/truth/inputs/inputs.h"
#include "lab/truth/ledger/report.h"

/// The error bars that a study keeps in its folder uncertainty/, so that `validate` shows them without the thousands of
/// runs behind them: bars.csv, a row for each simulated number; inputs.csv, one for each input; sensitivity.csv, one
/// for each row that an input moves and each value of the input that was tried, where an id or input that repeats the
/// line above is left out; settings.csv, one for each row that set an input.
namespace ringmesh::lab {

inline constexpr const char* kBarsFile = "bars.csv";
inline constexpr const char* kInputsFile = "inputs.csv";
inline constexpr const char* kSensitivityFile = "sensitivity.csv";
inline constexpr const char* kSettingsFile = "settings.csv";

/// Folder of a study's analysis.
std::filesystem::path bars_folder(const std::filesystem::path& study);

/// What the files say.
struct KeptBars {
    std::map<std::string, Bar> bars;  ///< by id of the row
    std::vector<Input> inputs;
    std::vector<std::string> free = {};  ///< inputs that move no row that is judged
    std::vector<RowEffects> rows = {};   ///< that inputs move
    SettingRows settings = {};
    bool are_kept = false;
};

/// From the texts of the files, by name; settings.csv may be missing. @throws UserError "FOLDER/FILE:LINE: ..."
KeptBars bars_from(const std::map<std::string, std::string>& files, const std::filesystem::path& folder);
/// None if the study keeps none. @throws UserError as bars_from(), and for a file that is missing beside the others
std::optional<KeptBars> read_bars(const std::filesystem::path& study);

/// Adds the bars to the rows, and what was varied to the report. A row without one takes that of its `bar_as`, in
/// parts of its number.
void add_bars(Report& report, const KeptBars& kept);

/// Ids of the rows that have a published and a simulated number.
std::set<std::string> judged_rows(const Report& report);

}  // namespace ringmesh::lab
