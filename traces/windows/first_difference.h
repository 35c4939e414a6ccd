// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tlm/units/units.h"
#include "traces/windows/window.h"

namespace ringmesh {

/// The first difference of two waveforms.
struct FirstDifference {
    Duration time;
    std::string signal;
    std::string a;  ///< its value in either; empty if it has none yet
    std::string b;
    std::size_t others = 0;  ///< signals that differ at this time, too
};

struct WaveformComparison {
    std::size_t signals = 0;  ///< that both have
    std::vector<std::string> only_in_a;
    std::vector<std::string> only_in_b;
    Window compared;  ///< the time that both have
    Window a, b;      ///< and each of them
    std::optional<FirstDifference> first;
};

/// Compares the signals and the time that both have. @throws UserError if they have no signal or no time in common
WaveformComparison compare_waveforms(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace ringmesh
