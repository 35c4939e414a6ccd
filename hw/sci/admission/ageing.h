// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/sci/admission.h"

namespace ringmesh::hw::admission {

/// The A/B ageing of SCI. A first try that finds the queue full (or others waiting) is turned away with BUSY_D and
/// comes back asking for a reservation; it then belongs to the generation that is not being served, or to the one that
/// is if none waits. Only the served generation enters until it is used up, then the other one is served: none waits
/// for ever.
struct Ageing {
    static constexpr PolicyName kPolicy{"ageing",
                                        "those with a reservation first, generation A and B in turn, as SCI has it"};

    static sci::EchoStatus decide(Reservations& reservations, sci::Phase phase, bool room)
    {
        const bool enters = room && reservations.waiting[0] + reservations.waiting[1] == 0;
        switch (phase) {
            case sci::Phase::kNoTry: return enters ? sci::EchoStatus::kDone : sci::EchoStatus::kBusyD;
            case sci::Phase::kDoTry: return enters ? sci::EchoStatus::kDone : reserve(reservations);
            case sci::Phase::kRetryA: return retry(reservations, 0, room);
            case sci::Phase::kRetryB: return retry(reservations, 1, room);
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
    static sci::EchoStatus retry(Reservations& reservations, unsigned generation, bool room)
    {
        if (generation != reservations.served || !room) return busy(generation);
        if (--reservations.waiting[generation] == 0) reservations.served = 1 - generation;
        return sci::EchoStatus::kDone;
    }
};

}  // namespace ringmesh::hw::admission
