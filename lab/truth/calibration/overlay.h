// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lab/truth/calibration/calibration.h"

/// What a calibration found, as a user can take it over.
namespace ringmesh::lab {

/// Each overlay begins so.
inline constexpr const char* kOverlayHead = "description = \"Calibrated by ";

/// An overlay with the values and their provenance, for the machine's parameters; empty if there are none.
std::string overlay_text(const Calibration& calibration, const std::string& study);
/// "--library rcce:call=450 cycles", for what an overlay cannot hold.
std::vector<std::string> option_texts(const Calibration& calibration);

}  // namespace ringmesh::lab
