// SPDX-License-Identifier: Apache-2.0
#include "workloads/messaging/messenger.h"

#include <fmt/format.h>

namespace ringmesh::workloads {

MessagingStatistics& operator+=(MessagingStatistics& sum, const MessagingStatistics& more)
{
    if (sum.sent.empty()) sum.sent.resize(more.sent.size());
    for (std::size_t i = 0; i < more.sent.size(); ++i) {
        sum.sent[i].name = more.sent[i].name;
        sum.sent[i].messages += more.sent[i].messages;
        sum.sent[i].bytes += more.sent[i].bytes;
    }
    sum.barriers += more.barriers;
    sum.acknowledgements += more.acknowledgements;
    sum.waits += more.waits;
    return sum;
}

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
