// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "traces/windows/first_difference.h"

namespace ringmesh::lab {

/// Whether this is a file of a waveform, by its name: .vcd or .fst
bool is_waveform(const std::string& path);

/// What `compare A.vcd B.vcd` says, in lines of this width. @param a,b the names of the two
std::string waveforms_text(const WaveformComparison& comparison, const std::string& a, const std::string& b,
                           std::size_t width);
std::string waveforms_json(const WaveformComparison& comparison, const std::string& a, const std::string& b);
std::string waveforms_csv(const WaveformComparison& comparison);

}  // namespace ringmesh::lab
