// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "tlm/random.h"
#include "tlm/statistics.h"
#include "workloads/traffic/accounts.h"
#include "workloads/traffic/resource_use.h"
#include "workloads/traffic/traffic.h"

namespace ringmesh::workloads {

/// An operation with an end. A node has at most `window` packets on their way; the next one starts when one of them was
/// answered (a move: was delivered,
/// of which the node hears at once).
class ClosedLoop final : public TrafficEngine {
public:
    ClosedLoop(SciMachine& machine, const TrafficOptions& options, std::unique_ptr<Pattern> pattern);

    void start() override;
    void check() const override;
    Results results() const override;

private:
    struct Source {
        Random random;
        std::int64_t on_their_way = 0;
        Duration ready;  ///< when what it waited for came
        bool sends = false;
    };
    struct Message {
        sci::NodeId from = 0;
        sci::NodeId to = 0;
        Duration started;
        Duration delivered;
        std::optional<Duration> answered;
    };

    Injection next(sci::NodeId source) override;
    void delivered(const sci::Packet& packet, Duration at) override;
    void answered(const sci::Packet& response, Duration at) override;
    void dropped(sci::NodeId source, Duration born) override { accounts_.dropped(source, born); }

    void complete(sci::NodeId source, Duration at);
    bool answers() const { return sci::wants_response(options_.command); }
    bool shows_messages() const { return options_.show == Show::kMessages; }
    Message& message(sci::NodeId from, sci::NodeId to);
    Results messages_table() const;
    Results summary_table() const;

    SciMachine& machine_;
    const TrafficOptions options_;
    std::unique_ptr<Pattern> pattern_;
    std::vector<Source> sources_;
    Accounts accounts_;
    ResourceUse use_;
    std::vector<Message> messages_;
    std::uint64_t complete_ = 0;
    Duration makespan_;
    Duration last_delivery_;
    double latency_sum_ns_ = 0;
    Distribution latency_;
    Distribution transaction_;
};

}  // namespace ringmesh::workloads
