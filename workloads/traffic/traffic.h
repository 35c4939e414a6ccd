// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "workloads/sci_workload.h"
#include "workloads/traffic/traffic_options.h"

namespace ringmesh::workloads {

/// What runs a pattern: an open loop or a closed one.
class TrafficEngine : public TrafficModel {
public:
    /// Gives the sources their work.
    virtual void start() = 0;
    /// @throws ModelError if a packet was lost or came twice, or an operation did not end
    virtual void check() const = 0;
    virtual Results results() const = 0;
};

/// Packet sources at all nodes send to each other by a pattern.
class Traffic final : public SciWorkload {
public:
    explicit Traffic(TrafficOptions options = {}) : options_(std::move(options)) {}

    void visit(ParameterVisitor& visitor) override { options_.visit(visitor); }
    NodeKind needs() const override
    {
        return options_.inject == Inject::kBLink ? NodeKind::kCardSource : NodeKind::kPacketSource;
    }
    void start_on(SciMachine& machine) override;
    void check() const override { engine_->check(); }
    Results results() const override;

private:
    TrafficOptions options_;
    bool on_blink_ = false;
    std::unique_ptr<TrafficEngine> engine_;
};

}  // namespace ringmesh::workloads
