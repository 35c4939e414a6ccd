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
    std::string text;
    const auto add = [&text](std::uint64_t count, std::string_view noun, std::string_view rest) {
        if (count == 0) return;
        text += fmt::format("{}{} {}{}{}", text.empty() ? "" : ", ", count, noun, count == 1 ? "" : "s", rest);
    };
    for (const auto& protocol : statistics.sent) {
        add(protocol.messages, "message", fmt::format(" sent by {}", protocol.name));
    }
    add(statistics.barriers, "store barrier", "");
    add(statistics.acknowledgements, "acknowledgement", "");
    add(statistics.waits, "wait", " for room");
    return text.empty() ? "nothing sent" : text;
}

}  // namespace ringmesh::workloads
