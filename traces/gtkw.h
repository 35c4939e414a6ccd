// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>

#include "tlm/files/atomic_file.h"
#include "traces/recorder.h"

namespace ringmesh {

/// The purpose of a view.
enum class View : std::uint8_t {
    kAll,      ///< run.gtkw: all signals, module by module
    kPacket,   ///< run.packet.gtkw: in the order in which a packet goes, from the processor to memory; of a window that
               ///< follows a packet, the way that it went
    kLinks,    ///< run.links.gtkw: which packet is on which link
    kLibrary,  ///< run.library.gtkw: what processors do
};
inline constexpr std::array kViews{View::kAll, View::kPacket, View::kLinks, View::kLibrary};

/// The view's name: run.vcd has run.gtkw.
std::filesystem::path gtkw_of(const std::filesystem::path& dump, View view = View::kAll);

/// Whether a file of this name is there that write_gtkw() did not write, as when GTKWave saved a view under it. Nobody
/// named it on the command line, so it is not replaced.
bool is_somebody_elses(const std::filesystem::path& view);

/// Opens the view that belongs to a waveform, beside it: run.vcd gets run.gtkw. Call it before the run, so that a file
/// that cannot be written is reported before any simulation.
///
/// @return null if the waveform is no regular file, which gets no view, or if is_somebody_elses(the view)
/// @throws UserError
std::unique_ptr<AtomicFile> open_gtkw(const std::filesystem::path& dump, View view = View::kAll);

inline constexpr std::size_t kManySignals = 200;

/// Writes the view of a closed waveform: `gtkwave run.gtkw` shows all signals, grouped under the names of their modules
/// and zoomed to what has been recorded. Numbers are decimal; queue fills (unsigned signals with "fill" in their name)
/// are drawn as a curve too. Above kManySignals, signals that never change are left out of the view (not of the
/// waveform). The two files can be moved together. @throws UserError
///
/// A view for a purpose has only the signals that serve it.
void write_gtkw(const Recorder& recording, const std::filesystem::path& dump, AtomicFile& view,
                View purpose = View::kAll);

}  // namespace ringmesh
