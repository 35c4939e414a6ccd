// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "tlm/units.h"

/// The stages of a transaction's latency, block by block: the data behind `ringmesh explain`.
namespace ringmesh {

class Component;

/// The two halves of a transaction; both carry the same number.
enum class Leg : std::uint8_t { kRequest, kResponse };

/// What the block reports about its stage; the rest follows from the order of the stages.
enum class StageKind : std::uint8_t {
    kWork,
    kPropagation,  ///< a signal on its way through a cable
    kForwarding,   ///< past a node to the next one of the same ring
};

/// A period in which a block works on a transaction. A block reports a stage when its end is known, after the stage
/// that caused it; waiting before the start is no stage.
struct Stage {
    std::string_view what;          ///< a standard term; a string literal
    std::uint64_t transaction = 0;  ///< number of the packet; 0 as long as there is none
    Leg leg = Leg::kRequest;
    StageKind kind = StageKind::kWork;
    Duration from;  ///< may lie in the past
    Duration to;    ///< may lie in the future; never before `from`
};

/// Receives the stages of all transactions, in causal order.
class JourneyListener {
public:
    virtual ~JourneyListener() = default;
    virtual void stage(const Component& where, const Stage& stage) = 0;
};

}  // namespace ringmesh
