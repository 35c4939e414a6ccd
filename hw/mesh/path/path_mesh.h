// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <systemc>
#include <utility>
#include <vector>

#include "hw/mesh/border/mesh_border.h"
#include "hw/mesh/path/link_calendar.h"
#include "hw/mesh/path/path_faults.h"
#include "hw/mesh/policies/routing.h"
#include "tlm/pools/ring_buffer.h"
#include "tlm/time/wakeup.h"

namespace ringmesh::hw {

/// The mesh in the detail `path`: an injected packet reserves every link of its route, and has one more event, its
/// arrival; none if its terminal collects (look_ahead()) and nobody watches: waveforms, journeys and the use of places
/// show each arrival at its time. Results are the same with and without.
///
/// Timing: a head leaves a router `pipeline` cycles after its arrival, or when the link is free: a link is busy for a
/// cycle per flit. Both classes share the links. A later packet goes before an earlier reservation only if it fits in a
/// gap. The two classes of a terminal alternate on the link into the first router; with an idle terminal a packet
/// reserves when it is offered, else when it can enter. If a packet has to wait longer than the buffers on its route
/// can hold, the next of its class stays in the injection queue for the difference; so it does while its target refuses
/// the class. Under west-first a packet takes the link whose last reservation ends first. Packets between the same
/// terminals may overtake each other, as in virtual channels. Not modelled: virtual channels and their allocation,
/// buffers of single routers, arbitration other than by age; where that counts doubts() says so.
class PathMesh final : public MeshBorder, private mesh::LookAhead {
public:
    PathMesh(const sc_core::sc_module_name& name, Simulation& simulation, const MeshParams& params,
             const std::vector<mesh::Terminal>& edges);

    void look_ahead(mesh::Terminal place, mesh::Collector& collector) override;
    std::string_view detail() const override { return "path"; }
    /// Without those of which the link is only reserved.
    std::vector<std::uint64_t> link_flits() const override;
    void trace(sc_core::sc_trace_file* file) const override;
    void statistics(StatisticsVisitor& visitor) const override;
    void places(PlaceVisitor& visitor) const override;
    /// If waits for links, full buffers or targets that refuse have a part in this run that is not to be neglected: by
    /// path a packet that waits holds nothing up but its own class at its sender.
    std::vector<std::string> doubts() const override;

private:
    enum class Job : std::uint32_t { kArrival, kEntry, kRefusedRequest, kRefusedResponse };
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

    /// An edge of the clock, a terminal and a job there, as one number in the order of their turns.
    using Due = std::uint64_t;
    static constexpr unsigned kJobBits = 2, kTerminalBits = 14;
    static Due due_at(std::int64_t edge, TerminalIndex terminal, Job job)
    {
        return (static_cast<Due>(edge) << kTerminalBits | terminal.number) << kJobBits | static_cast<Due>(job);
    }
    using MeshBorder::terminal_of;
    static TerminalIndex terminal_of(Due due) { return TerminalIndex(due >> kJobBits & ((1U << kTerminalBits) - 1)); }
    static Job job_of(Due due) { return static_cast<Job>(due & ((1U << kJobBits) - 1)); }
    static std::int64_t edge_of(Due due) { return static_cast<std::int64_t>(due >> (kJobBits + kTerminalBits)); }
    struct Arrival {
        mesh::Packet* packet = nullptr;
        std::int64_t edge = 0;
    };
    struct alignas(64) Side {
        // What each packet looks at lies together, for the cache
        mesh::Collector* collector = nullptr;
        std::int64_t entry_free = 0;  // first edge at which the link into the first router is free
        std::int64_t entry_planned = kNever;
        std::size_t turn = 0;                                   // the class with priority if both can enter
        std::array<std::int64_t, mesh::kClasses> class_free{};  // like entry_free, of a class held back by backpressure
        bool stepping = false;                                  // each arrival has its own wake-up
        std::array<bool, mesh::kClasses> shut{};  // the next one of the class waits until its target accepts packets
        std::array<bool, mesh::kClasses> admitted{};  // it has waited for that, and need not again
        RingBuffer<Arrival> arrivals;                 // in the order of their times
        std::array<std::vector<TerminalIndex>, mesh::kClasses>
            shut_out;  // terminals that wait until this one accepts packets, FCFS
    };

