// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace ringmesh {

/// One of "node0.*=debug,*.blink=trace"; a level alone applies to all. Views into the given text.
struct LogAssignment {
    std::string_view text;
    std::string_view pattern;  ///< of loggers' names
    std::string_view level;    ///< as it was written
};

std::vector<LogAssignment> log_assignments(std::string_view text);

}  // namespace ringmesh
