// SPDX-License-Identifier: Apache-2.0
#include "tlm/log_assignments.h"

namespace ringmesh {

std::vector<LogAssignment> log_assignments(std::string_view text)
{
    std::vector<LogAssignment> all;
    while (!text.empty()) {
        const auto comma = text.find(',');
        const auto part = text.substr(0, comma);
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
        const auto equals = part.find('=');
        if (equals == std::string_view::npos) {
            all.push_back({part, "*", part});
        } else {
            all.push_back({part, part.substr(0, equals), part.substr(equals + 1)});
        }
    }
    return all;
}

}  // namespace ringmesh
