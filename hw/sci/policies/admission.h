// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tlm/parameters/policy.h"
#include "tlm/sci/packet.h"

namespace ringmesh::hw {

/// A receive queue's record of refused senders.
struct Reservations {
    std::array<std::uint64_t, 2> waiting{};  ///< reservations of generation A and B not used yet
    unsigned served = 0;                     ///< the generation that may enter

    /// One of these has entered, or never will.
    void end(unsigned generation)
    {
        if (--waiting.at(generation) == 0 && generation == served) served = 1 - generation;
    }
};

/// Which packets may enter a receive queue when senders compete for it.
struct AdmissionPolicy : PolicyName {
    /// The echo status for a packet: kDone accepts it. @param phase of the sender's try @param slot_free of the queue
    sci::EchoStatus (*decide)(Reservations& reservations, sci::Phase phase, bool slot_free);

    static constexpr PolicyKindName kKind{"receive-admission", "hw/sci/policies/admission"};
    static std::span<const AdmissionPolicy> table();
    template <class Policy>
    static constexpr AdmissionPolicy of()
    {
        return {Policy::kPolicy, &Policy::decide};
    }
};

using Admission = PolicyChoice<AdmissionPolicy>;

}  // namespace ringmesh::hw
