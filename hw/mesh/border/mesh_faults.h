// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hw/mesh/border/link_calm.h"
#include "hw/mesh/params.h"
#include "hw/mesh/topology/grid.h"
#include "hw/mesh/topology/router_index.h"
#include "tlm/simulation/fault.h"
#include "tlm/statistics/statistics.h"
#include "tlm/units/units.h"

namespace ringmesh::hw {

/// What can happen to the link behind an output of a router, "mesh.r3_2.east".
enum class MeshLinkFault : std::uint8_t { kDown, kHalfWidth, kCorrupt };
inline constexpr std::array<FaultWord, 3> kMeshLinkFaults{{
    {"down", "the link takes no flits: they wait before it", FaultSpan::kTime},
    {"half-width", "each flit takes two cycles of the link", FaultSpan::kTime},
    {"corrupt", "a flit of a packet arrives corrupted: it and those behind it are sent again", FaultSpan::kAny},
}};
/// And to a router, "mesh.r3_2".
inline constexpr std::array<FaultWord, 1> kRouterFaults{{
    {"stop", "the router sends nothing on: what comes fills its buffers, then waits before it", FaultSpan::kTime},
}};

inline FaultVictim victim_of(const mesh::Packet& packet)
{
    return {packet.id, packet.kind == mesh::Class::kRequest ? Leg::kRequest : Leg::kResponse};
}

/// The faults of a mesh, made only if one of its links or routers has any. Plain logic: it says what holds and strikes,
/// FlitFaults and PathFaults what comes of that.
class MeshFaults {
public:
    /// Null if there are none. @param leads whether there is a router or a terminal behind an output
    static std::unique_ptr<MeshFaults> of(const std::string& mesh, const MeshGrid& grid,
                                          const std::function<bool(OutputIndex)>& leads, FaultPlan& plan,
                                          const MeshRecoveryParams& params, const MeshClock& clock);

    bool has(OutputIndex output) const { return links_[output].own != nullptr || links_[output].router != nullptr; }
    /// Until when a link takes nothing, because it or its router does not; zero: it takes flits.
    Duration down_until(OutputIndex output, Duration at) const;
    /// The same, when a packet meets it, or when it begins.
    Duration meets_down(OutputIndex output, Duration at, FaultVictim victim = {});
    /// A packet has waited for a link or router that was down at this time.
    void tell_down(OutputIndex output, Duration at, FaultVictim victim);
    /// A state begins at a time that is known, for which an output has to be looked at.
    struct Begin {
        Duration at;
        OutputIndex output;
    };
    /// In order of time.
    const std::vector<Begin>& begins() const { return begins_; }
    /// Of the outputs for which this holds: others are looked at in other processes.
    void keep_begins(const std::function<bool(OutputIndex)>& own)
    {
        std::erase_if(begins_, [&own](const Begin& begin) { return !own(begin.output); });
    }

    /// Whether what crosses a link has to be told to its faults: only if not.
    LinkCalm& calm() { return calm_; }
    /// Before an output's faults are asked, and after: until the next strike they need not be. Nothing holds or begins
    /// in between that is over at this time.
    void begin_asking(OutputIndex output);
    void end_asking(OutputIndex output, Duration at);

    /// A head goes onto a link that takes it: rates draw. What goes down is down for those behind it.
    /// @return how often the packet is sent again
    std::int64_t crosses(OutputIndex output, std::uint32_t flits, Duration at, Duration retry, FaultVictim victim);
    bool half(OutputIndex output, Duration at) const
    {
        const Link& link = links_[output];
        return link.own != nullptr &&
               link.own->until(static_cast<std::size_t>(MeshLinkFault::kHalfWidth), at) != Duration::zero();
    }
    std::int64_t retry() const { return params_.retry.count(); }

    /// Calls `visit` with this output, or all of its router if that has faults of its own.
    template <class Visit>
    void for_each_beside(OutputIndex output, const Visit& visit)
    {
        if (links_[output].router == nullptr) return visit(output);
        for (unsigned port = 0; port < mesh::kPorts; ++port) visit(OutputIndex(output.router(), port));
    }
    /// Packets that wait for an output that takes no flits.
    struct Waiting {
        OutputIndex output;
        std::size_t packets = 0;
        mesh::Packet first;
    };
    /// Nothing for none; "request 17 to r3_2 waits for r1_0.east, which takes no flits", or so many; in a grid also
    /// which parameters make routes that do without.
    static std::string waits_text(const MeshGrid& grid, std::span<const Waiting> all);

    void statistics(StatisticsVisitor& visitor) const;

private:
    struct Link {
        std::unique_ptr<BlockFaults> own;
        BlockFaults* router = nullptr;
        bool given_up = false;
    };

    MeshFaults(const MeshRecoveryParams& params, const MeshClock& clock, std::size_t outputs)
        : params_(params), clock_(clock), links_(outputs), calm_(outputs)
    {}
    const MeshRecoveryParams params_;
    const MeshClock clock_;
    Indexed<OutputIndex, Link> links_;
    LinkCalm calm_;
    std::vector<std::unique_ptr<BlockFaults>> routers_;
    std::vector<Begin> begins_;
    Counter sent_again_, given_up_;
};

}  // namespace ringmesh::hw
