// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "hw/mesh/border/mesh_clock.h"
#include "hw/mesh/border/mesh_faults.h"
#include "hw/mesh/path/link_calendar.h"

namespace ringmesh::hw {

/// How a packet crosses a link, in edges and cycles of the mesh's clock.
struct Crossing {
    std::int64_t leaves = 0;      ///< edge at which its head leaves the router
    std::int64_t taken = 0;       ///< cycles for which its flits have the link
    std::int64_t down = 0;        ///< cycles before that in which the link took no flits
    std::int64_t again = 0;       ///< cycles by which it comes late, as it is sent again
    std::int64_t again_from = 0;  ///< the edge from which on it is, for `again_taken` cycles
    std::int64_t again_taken = 0;
    std::int64_t slow = 0;  ///< cycles by which its head comes late, as the link is slow
};

/// What faults do to the links of a mesh, packet by packet. The mesh asks it in the place of a link's calendar when a
/// fault may strike a packet; one without faults has none of these.
class PathFaults {
public:
    PathFaults(MeshFaults& faults, const MeshClock& clock) : faults_(faults), clock_(clock) {}

    /// Whether a packet crosses without a fault. @param latest when its head may leave
    bool passes(OutputIndex output, const mesh::Packet& packet, std::int64_t latest)
    {
        return faults_.calm().passes(output, 1, packet.flits, latest);
    }
    /// Reserves the link. @param could when its head could leave @return empty: it waits there for ever
    std::optional<Crossing> cross(OutputIndex output, LinkCalendar& calendar, const mesh::Packet& packet,
                                  std::int64_t could, Duration now);
    /// When a link takes flits; INT64_MAX: never.
    std::int64_t up_from(OutputIndex output, Duration now) const
    {
        const Duration down = faults_.down_until(output, now);
        return down == Duration::never() ? INT64_MAX : clock_.edge_from(down);
    }
    /// Who waits for ever, for pending().
    template <class Say>
    void for_each_waiting(const Say& say) const
    {
        for (auto stuck = stuck_.begin(); stuck != stuck_.end(); ++stuck) {
            const auto same = [&](const auto& other) { return other.first == stuck->first; };
            if (std::any_of(stuck_.begin(), stuck, same)) continue;
            say(stuck->first, static_cast<std::size_t>(std::count_if(stuck, stuck_.end(), same)), stuck->second);
        }
    }

private:
    MeshFaults& faults_;
    const MeshClock clock_;
    std::vector<std::pair<OutputIndex, const mesh::Packet*>> stuck_;
};

}  // namespace ringmesh::hw
