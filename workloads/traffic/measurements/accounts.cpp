// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/measurements/accounts.h"

#include <fmt/format.h>

#include "tlm/error.h"

namespace ringmesh::workloads {

std::int64_t Accounts::dropped() const
{
    std::uint64_t packets = 0;
    for (const Source& source : sources_) packets += source.dropped.packets;
    return static_cast<std::int64_t>(packets);
}

void Accounts::require_balanced(bool answers, std::uint64_t losses) const
{
    if (losses > 0) {
        // Each loss is a request that did not come, or an answer; of what came twice nothing would be missing
        std::uint64_t missing = 0;
        for (const Source& source : sources_) {
            const std::uint64_t sent = source.offered.packets - source.dropped.packets;
            const std::uint64_t ended = answers ? source.answered.packets : source.delivered.packets;
            if (source.delivered.packets <= sent && ended <= source.delivered.packets)
                missing += sent - ended;
            else
                missing = UINT64_MAX;
            if (missing == UINT64_MAX) break;
        }
        if (missing <= losses) return;
        throw ModelError(fmt::format("{} packets were lost after faults, and {} are missing", losses, missing));
    }
    for (std::size_t node = 0; node < sources_.size(); ++node) {
        const Source& source = sources_[node];
        const Sum sent = source.offered - source.dropped;
        if (source.delivered == sent && source.answered == (answers ? sent : Sum{})) continue;
        throw ModelError(
            fmt::format("node {} sent {} requests; {} were delivered and {} answered, not each exactly once", node,
                        sent.packets, source.delivered.packets, source.answered.packets));
    }
}

}  // namespace ringmesh::workloads
