// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tlm/simulation/simulation.h"
#include "traces/formats/timeline_writer.h"
#include "traces/gtkw.h"
#include "traces/recorder.h"

namespace ringmesh::lab {

/// The options of a run that is recorded.
struct WaveformOptions {
    std::string vcd;  ///< files; empty for none
    std::string fst;
    std::string timeline;
    std::string trace;   ///< patterns of signals; empty for all
    std::string window;  ///< empty for the whole run

    bool asked() const { return !vcd.empty() || !fst.empty() || !timeline.empty(); }
};

/// The recording of a run, if requested.
class Waveform {
public:
    /// @throws UserError for options that do not go together
    explicit Waveform(const WaveformOptions& options);
    /// @pre the simulation has been made. @throws UserError
    void open();
    /// @pre the machine has been built. @throws UserError
    void attach(Simulation& simulation);
    /// After the run. @param stopped what stopped it before its end, which the files then say; empty: nothing did
    /// @return why there are no files: the run has no such window; empty if there are @throws UserError
    std::string close(const std::string& stopped = {});

private:
    struct ViewFile {
        std::string waveform;
        View purpose = View::kAll;
        std::unique_ptr<AtomicFile> file;  ///< null if it gets none
    };

    WaveformOptions options_;
    WindowRequest window_;
    std::vector<ViewFile> views_;
    std::unique_ptr<Recorder> recorder_;
    const TimelineWriter* timeline_ = nullptr;  ///< one of the recorder's
    const Simulation* simulation_ = nullptr;    ///< once it is attached
};

}  // namespace ringmesh::lab
