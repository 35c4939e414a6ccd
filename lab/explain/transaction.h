// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lab/explain/critical_path.h"
#include "tlm/names.h"

namespace ringmesh::lab {

/// The terms of equations 1 to 5 [000 4.1].
enum class LatencyComponent : std::uint8_t { kOverhead, kPropagation, kForwarding, kSwitching };

inline constexpr NameTable<LatencyComponent, 4> kLatencyComponents{{{{"o", LatencyComponent::kOverhead},
                                                                     {"l_p", LatencyComponent::kPropagation},
                                                                     {"l_f", LatencyComponent::kForwarding},
                                                                     {"l_s", LatencyComponent::kSwitching}}}};

/// A step of [000 Fig. 3]: one component, and its parts.
struct Step {
    int number = 0;  ///< from 1, through request and response
    LatencyComponent component = LatencyComponent::kOverhead;
    std::vector<PathPart> parts;

    Duration from() const { return parts.front().from; }
    Duration to() const { return parts.back().to; }
    Duration span() const { return to() - from(); }
};

/// A request or a response, from begin to end.
struct LegSteps {
    std::uint64_t packet = 0;
    Duration from;
    Duration to;
    std::vector<Step> steps;

    Duration span() const { return to - from; }
    Duration sum(LatencyComponent component) const;
    Duration waiting() const;
    std::size_t steps_of(LatencyComponent component) const;
};

/// Cuts a path into steps: each cable is a propagation; the parts between two cables are a forwarding if the packet
/// stayed on its ring, else a switching; the parts before the first cable and after the last one are overhead.
/// @param first number of the first step
/// @throws ModelError if the path crosses no cable, or its parts do not follow each other to the picosecond
std::vector<Step> steps_of(std::span<const PathPart> path, int first);

struct Transaction {
    LegSteps request;   ///< from the call into the sender's library to the message in the receiver's program
    LegSteps response;  ///< from the request's write to the responder's PCI to the free stream buffer of the requester

    /// The response leaves when the request's bytes are written, before the receiver's program has seen them.
    Duration overlap() const { return request.to - response.from; }
};

/// Explains the message that a program began to send at `begun` and another had at `received`, from all stages of a
/// run.
/// @throws ModelError if they do not add up to exactly that
Transaction explain(std::span<const RecordedStage> stages, Duration begun, Duration received);

}  // namespace ringmesh::lab
