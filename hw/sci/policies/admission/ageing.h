// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/sci/policies/admission.h"

namespace ringmesh::hw::admission {

/// The A/B ageing of SCI. A full queue, or one for which others wait, refuses new packets. DOTRY makes a reservation:
/// it joins the generation that is not being served, or the served one if none waits. NOTRY makes none: its echo,
/// BUSY_D, asks for a retry with DOTRY. Only the served generation enters until it is empty, then the other one is
/// served: no starvation.
struct Ageing {
    static constexpr PolicyName kPolicy{"ageing", "reservations first, generations A and B alternately, as in SCI"};

    static sci::EchoStatus decide(Reservations& reservations, sci::Phase phase, bool slot_free)
    {
        const bool enters = slot_free && reservations.waiting[0] + reservations.waiting[1] == 0;
        switch (phase) {
            case sci::Phase::kNoTry: return enters ? sci::EchoStatus::kDone : sci::EchoStatus::kBusyD;
            case sci::Phase::kDoTry: return enters ? sci::EchoStatus::kDone : reserve(reservations);
            case sci::Phase::kRetryA: return retry(reservations, 0, slot_free);
            case sci::Phase::kRetryB: return retry(reservations, 1, slot_free);
        }
        return sci::EchoStatus::kBusyD;
    }

private:
    static sci::EchoStatus busy(unsigned generation)
    {
        return generation == 0 ? sci::EchoStatus::kBusyA : sci::EchoStatus::kBusyB;
    }
    static sci::EchoStatus reserve(Reservations& reservations)
    {
        const bool first = reservations.waiting[0] + reservations.waiting[1] == 0;
        const unsigned generation = first ? reservations.served : 1 - reservations.served;
        ++reservations.waiting[generation];
        return busy(generation);
    }
    static sci::EchoStatus retry(Reservations& reservations, unsigned generation, bool slot_free)
    {
        if (generation != reservations.served || !slot_free) return busy(generation);
        reservations.end(generation);
        return sci::EchoStatus::kDone;
    }
};

}  // namespace ringmesh::hw::admission
