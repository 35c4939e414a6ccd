// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "tlm/units.h"

/// What a transaction goes through, block by block: the data behind `ringmesh explain`.
namespace ringmesh {

class Component;

/// The two halves of a transaction. What asks and what answers carry the same number.
enum class Leg : std::uint8_t { kRequest, kResponse };

/// What a block knows about its own part; all else follows from the order of the stages.
enum class StageKind : std::uint8_t {
    kWork,
    kPropagation,  ///< a signal on its way through a cable
    kForwarding,   ///< past a node to the next one of the same ring
};

/// A time during which a block works on something. A block reports a stage when its end is certain, after the stage
/// that it follows from; what it waits for before it can begin is no stage.
struct Stage {
    std::string_view what;          ///< the field's word for it; a literal
    std::uint64_t transaction = 0;  ///< number of the packet; 0 as long as there is none
    Leg leg = Leg::kRequest;
    StageKind kind = StageKind::kWork;
    Duration from;  ///< may lie in the past
    Duration to;    ///< may lie in the future; never before `from`
};

/// Receives the stages of everything that moves, in the order in which they follow from each other.
class JourneyListener {
public:
    virtual ~JourneyListener() = default;
    virtual void stage(const Component& where, const Stage& stage) = 0;
};

}  // namespace ringmesh
