// SPDX-License-Identifier: Apache-2.0
#include "workloads/ranks/rank.h"

#include <fmt/format.h>

#include "tlm/error.h"

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
    sum.overtaken += more.overtaken;
    sum.repeated += more.repeated;
    return sum;
}

void add_up(Totals& totals, MessagingStatistics& sum)
{
    for (MessagingStatistics::Protocol& protocol : sum.sent) {
        totals.sum(protocol.messages);
        totals.sum(protocol.bytes);
    }
    for (auto* count : {&sum.barriers, &sum.acknowledgements, &sum.waits, &sum.overtaken, &sum.repeated}) {
        totals.sum(*count);
    }
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
    add(statistics.repeated, "transfer", " sent again");
    return text.empty() ? "nothing sent" : text;
}

void connect(const std::vector<std::unique_ptr<Rank>>& ranks)
{
    for (const auto& rank : ranks) rank->export_memory();
    for (const auto& rank : ranks) rank->import_memory();
}

Group Rank::create_group(unsigned members)
{
    if (groups_.empty()) token_ = create_buffer(1);
    groups_.push_back(members);
    return static_cast<Group>(groups_.size() - 1);
}

Task<> Rank::barrier(Group group)
{
    const unsigned members = groups_.at(group);
    const unsigned me = processor().rank();
    const Part token{.buffer = token_, .offset = 0, .size = 1};
    for (unsigned distance = 1; distance < members; distance *= 2) {
        co_await send((me + distance) % members, token);
        co_await receive((me + members - distance) % members, token);
    }
}

Task<> Rank::broadcast(Part /*bytes*/, unsigned /*root*/, Group /*group*/)
{
    throw ModelError("a broadcast of a library that offers none");
}

}  // namespace ringmesh::workloads