    /// The outputs between two terminals, in order.
    struct alignas(32) Way {
        bool asked = false;
        std::uint8_t length = 0;  ///< 0: it is chosen router by router
        std::array<std::uint16_t, 15> outputs{};
    };

    bool pass(TerminalIndex terminal, TerminalIndex target, mesh::Packet& packet, std::int64_t edge,
              Duration since) override;
    bool pass(TerminalIndex terminal, mesh::Packet& packet, Duration at, Duration now) override;
    bool depart(TerminalIndex terminal, TerminalIndex target, mesh::Packet& packet, std::int64_t edge, Duration since,
                Duration now);
    void offered(TerminalIndex terminal, mesh::Class kind) override;
    void credited(TerminalIndex terminal, mesh::Class kind) override;
    void step();
    void plan(std::int64_t edge, TerminalIndex terminal, Job job);
    void await(TerminalIndex terminal, const Arrival& arrival, bool watched);
    /// Whether waveforms, journeys or the use of places are recorded.
    bool watched() const
    {
        return simulation_.journey() != nullptr || links_measured() || simulation_.calendar().is_watched();
    }
    Next collect(TerminalIndex terminal, Duration until) override;
    void arrive();
    void replace_first_due(Due due);
    void offer_refused(TerminalIndex terminal, mesh::Class kind);
    void let_in(TerminalIndex terminal);
    void plan_entry(TerminalIndex terminal, std::int64_t edge);
    void reserve(mesh::Packet& packet, TerminalIndex terminal, TerminalIndex target, std::int64_t start);
    struct Course {
        std::int64_t head = 0;     ///< edge at which the head comes to the next router
        std::int64_t waited = 0;   ///< cycles for links
        std::int64_t buffers = 0;  ///< flits of the buffers that it has passed
        std::int64_t slow = 0;     ///< cycles by which the tail comes later, as a link is slow
    };
    /// A head comes to an output's router, and leaves it. @return false if it never does
    bool cross(const mesh::Packet& packet, OutputIndex output, Course& course, bool watched);
    [[gnu::cold]] bool cross_with_faults(const mesh::Packet& packet, OutputIndex output, Course& course, bool watched);
    [[gnu::always_inline]] void follow(const mesh::Packet& packet, OutputIndex output, Course& course,
                                       const Crossing& crossing, bool watched);
    std::int64_t free_from(OutputIndex output) const;
    OutputIndex choose(RouterIndex router, mesh::Terminal to, unsigned lots) const;
    std::span<const std::uint16_t> way(TerminalIndex from, TerminalIndex to)
    {
        if (ways_.empty()) return {};
        Way& known = ways_[from.number * borders_.size() + to.number];
        if (!known.asked) find_way(known, from, to);
        return {known.outputs.data(), known.length};
    }
    void find_way(Way& way, TerminalIndex from, TerminalIndex to) const;
    void report_passage(const mesh::Packet& packet, OutputIndex output, std::int64_t head, const Crossing& crossing);
    std::string under_way() const override;

    Indexed<TerminalIndex, Side> sides_;
    Indexed<OutputIndex, LinkCalendar> calendars_;
    std::unique_ptr<PathFaults> link_faults_;  // null if there are none
    /// The last packets of an output and when it is free of them, to say for whom others wait.
    struct Passed {
        static constexpr std::size_t kLast = 64;
        std::array<std::pair<std::int64_t, std::uint64_t>, kLast> last{};
        std::size_t next = 0;
    };
    Indexed<OutputIndex, Passed> passed_;  // if journeys are recorded
    std::vector<Due> due_;                 // a heap, the earliest first
    /// Looked up once; only if the routing leaves no choice and the mesh is small.
    static constexpr std::size_t kMostWithWays = 128;
    std::vector<Way> ways_;
    Wakeup wakeup_{wakes<&PathMesh::step>(simulation_.calendar(), *this)};
    Counter link_wait_, sent_back_, turned_away_;
    std::uint64_t flits_ = 0;  // of all packets
};

}  // namespace ringmesh::hw
