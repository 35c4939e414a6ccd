// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "hw/mesh/border/mesh_clock.h"
#include "hw/mesh/flit/flit_fabric.h"
#include "tlm/division/division.h"
#include "tlm/mesh/packet.h"
#include "tlm/statistics/statistics.h"

namespace ringmesh::hw {

/// What crosses between the parts of a mesh in several processes: flits, with a copy of their packet at the head, and
/// credits. A packet belongs to the process that has its head; what is left of it before the cut is released with its
/// tail.
class FlitCrossing final : public Crossing {
public:
    /// Goes on after a window, in which all cycles up to this one were computed that have work.
    using Resume = std::function<void(std::int64_t last)>;

    /// @param network its links between parts are cut @param cycles counts those with work in any process, in process 0
    /// @param resume of the mesh, after each window
    FlitCrossing(Division& division, FlitFabric& network, const MeshClock& clock, mesh::PacketPool& packets,
                 Counter& cycles, Resume resume);

    /// This process has computed this cycle.
    void computed(std::int64_t cycle) { computed_.push_back(cycle); }
    /// By any process, until the last window's end.
    std::int64_t last_computed() const { return last_computed_; }

private:
    Duration give(std::vector<Parcel>& to) override;
    void take(Parcel& parcel) override;
    void taken(Duration end) override;

    Division& division_;
    FlitFabric& network_;
    const MeshClock& clock_;
    mesh::PacketPool& packets_;
    Counter& cycles_;
    const Resume resume_;
    std::vector<std::int64_t> computed_;      // in this window
    std::vector<std::int64_t> all_computed_;  // by any process
    std::int64_t last_computed_ = -1;
};

}  // namespace ringmesh::hw
