// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/accounts.h"

#include <fmt/format.h>

#include "tlm/error.h"

namespace ringmesh::workloads {

std::int64_t Accounts::dropped() const
{
    std::uint64_t packets = 0;
    for (const Source& source : sources_) packets += source.dropped.packets;
    return static_cast<std::int64_t>(packets);
}

void Accounts::require_balanced(bool answers) const
{
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
