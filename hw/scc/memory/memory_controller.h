// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "hw/memory.h"
#include "hw/mesh/border/mesh_clock.h"
#include "hw/scc/memory/dram.h"
#include "hw/scc/memory/memory_faults.h"
#include "hw/scc/tile/mesh_outlet.h"
#include "tlm/mesh/look_ahead.h"
#include "tlm/mesh/packet.h"
#include "tlm/simulation/simulation.h"
#include "tlm/statistics/activity.h"
#include "tlm/statistics/component.h"
#include "tlm/time/wakeup.h"

namespace ringmesh::hw {

/// A request not yet issued to the DRAM.
struct WaitingRequest {
    mesh::Packet* packet = nullptr;
    Dram::Request request;
    std::int64_t ready = 0;   ///< cycle from which the DRAM may begin
    std::int64_t passed = 0;  ///< younger requests served before it
};

/// The waiting requests of a memory controller in order of arrival; its policy selects the next. Two requests for one
/// row are never reordered, so that a read sees earlier writes.
class MemoryQueue {
public:
    MemoryQueue(MemoryOrder order, std::int64_t patience) : order_(order), patience_(patience) {}

    bool empty() const { return waiting_.empty(); }
    std::size_t size() const { return waiting_.size(); }
    void push(const WaitingRequest& waiting) { waiting_.push_back(waiting); }
    /// Removes and returns the next one. @pre not empty
    WaitingRequest pop(const Dram& dram);
    /// Whether the time of pop() matters, because later requests may be served first.
    bool reorders() const { return order_->reorders; }

private:
    MemoryOrder order_;
    std::int64_t patience_;
    std::vector<WaitingRequest> waiting_;
};

/// Memory controller at an outer port of the mesh, with its DDR3 memory and the bytes in it.
///
///     to_mesh --> slots --> `latency` --> waiting, by `order` --> banks and data bus --> responses --> to_mesh
///
/// Timing: a request waits for the next edge of the memory's clock, spends `latency` of its cycles in the controller,
/// and then the time given by Dram. At the end of its data the bytes are read or written and the response leaves: read
/// data or a write acknowledgement. One wake-up per request; with row-hit-first another one while requests wait: the
/// next is chosen when the previous one's read or write command is issued. Bounds: `slots` requests are held until the
/// mesh has their responses; then it is told kFull.
class MemoryController final : public sc_core::sc_module, public Component, public mesh::Collector {
public:
    mesh::TerminalSocket<MemoryController> to_mesh{"to_mesh"};

    /// @param name "mc0" @param clock of the data on the DDR3 bus
    MemoryController(const sc_core::sc_module_name& name, Simulation& simulation, const MemoryParams& params,
                     Frequency clock);

    Memory& memory() { return memory_; }

    void take_early(mesh::Packet& response, Duration at) override;
    bool expects(const mesh::Packet& request, Duration at, std::size_t coming) override;
    void take_collected(mesh::Packet& request, Duration at) override;

    void trace(sc_core::sc_trace_file* file) const override;
    std::string component_name() const override { return name(); }
    void statistics(StatisticsVisitor& visitor) const override;
    void places(PlaceVisitor& visitor) const override;
    std::string pending() const override;

private:
    struct Access {
        mesh::Packet* packet = nullptr;
        Duration end;
    };

    ::tlm::tlm_sync_enum from_mesh(mesh::Packet& packet, mesh::PortPhase& phase, sc_core::sc_time& delay);
    bool take_request(mesh::Packet& request, Duration time);
    void expect(const mesh::LookAhead::Next& next);
    void take(mesh::Packet& request, Duration time);
    void check(const mesh::Packet& request) const;
    void end_access();
    void decide_now();
    void decide(Duration time);
    void begin(const WaitingRequest& next);
    void finish(Duration time);
    void free_slots(std::size_t responses, Duration time);
    void access(::tlm::tlm_generic_payload& payload);

    Simulation& simulation_;
    const MemoryParams params_;
    const MeshClock clock_;
    Memory memory_;
    Dram dram_;
    const std::int64_t shortest_;  // cycles from a request's edge to the end of its data
    MemoryQueue queue_;
    RingBuffer<Access> accesses_;  // in the DRAM, in order of completion
    bool stepping_ = false;        // end_access() asks for the next wake-up at its end
    Duration decide_at_;           // when the next one may be issued to the DRAM
    std::uint64_t served_ = 0;     // the packet that the DRAM served last
    Wakeup end_wakeup_{wakes<&MemoryController::end_access>(simulation_.calendar(), *this)};
    Wakeup decide_wakeup_{wakes<&MemoryController::decide_now>(simulation_.calendar(), *this)};
    MeshOutlet outlet_{to_mesh, *this};
    RequestSlots slots_;
    TimeWeighted level_;  // slots in use

    Counter reads_, writes_, partial_writes_, hits_, empties_, conflicts_;
    BusyTime bus_busy_, waited_;
    Activity bus_;
    /// For the use of places: a bank works from its first command to the end of the data.
    struct BankUse {
        Activity activity;
        Duration until;
    };
    std::vector<BankUse> banks_;
    const std::unique_ptr<MemoryFaults> faults_;  // null if there are none
};

}  // namespace ringmesh::hw
