// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/traces/waveform_bench.h"
#include "traces/recorder.h"

namespace ringmesh::test {

/// Identifiers of Block's signals, in the order of its trace().
///     ! link    " link_id    # busy    $ fill    % phase
struct RecorderBench {
    TemporaryFolder folder;
    Block block{"block"};

    /// One run, recorded in `window` from the start. @return the file without its declarations
    std::string record(Window window = {}, Duration until = Duration::zero())
    {
        Recorder file(to_vcd("run.vcd"), window);
        block.trace(&file);
        if (until == Duration::zero()) {
            sc_core::sc_start();
        } else {
            sc_core::sc_start(to_kernel(until));
        }
        file.close();
        return changes_of("run.vcd");
    }
};

inline const std::string kAtRest = "$dumpvars\nsidle !\nbz \"\n0#\nb0 $\nswaiting %\n$end\n";

}  // namespace ringmesh::test
