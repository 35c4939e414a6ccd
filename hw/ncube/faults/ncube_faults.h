// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "tlm/simulation/fault.h"

namespace ringmesh::hw {

/// What can happen to an output channel and its wire, "node3.channels.out_2".
enum class ChannelFault : std::uint8_t { kParity, kCut };
inline constexpr std::array<FaultWord, 2> kChannelFaults{{
    {"parity", "a byte of a transfer arrives wrong: an error interrupt in place of the usual one", FaultSpan::kAny,
     true},
    {"cut", "the wire is open: nothing that is sent arrives, and the sender does not see it", FaultSpan::kAny, true},
}};
/// And to a processor, "node3.cpu".
inline constexpr std::array<FaultWord, 1> kNcubeProcessorFaults{{
    {"lose-interrupt", "an interrupt of a channel is lost: its handler does not run"},
}};
/// And to a whole node, "node3".
inline constexpr std::array<FaultWord, 1> kNcubeNodeFaults{{
    {"stop", "processor and channels stop: what comes is lost, nothing is sent", FaultSpan::kForEver, true},
}};

/// Whether a node has stopped, for its parts.
class NodeStop {
public:
    /// Null if it never does.
    static std::unique_ptr<NodeStop> of(std::string_view node, FaultPlan& plan)
    {
        auto faults = plan.of(node, kNcubeNodeFaults);
        if (faults == nullptr) return nullptr;
        return std::unique_ptr<NodeStop>(new NodeStop(std::move(faults)));
    }
    /// It has a strike when a part meets it first.
    bool stopped(Duration at)
    {
        if (!stopped_) stopped_ = faults_->meets(0, at) != Duration::zero();
        return stopped_;
    }
    /// A message comes or goes meanwhile, if it has stopped.
    void loses(Duration at, std::uint64_t message)
    {
        if (stopped_) return faults_->tell(0, at, {message});
        stopped_ = faults_->meets(0, at, {message}) != Duration::zero();
    }
    bool stops_by(Duration at) const { return stopped_ || faults_->until(0, at) != Duration::zero(); }
    bool has_stopped() const { return stopped_; }
    const Counter& struck() const { return faults_->struck(); }

private:
    explicit NodeStop(std::unique_ptr<BlockFaults> faults) : faults_(std::move(faults)) {}

    std::unique_ptr<BlockFaults> faults_;
    bool stopped_ = false;
};

}  // namespace ringmesh::hw
