// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw/mesh/border/mesh_clock.h"
#include "hw/mesh/border/mesh_faults.h"
#include "hw/mesh/flit/flit_fabric.h"

namespace ringmesh::hw {

/// Faults of the links of a mesh, flit by flit. The mesh calls this object at the beginning of each cycle, and for each
/// flit that goes onto a link. A mesh without faults has no such object.
///
/// An output whose link is down, sends again or is slow is stopped: it has no credits, so that nothing in its router
/// bids for it. Those that come back meanwhile are kept until it starts again.
class FlitFaults final : public FlitWires {
public:
    /// @param to_wires cycles from a switch to the link behind it
    FlitFaults(MeshFaults& faults, FlitFabric& fabric, const MeshClock& clock, std::int64_t to_wires);

    /// Stops and starts outputs, before all else that happens in a cycle.
    void begin_cycle(std::int64_t cycle)
    {
        cycle_ = cycle;
        if (cycle >= next_ || !to_look_.empty()) [[unlikely]]
            look_due();
        if (!stopped_.empty()) [[unlikely]]
            keep_credits();
    }
    /// The next cycle in which an output starts again for which a packet waits; INT64_MAX: none is known.
    std::int64_t next_wanted_start() const;
    /// The mesh has computed this cycle, perhaps in other processes: what began until then has struck.
    void count_begins(std::int64_t cycle);

    struct Late {
        std::int64_t again = 0;  // cycles, as its packet is sent again
        std::int64_t slow = 0;   // as the link is slow
        std::int64_t sum() const { return again + slow; }
    };
    /// What happens to a flit that goes onto a link.
    Late suffer(OutputIndex output, const mesh::Packet& packet, bool head, std::int64_t cycle);
    std::int64_t flit_leaves(InputIndex, OutputIndex output, const mesh::Packet& packet, bool head,
                             std::int64_t cycle) override
    {
        return suffer(output, packet, head, cycle).sum();
    }
    /// Of what a head waits for an output from one cycle to another, the end of the part in which that was stopped.
    std::int64_t stopped_until(OutputIndex output, std::int64_t from, std::int64_t to) const
    {
        return std::clamp(links_[output].started, from, to);
    }
    /// A packet has waited for a stopped output until this cycle.
    void tell_stopped(OutputIndex output, const mesh::Packet& packet, std::int64_t until) const
    {
        faults_.tell_down(output, clock_.time(until - 1 + to_wires_), victim_of(packet));
    }

    /// Who waits for outputs that are stopped, for pending().
    template <class Say>
    void for_each_waiting(const Say& say) const
    {
        for (std::size_t i = 0; i < links_.size(); ++i) {
            if (!links_[OutputIndex(i)].stopped) continue;
            const auto waiting = waiting_for(OutputIndex(i));
            say(OutputIndex(i), waiting.size(), waiting.empty() ? nullptr : waiting.front());
        }
    }

private:
    struct Link {
        bool stopped = false;
        std::int64_t busy_until = 0;  // it takes no flit before this cycle, because of the last one
        std::int64_t started = 0;     // the cycle from which on it takes flits
    };
    struct Start {
        std::int64_t cycle = 0;
        OutputIndex output;
    };
    /// An output without credits, and those that it would have.
    struct Stopped {
        OutputIndex output;
        std::array<std::uint16_t, kStride> credits{};
    };

    [[gnu::cold]] void look_due();
    void look(OutputIndex output);
    void stop(OutputIndex output);
    void start(OutputIndex output);
    [[gnu::cold]] void keep_credits();
    std::int64_t next_start() const { return starts_.empty() ? INT64_MAX : starts_.front().cycle; }
    std::vector<const mesh::Packet*> waiting_for(OutputIndex output) const;

    MeshFaults& faults_;
    FlitFabric& fabric_;
    const MeshClock clock_;
    const std::int64_t to_wires_;
    std::int64_t cycle_ = 0;  // the present one
    Indexed<OutputIndex, Link> links_;
    std::vector<Stopped> stopped_;
    std::vector<OutputIndex> to_look_, looked_;  // in the next cycle
    std::vector<Start> starts_;                  // a heap, the earliest first
    std::size_t begun_ = 0;                      // of the states that begin at known times
    std::int64_t next_ = 0;  // the cycle in which an output has to be looked at next, but for to_look_
};

}  // namespace ringmesh::hw
