// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lab/study/scripts.h"
#include "lab/table/listing.h"
#include "tlm/names.h"

namespace ringmesh::lab {

inline constexpr const char* kPredictionsFile = "predictions.csv";

/// What was predicted when a prediction was frozen: a row of predictions.csv.
struct FrozenPrediction {
    std::string id;
    std::string machine;
    std::string command;  ///< that gives the number, as a shell takes it
    std::string quantity;
    std::string unit;
    double value = 0;
    std::optional<double> low;  ///< of the error bar
    std::optional<double> high;
    std::string seen;   ///< where a number for it had been read before; empty: nowhere
    std::string model;  ///< version of the model that gave it
    std::string date;   ///< "2026-11-23"
};

enum class PredictionState : std::uint8_t {
    kAsFrozen,   ///< the model still gives this number
    kMoved,      ///< it gives another one
    kRestated,   ///< the same number, but of another quantity, unit, command or bar
    kNotFrozen,  ///< new
    kLeftOut,    ///< it takes long, and was not asked for
    kGone,       ///< the study no longer finds it
};
inline constexpr NameTable<PredictionState, 6> kPredictionStates{{{{"as frozen", PredictionState::kAsFrozen},
                                                                   {"moved", PredictionState::kMoved},
                                                                   {"restated", PredictionState::kRestated},
                                                                   {"not frozen", PredictionState::kNotFrozen},
                                                                   {"left out", PredictionState::kLeftOut},
                                                                   {"gone", PredictionState::kGone}}}};

struct Prediction {
    FrozenPrediction now;  ///< what the study finds; of one that is gone or left out what was frozen
    std::optional<FrozenPrediction> frozen;
    PredictionState state = PredictionState::kNotFrozen;
    std::string study = {};
    std::string bar_as = {};  ///< id of the finding or prediction whose bar, in parts, it takes
};

/// The rows of the views prediction_*, beside what was frozen. A view has the columns id, simulated, quantity, unit,
/// command and, where a number had been read before, seen; where it is too long to vary, bar_as.
/// @param others what a frozen prediction is that was not found; nothing: it is not listed
/// @throws UserError "FILE:LINE: ..." for a view that lacks a column, a row without id or number, an id twice, and what
/// is wrong in predictions.csv
std::vector<Prediction> predictions_of(const std::vector<FoundView>& views, const std::filesystem::path& study,
                                       std::optional<PredictionState> others);

/// As predictions.csv has them.
std::string frozen_csv(const std::vector<FrozenPrediction>& predictions);

/// The file with the numbers and bars as they are now. Where nothing has changed, a row keeps its version and date.
std::string frozen_text(const std::vector<Prediction>& predictions, const std::string& model, const std::string& date);

const Listing<Prediction>& prediction_columns();

}  // namespace ringmesh::lab
