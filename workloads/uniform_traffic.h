// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/random.h"
#include "tlm/statistics.h"
#include "workloads/workload.h"

namespace ringmesh::workloads {

enum class Arrivals : std::uint8_t {
    kPoisson,   ///< gaps between a source's packets are exponentially distributed
    kPeriodic,  ///< gaps are all the same; each source starts at a random phase
};

/// Mean gap between the packets of one source that keeps the links busy for the part `load` of the time.
///
/// A request that takes h links is echoed over the rest of each ring that it used; on one ring of N that is N - h links.
/// Its response takes those N - h links, and is echoed over the h others. So each link of the circle carries the request
/// or its echo, and the response or its echo, idle symbols included. With D, the mean of h over all pairs (N/2 on a ring),
/// a transaction keeps links busy for
///
///     T = D (request + echo) + D (response + echo)        without the second term if it has no response
///
/// altogether (over all pairs the ways back are as long as the ways there). N sources with the gap g make L links busy for
/// N T / (g L) of the time, and so g = N T / (L load). Retries are not counted.
Duration mean_gap(const Machine& machine, sci::Command command, double load);

struct UniformTrafficOptions {
    sci::Command command = sci::Command::kWrite64;
    Arrivals arrivals = Arrivals::kPoisson;
    double load = 0.5;
    Duration warm_up = 20_us;
    Duration duration = 200_us;
    std::int64_t packets = 0;

    void visit(ParameterVisitor& visitor);
};

/// Each node writes to uniformly random other nodes, open loop. Packets born after the warm-up are measured; then the
/// sources stop and the network drains.
class UniformTraffic final : public Workload, private TrafficModel {
public:
    explicit UniformTraffic(UniformTrafficOptions options = {}) : options_(options) {}

    void visit(ParameterVisitor& visitor) override { options_.visit(visitor); }
    NodeKind needs() const override { return NodeKind::kPacketSource; }
    void start(Machine& machine) override;
    /// Every request that was not dropped at its source was delivered once and, if it wants that, answered once.
    void check() const override;
    Results results() const override;

private:
    /// How many requests of one source came by, and the sum of the times they were born: of one that is lost and another
    /// that comes twice, the number alone would not tell.
    struct Account {
        std::uint64_t packets = 0;
        std::uint64_t births_ps = 0;
        void add(std::int64_t born_ps)
        {
            ++packets;
            births_ps += static_cast<std::uint64_t>(born_ps);
        }
        bool operator==(const Account&) const = default;
        friend Account operator-(const Account& all, const Account& some)
        {
            return {all.packets - some.packets, all.births_ps - some.births_ps};
        }
    };
    struct Source {
        Random random;
        Duration last;
        std::int64_t measured = 0;
        Account offered;
        Account delivered;
        Account answered;
        Account dropped;
    };

    Injection next(sci::NodeId source) override;
    void delivered(const sci::Packet& packet, Duration at) override;
    void answered(const sci::Packet& response, Duration at) override;
    void dropped(sci::NodeId source, Duration born) override;

    Duration next_birth(Source& source);
    bool stops_before(const Source& source, Duration birth) const;
    sci::NodeId other_node(sci::NodeId source, Random& random) const;
    bool is_measured(Duration birth) const { return birth >= options_.warm_up; }
    void add_warnings(Results& results, double offered_mb_per_s) const;
    double accepted_mb_per_s() const;
    std::int64_t dropped_packets() const;

    UniformTrafficOptions options_;
    Machine* machine_ = nullptr;
    Duration gap_;
    Duration window_end_ = Duration::never();  ///< from here on not every source offers packets any more
    std::vector<Source> sources_;
    std::uint64_t bytes_in_window_ = 0;
    Distribution latency_;
    Distribution transaction_;
};

}  // namespace ringmesh::workloads
