// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <systemc>
#include <vector>

#include "hw/mesh/link_calendar.h"
#include "hw/mesh/mesh_border.h"
#include "hw/mesh/routing.h"
#include "tlm/activity.h"
#include "tlm/ring_buffer.h"
#include "tlm/wakeup.h"

namespace ringmesh::hw {

/// The mesh in the detail `path`: when a packet enters, it reserves every link of its way, and has one event more, its
/// arrival.
///
/// Timing: a head leaves a router `pipeline` cycles after it came, or when the link is free: a link is busy for a cycle per flit.
/// Both classes share the links. A packet that enters later goes before those that have reserved a link ahead of it only where it
/// fits in a gap. Where the packet of a class has to wait longer than the buffers on its way could hold, the next of its
/// class stays in the injection queue for the difference; so it does while the terminal it is for refuses this class.
/// Under west-first a packet takes the link whose last reservation ends first. Packets between the same terminals may overtake each
/// other, as in virtual channels.
/// Not modelled: virtual channels and their allocation, buffers of single routers, arbitration other than by age.
class PathMesh final : public MeshBorder {
public:
    SC_HAS_PROCESS(PathMesh);
    PathMesh(const sc_core::sc_module_name& name, Simulation& simulation, const MeshParams& params,
             const std::vector<mesh::Terminal>& edges);

    std::string_view detail() const override { return "path"; }
    void trace(sc_core::sc_trace_file* file) const override;
    void statistics(StatisticsVisitor& visitor) const override;

private:
    enum class Job : std::uint32_t { kArrival, kEnterRequest, kEnterResponse, kHeldRequest, kHeldResponse };
    static constexpr std::uint32_t kJobs = 5;

    struct Due {
        std::int64_t edge = 0;
        std::uint32_t terminal_and_job = 0;
    };
    struct Arrival {
        mesh::Packet* packet = nullptr;
        std::int64_t edge = 0;
    };
    /// A link's busy period that is still to come.
    struct Period {
        std::int64_t from = 0;
        std::uint32_t output = 0;
        std::uint32_t flits = 0;
        std::uint64_t id = 0;
        mesh::Class kind = mesh::Class::kRequest;
    };
    struct Side {
        RingBuffer<Arrival> arrivals;  // in the order of their times
        std::int64_t entry_free = 0;   // first edge at which the wires into the first router are free
        std::array<bool, mesh::kClasses>
            expected{};  // let_in runs for this class, or will when something comes to pass
        std::array<std::int64_t, mesh::kClasses> class_free{};  // the same for a class that was sent back for a while
        std::array<std::vector<std::uint32_t>, mesh::kClasses>
            shut_out;  // terminals that wait until this one takes packets
    };

    void offered(std::uint32_t terminal, mesh::Class kind) override;
    void room(std::uint32_t terminal, mesh::Class kind) override;
    void step();
    void plan(std::int64_t edge, std::uint32_t terminal, Job job);
    void await(std::uint32_t terminal, const Arrival& arrival);
    void arrive(std::uint32_t terminal, std::int64_t edge);
    void take_held(std::uint32_t terminal, mesh::Class kind, std::int64_t edge);
    void let_in(std::uint32_t terminal, mesh::Class kind, std::int64_t edge);
    void reserve(mesh::Packet& packet, std::uint32_t terminal, std::int64_t start);
    std::size_t choose(std::uint32_t router, mesh::Terminal to) const;
    void show(std::size_t output, std::int64_t from, const mesh::Packet& packet);
    void show_due();
    std::string under_way() const override;

    std::vector<Side> sides_;
    std::vector<LinkCalendar> calendars_;  // of each output
    std::vector<Due> due_;                 // a heap, the earliest first
    Wakeup wakeup_{"wakeup"};
    Counter link_wait_, sent_back_;
    std::vector<Activity> link_activity_;
    std::vector<Period> to_show_;  // of links that somebody watches: a heap, the earliest first
    Wakeup show_wakeup_{"show_wakeup"};
};

}  // namespace ringmesh::hw
