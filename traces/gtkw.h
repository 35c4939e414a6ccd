// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

#include "tlm/atomic_file.h"
#include "traces/recorder.h"

namespace ringmesh {

/// The view's name: run.vcd has run.gtkw.
std::filesystem::path gtkw_of(const std::filesystem::path& dump);

/// Opens the view that belongs to a waveform, beside it: run.vcd gets run.gtkw. Call it before the run, so that a file
/// that cannot be written is reported before any simulation.
///
/// @return null if the waveform is no regular file: it gets no view
/// @throws UserError
std::unique_ptr<AtomicFile> open_gtkw(const std::filesystem::path& dump);

inline constexpr std::size_t kManySignals = 200;

/// Writes the view of a closed waveform: `gtkwave run.gtkw` shows all signals, grouped under the names of their modules
/// and zoomed to what has been recorded. Numbers are decimal; queue fills (unsigned signals with "fill" in their name)
/// are drawn as a curve too. Above kManySignals, signals that never change are left out of the view (not of the
/// waveform). The two files can be moved together. @throws UserError
void write_gtkw(const Recorder& recording, const std::filesystem::path& dump, AtomicFile& view);

}  // namespace ringmesh
