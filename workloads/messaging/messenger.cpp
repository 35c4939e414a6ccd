// SPDX-License-Identifier: Apache-2.0
#include "workloads/messaging/messenger.h"

#include <fmt/format.h>

namespace ringmesh::workloads {

std::string describe(const MessagingStatistics& statistics)
{
    std::string text = "sent";
    for (const auto& protocol : statistics.sent) {
        text += fmt::format(" {} messages by {},", protocol.messages, protocol.name);
    }
    return text + fmt::format(" {} store barriers, {} acknowledgements, {} waits for room", statistics.barriers,
                              statistics.acknowledgements, statistics.waits);
}

}  // namespace ringmesh::workloads
