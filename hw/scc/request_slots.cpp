// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/request_slots.h"

#include <utility>

namespace ringmesh::hw {

bool RequestSlots::take(Duration now)
{
    if (held_ >= slots_) {
        ++refused_;
        room_owed_ = true;
        return false;
    }
    level_.set(++held_, now);
    return true;
}

void RequestSlots::free(std::size_t responses, Duration now)
{
    if (responses == 0) return;
    held_ -= static_cast<std::uint32_t>(responses);
    level_.set(held_, now);
    if (!std::exchange(room_owed_, false)) return;
    mesh::PortPhase phase = mesh::PortPhase::kRoom;
    sc_core::sc_time delay;
    socket_->nb_transport_fw(room_, phase, delay);
}

}  // namespace ringmesh::hw
