// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "tlm/machine/traffic_machine.h"
#include "workloads/ranks/file_named.h"
#include "workloads/recording/packet_recorder.h"
#include "workloads/replay/packet_trace.h"
#include "workloads/traffic/measurements/latency_series.h"
#include "workloads/workload.h"

namespace ringmesh::workloads {

struct PacketReplayOptions {
    std::string packets;
    PacketOptions packet;  ///< of which the user says where sources stand; lines say all else

    void visit(ParameterVisitor& visitor);
};

/// Packet sources send what a table says, on any network with sources: each packet at its time, or when those that it
/// waits for have been delivered. The file is read twice: before the run, to check it, and while it runs, `kAhead`
/// packets ahead and no more than `kMostWaiting` that wait for others.
class PacketReplay final : public WorkloadWith<TrafficMachine, PacketReplayOptions>, private TrafficModel {
public:
    static constexpr std::size_t kAhead = 16'384;
    static constexpr std::size_t kMostWaiting = 65'536;

    NodeKind needs() const override
    {
        return options_.packet.inject == "blink" ? NodeKind::kCardSource : NodeKind::kPacketSource;
    }
    void start_on(TrafficMachine& machine) override;
    bool finished() const override
    {
        return latency_.count() == packets_ && offered_ == packets_ && answers_ == to_answer_;
    }
    /// @throws ModelError if a packet was lost
    void check() const override;
    Results results() const override;
    std::vector<std::string> files() const override { return {file_named(folder_, "packets", options_.packets)}; }
    void name_files_from(const std::string& folder) override { folder_ = folder; }
    Recorder* recorder() override { return &recorder_; }

private:
    struct Waiting {
        TracedPacket packet;
        std::size_t left = 0;  ///< packets that it waits for
    };
    struct Source {
        std::map<std::pair<Duration, std::uint64_t>, TracedPacket> ready;  ///< by time and id
        std::optional<TracedPacket> given;                                 ///< to the source, not yet offered
        bool is_idle = false;                                              ///< it was told that there is nothing
    };

    Injection next(unsigned source) override;
    bool takes_back(unsigned source, const Injection& packet) override;
    void delivered(const OfferedPacket& packet, Duration at) override;
    void answered(const OfferedPacket& packet, Duration at) override;
    void dropped(unsigned source, Duration born) override;

    /// The whole file. @return the largest size
    std::uint32_t check_file();
    void read_ahead();
    void add_ready(TracedPacket packet);
    void wake_sources();

    std::string folder_;
    TrafficMachine* machine_ = nullptr;
    PacketRecorder recorder_;
    std::unique_ptr<PacketTrace> trace_;
    std::vector<Source> sources_;
    std::unordered_map<std::uint64_t, Waiting> waiting_;
    std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> open_;  ///< read, not delivered: who waits for it
    std::map<std::tuple<unsigned, unsigned, std::int64_t>, std::vector<std::uint64_t>> flying_;  ///< source, target, ps
    std::vector<unsigned> to_wake_;
    std::size_t ready_ = 0;
    bool at_end_ = false;
    bool busy_ = false;  ///< reading, or waking
    std::uint64_t packets_ = 0;
    std::uint64_t to_answer_ = 0;
    std::uint64_t waits_ = 0;
    std::uint64_t offered_ = 0;
    std::uint64_t answers_ = 0;
    LatencySeries latency_;
    Duration last_delivery_;
};

}  // namespace ringmesh::workloads
