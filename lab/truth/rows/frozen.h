// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lab/study/running/scripts.h"
#include "lab/table/listing.h"
#include "lab/truth/rows/row.h"
#include "tlm/parameters/names.h"

namespace ringmesh::lab {

inline constexpr const char* kFrozenFile = "frozen.csv";

enum class PredictionState : std::uint8_t {
    kAsFrozen,  ///< the model still gives this number
    kMoved,     ///< it gives another one
    kRestated,  ///< the same number, but of another quantity, unit, command or bar
    kNew,       ///< not frozen
    kLeftOut,   ///< it takes long, and was not asked for
    kGone,      ///< the study no longer finds it
};
inline constexpr NameTable<PredictionState, 6> kPredictionStates{{{{"as frozen", PredictionState::kAsFrozen},
                                                                   {"moved", PredictionState::kMoved},
                                                                   {"restated", PredictionState::kRestated},
                                                                   {"new", PredictionState::kNew},
                                                                   {"left out", PredictionState::kLeftOut},
                                                                   {"gone", PredictionState::kGone}}}};

struct Prediction {
    FrozenNumber now;  ///< what the study finds; of one that is gone or left out what was frozen
    std::optional<FrozenNumber> frozen;
    PredictionState state = PredictionState::kNew;
    std::string study = {};
    std::string bar_as = {};  ///< id of the finding or prediction whose bar, in parts, it takes
    std::optional<ConformalBar> conformal = {};
};

using FrozenNumbers = std::map<std::string, FrozenNumber>;  ///< by id

/// What a study has frozen, in its frozen.csv: an expectation of each row that is judged, and predictions.
struct Frozen {
    FrozenNumbers rows;
    FrozenNumbers predictions;
};
/// @throws UserError "FILE:LINE: ..."
Frozen read_frozen(const std::filesystem::path& study);

/// The rows of the views prediction_*, beside what was frozen. A view has the columns id, simulated, quantity, unit,
/// command and, where a number had been read before, seen; where it is too long to vary, bar_as.
/// @param others what a frozen prediction is that was not found; nothing: it is not listed
/// @throws UserError "FILE:LINE: ..." for a view that lacks a column, a row without id, quantity or number, and an id
/// twice
std::vector<Prediction> predictions_of(const std::vector<FoundView>& views, const FrozenNumbers& frozen,
                                       std::optional<PredictionState> others);

/// Gives the rows that are judged what was frozen of them; nothing if no row was.
/// @return what was frozen of rows that are not there
/// @throws UserError for a row that was frozen beside another published number
std::vector<FrozenNumber> expect(std::vector<Row>& rows, const FrozenNumbers& frozen);

/// As frozen.csv has them.
std::string frozen_csv(const std::vector<FrozenNumber>& numbers);

/// The rows that are judged as they are now, for frozen.csv; one that is as frozen stays.
std::vector<FrozenNumber> frozen_rows(const std::vector<Row>& rows, const std::string& model, const std::string& date);
/// The predictions with their numbers and bars as they are now. Where nothing has changed, a row keeps its version and
/// date.
std::vector<FrozenNumber> frozen_predictions(const std::vector<Prediction>& predictions, const std::string& model,
                                             const std::string& date);

const Listing<Prediction>& prediction_columns();

}  // namespace ringmesh::lab
