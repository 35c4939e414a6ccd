// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "tlm/simulation/random.h"
#include "tlm/statistics/statistics.h"
#include "workloads/traffic/measurements/accounts.h"
#include "workloads/traffic/measurements/resource_use.h"
#include "workloads/traffic/traffic.h"

namespace ringmesh::workloads {

/// An operation with an end. A node has at most `window` outstanding packets; the next one starts when one of them is
/// answered or, on networks without responses, delivered (the node is notified at once).
class ClosedLoop final : public TrafficEngine {
public:
    ClosedLoop(TrafficMachine& machine, const TrafficOptions& options, const PacketForm& packets,
               std::unique_ptr<Pattern> pattern);

    void start(TrafficModel& seen) override;
    bool finished() const override { return complete_ == pattern_->messages(); }
    void check() const override;
    Results results() const override;

private:
    struct Source {
        Random random;
        std::int64_t on_their_way = 0;
        Duration ready;  ///< when its dependency was satisfied
        bool sends = false;
    };
    struct Message {
        unsigned from = 0;
        unsigned to = 0;
        Duration started;
        Duration delivered;
        std::optional<Duration> answered;
    };

    Injection next(unsigned source) override;
    void delivered(const OfferedPacket& packet, Duration at) override;
    void answered(const OfferedPacket& packet, Duration at) override;
    void dropped(unsigned source, Duration born) override { accounts_.dropped(source, born); }

    void complete(unsigned source, Duration at);
    bool answers() const { return packets_.answered; }
    bool shows_messages() const { return options_.show == Show::kMessages; }
    Message& message(unsigned from, unsigned to);
    Results messages_table() const;
    Results summary_table() const;

    TrafficMachine& machine_;
    const TrafficOptions options_;
    const PacketForm packets_;
    std::unique_ptr<Pattern> pattern_;
    std::vector<Source> sources_;
    Accounts accounts_;
    ResourceUse use_;
    std::vector<Message> messages_;
    std::uint64_t complete_ = 0;
    Duration makespan_;
    Duration last_delivery_;
    Distribution latency_;
    DurationMean transaction_;
};

}  // namespace ringmesh::workloads
