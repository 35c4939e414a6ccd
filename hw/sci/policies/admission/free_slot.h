// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/sci/policies/admission.h"

namespace ringmesh::hw::admission {

/// No state: an unlucky sender may starve.
struct FreeSlot {
    static constexpr PolicyName kPolicy{"free-slot", "any packet if a slot is free; a sender may starve"};

    static sci::EchoStatus decide(Reservations&, sci::Phase, bool slot_free)
    {
        return slot_free ? sci::EchoStatus::kDone : sci::EchoStatus::kBusyD;
    }
};

}  // namespace ringmesh::hw::admission
