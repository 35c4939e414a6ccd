// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tlm/mesh/mesh_machine.h"
#include "tlm/random.h"
#include "workloads/mesh/mesh_traffic_options.h"
#include "workloads/traffic/accounts.h"
#include "workloads/traffic/latency_series.h"
#include "workloads/workload.h"

namespace ringmesh::workloads {

/// Packet sources at the routers' local ports offer packets at a rate, whatever becomes of them. Those born after the
/// warm-up are measured; when the duration is over the sources stop and the mesh drains.
class MeshTraffic final : public WorkloadOn<MeshMachine>, private mesh::TrafficModel {
public:
    explicit MeshTraffic(MeshTrafficOptions options = {}) : options_(std::move(options)) {}

    void visit(ParameterVisitor& visitor) override { options_.visit(visitor); }
    NodeKind needs() const override { return NodeKind::kPacketSource; }
    void start_on(MeshMachine& machine) override;
    /// @throws ModelError if a packet was lost or came twice
    void check() const override { accounts_->require_balanced(false); }
    Results results() const override;

private:
    struct Source {
        Random random;
        Births births = {};
        bool sends = false;
    };
    /// What the links between routers have carried, and when.
    struct LinkLook {
        Duration at;
        std::vector<std::uint64_t> flits;
    };
    struct LinkUse {
        double mean = 0;
        double highest = 0;
        std::string busiest;
    };

    mesh::Injection next(std::uint32_t source) override;
    void delivered(const mesh::Packet& packet, Duration at) override;

    mesh::Class class_of(Random& random) const;
    bool in_window(Duration time) const { return time >= warm_up_ && time < window_end_; }
    void watch(Duration time);
    std::optional<LinkUse> link_use() const;
    unsigned senders() const;
    double window_cycles() const { return (window_end_ - warm_up_) / machine_->clock().period(); }
    double mean_over_hops(double (*of)(const MeshMachine& machine, unsigned hops, std::uint32_t flits)) const;
    void add_notes(Results& results) const;

    MeshTrafficOptions options_;
    MeshMachine* machine_ = nullptr;
    std::unique_ptr<Pattern> pattern_;
    std::optional<ArrivalProcess> arrivals_;
    std::optional<Accounts> accounts_;
    std::vector<Source> sources_;
    Duration gap_;
    Duration warm_up_;
    Duration window_end_;
    std::optional<LinkLook> at_begin_, at_end_;
    InWindow in_window_;
    std::vector<std::uint64_t> hops_;  // measured packets by the links on their shortest way
    LatencySeries latency_;
};

}  // namespace ringmesh::workloads
