// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/path/path_faults.h"

namespace ringmesh::hw {

std::optional<Crossing> PathFaults::cross(OutputIndex output, LinkCalendar& calendar, const mesh::Packet& packet,
                                          std::int64_t could, Duration now)
{
    faults_.begin_asking(output);
    Crossing crossing{.leaves = could};
    std::int64_t& leaves = crossing.leaves;
    for (;;) {
        const Duration down = faults_.meets_down(output, clock_.time(leaves), victim_of(packet));
        if (down == Duration::never()) {
            faults_.end_asking(output, now);
            stuck_.emplace_back(output, &packet);
            return {};
        }
        if (down != Duration::zero()) {
            const std::int64_t mended = clock_.edge_from(down);
            crossing.down += mended - leaves;
            leaves = mended;
        }
        crossing.taken = packet.flits * (faults_.half(output, clock_.time(leaves)) ? 2 : 1);
        const std::int64_t asks = std::exchange(leaves, calendar.reserve(leaves, crossing.taken));
        // What it reserves while the link takes nothing costs nobody anything
        if (leaves == asks || faults_.down_until(output, clock_.time(leaves)) == Duration::zero()) break;
    }
    crossing.again_taken = faults_.retry() * faults_.crosses(output, packet.flits, clock_.time(leaves),
                                                             clock_.span(faults_.retry()), victim_of(packet));
    faults_.end_asking(output, now);
    if (crossing.again_taken != 0) {
        // Behind those that have reserved already
        const std::int64_t end = leaves + crossing.taken;
        crossing.again_from = calendar.reserve(end, crossing.again_taken);
        crossing.again = crossing.again_from + crossing.again_taken - end;
    }
    crossing.slow = crossing.taken > packet.flits ? 1 : 0;
    return crossing;
}

}  // namespace ringmesh::hw
