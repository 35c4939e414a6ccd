// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/sci/admission.h"

namespace ringmesh::hw::admission {

/// Nothing is remembered: a sender that always comes too late starves.
struct FreeSlot {
    static constexpr PolicyName kPolicy{"free-slot", "whichever packet finds a slot free; a sender may starve"};

    static sci::EchoStatus decide(Reservations&, sci::Phase, bool room)
    {
        return room ? sci::EchoStatus::kDone : sci::EchoStatus::kBusyD;
    }
};

}  // namespace ringmesh::hw::admission
