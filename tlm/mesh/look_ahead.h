// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "tlm/mesh/packet.h"
#include "tlm/units/units.h"

/// What spares a mesh and its terminals a wake-up for each arrival. A mesh that knows a packet's arrival when it
/// departs tells the terminal then; the terminal takes responses at once, and collects requests when they matter. All
/// times are those that wake-ups would give: the terminal is told when each packet arrives, and hears of them in that
/// order.
namespace ringmesh::mesh {

/// The mesh's side: packets of a terminal, and requests under way to it.
class LookAhead {
public:
    virtual ~LookAhead() = default;
    /// Takes a packet that goes its way at once, for terminals that would otherwise offer it through their sockets.
    /// @param at when it may leave, now or a few cycles ahead
    /// @return false if it does not: the terminal offers it then
    virtual bool pass(TerminalIndex terminal, Packet& packet, Duration at, Duration now) = 0;
    struct Next {
        const Packet* packet = nullptr;  ///< null: none is to be collected
        Duration at;
    };
    /// Hands over the requests that have arrived by then. @return the next one
    virtual Next collect(TerminalIndex terminal, Duration until) = 0;
};

/// The terminal's side.
class Collector {
public:
    virtual ~Collector() = default;
    /// The terminal has this number there. Called once, before the run.
    void collects_from(LookAhead& mesh, TerminalIndex terminal)
    {
        mesh_ = &mesh;
        terminal_ = terminal;
    }
    /// @return whether the mesh has taken the packet; false: offer it
    bool pass(Packet& packet, Duration at, Duration now)
    {
        return mesh_ != nullptr && mesh_->pass(terminal_, packet, at, now);
    }
    /// A response whose last flit will arrive at `at`. Only for terminals that refuse none and change nothing that
    /// others see when one arrives.
    virtual void take_early(Packet& response, Duration at) = 0;
    /// A request will arrive at `at`. @param coming how many are under way with it
    /// @return whether there is room for all of them, whatever happens meanwhile, and the terminal will collect them
    /// before anybody can see that it has not
    virtual bool expects(const Packet& request, Duration at, std::size_t coming) = 0;
    /// A request that has arrived at `at`, while it collects.
    virtual void take_collected(Packet& request, Duration at) = 0;

protected:
    LookAhead::Next collect(Duration until)
    {
        return mesh_ == nullptr ? LookAhead::Next{} : mesh_->collect(terminal_, until);
    }

private:
    LookAhead* mesh_ = nullptr;
    TerminalIndex terminal_;
};

}  // namespace ringmesh::mesh
