// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/tile/request_slots.h"

#include <utility>

namespace ringmesh::hw {

bool RequestSlots::take()
{
    if (held_ >= slots_) {
        ++refused_;
        room_owed_ = true;
        return false;
    }
    ++held_;
    return true;
}

void RequestSlots::free(std::size_t responses)
{
    if (responses == 0) return;
    held_ -= static_cast<std::uint32_t>(responses);
    if (!std::exchange(room_owed_, false)) return;
    mesh::PortPhase phase = mesh::PortPhase::kRoom;
    sc_core::sc_time delay;
    socket_->nb_transport_fw(room_, phase, delay);
}

void RequestSlots::statistics(StatisticsVisitor& visitor) const
{
    visitor.counter("refused", refused_, "offers", "requests from the mesh refused because all slots were in use");
}

}  // namespace ringmesh::hw
