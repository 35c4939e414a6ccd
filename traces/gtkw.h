// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "traces/vcd_file.h"

namespace ringmesh {

/// Writes the view that belongs to a closed waveform beside it: run.vcd gets run.gtkw, and `gtkwave run.gtkw` shows all
/// signals, grouped under the names of their modules and zoomed to what has been recorded. Numbers are decimal; queue
/// fills (unsigned signals with "fill" in their name) are drawn as a curve too. The two files can be moved together.
///
/// @return the path written; empty for a waveform that went to no regular file, which gets none
/// @throws UserError
std::filesystem::path write_gtkw(const VcdFile& file);

}  // namespace ringmesh
