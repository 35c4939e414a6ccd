// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "tlm/division/observations.h"
#include "tlm/files/atomic_file.h"
#include "tlm/machine/traffic_machine.h"
#include "workloads/recording/recorder.h"

namespace ringmesh::workloads {

/// Writes each packet of packet sources when it is offered, as a line of a packet trace
/// (docs/reference/programs/traces.md), in the order of time. It passes the decisions of the traffic model on to the
/// sources.
class PacketRecorder final : public Recorder, private TrafficModel, private Observations::Watcher {
public:
    std::string_view format() const override { return "packets"; }
    void record_to(const std::string& file) override
    {
        asked_ = true;
        if (!file.empty()) file_ = std::make_unique<AtomicFile>(file);
    }
    std::uint64_t commit() override;
    void give_up() override { file_.reset(); }

    /// What the sources are to ask: the model itself if nothing is recorded.
    TrafficModel& before(TrafficModel& model, NetworkMachine& machine);

private:
    Injection next(unsigned source) override;
    bool takes_back(unsigned source, const Injection& packet) override { return model_->takes_back(source, packet); }
    void delivered(const OfferedPacket& packet, Duration at) override { model_->delivered(packet, at); }
    void answered(const OfferedPacket& packet, Duration at) override { model_->answered(packet, at); }
    void dropped(unsigned source, Duration born) override { model_->dropped(source, born); }

    void hear(Parcel& told) override;
    void write(unsigned source, const Injection& packet);

    bool asked_ = false;
    std::unique_ptr<AtomicFile> file_;
    Observations* observations_ = nullptr;  // of a divided run
    std::uint32_t watcher_ = 0;
    TrafficModel* model_ = nullptr;
    NetworkMachine* machine_ = nullptr;
    std::vector<Injection> waiting_;  // of each source: given to it, not yet offered
    std::uint64_t packets_ = 0;
};

}  // namespace ringmesh::workloads
