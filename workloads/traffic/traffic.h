// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "workloads/recording/packet_recorder.h"
#include "workloads/traffic/traffic_options.h"
#include "workloads/workload.h"

namespace ringmesh::workloads {

/// Runs a pattern: an open or a closed loop.
class TrafficEngine : public TrafficModel {
public:
    /// Starts the sources. @param seen this, or what stands before it
    virtual void start(TrafficModel& seen) = 0;
    /// Whether all packets have been sent and delivered.
    virtual bool finished() const = 0;
    /// As Workload's.
    virtual void add_up(Totals& /*totals*/) {}
    /// @throws ModelError if a packet was lost or duplicated, or an operation did not end
    virtual void check() const = 0;
    virtual Results results() const = 0;
};

/// Packet sources at all nodes of a network send to each other by a pattern.
class Traffic final : public WorkloadWith<TrafficMachine, TrafficOptions> {
public:
    using WorkloadWith::WorkloadWith;

    void write_out_auto(const UsualTraffic& usual) override { options_.write_out_auto(usual); }
    NodeKind needs() const override
    {
        return options_.packet.inject == "blink" ? NodeKind::kCardSource : NodeKind::kPacketSource;
    }
    std::vector<std::string> files() const override { return options_.files(); }
    void name_files_from(const std::string& folder) override { options_.places.folder = folder; }
    void start_on(TrafficMachine& machine) override;
    bool finished() const override { return engine_->finished(); }
    std::string undivided() const override;
    void add_up(Totals& totals) override { engine_->add_up(totals); }
    void check() const override { engine_->check(); }
    Results results() const override;
    Recorder* recorder() override { return &recorder_; }

private:
    PacketRecorder recorder_;
    TrafficMachine* machine_ = nullptr;
    std::unique_ptr<TrafficEngine> engine_;
};

}  // namespace ringmesh::workloads
