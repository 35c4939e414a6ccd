// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "workloads/deck/options.h"
#include "workloads/messaging/messaging_benchmark.h"

namespace ringmesh::workloads::deck {

/// The paper's ping-pong over DECK/SCI [002 IV]: latency and bandwidth by size of message, by one protocol or by
/// automatic choice. Every rank polls its whole mail box, as a process does that may get mail from all others.
class DeckPingPong final : public MessagingBenchmark {
public:
    explicit DeckPingPong(MessagingBenchmarkOptions exchange = {}, const Options& library = {});

private:
    std::unique_ptr<Messenger> messenger(SciMachine& machine, unsigned rank) override;
    void visit_library(ParameterVisitor& visitor) override { library_.visit(visitor); }
    bool receives_from_any() const override { return true; }
    std::vector<std::string> library_notes(const MessagingStatistics& sum) const override;
    void require_carried(const std::vector<std::uint32_t>& sizes) const override;

    Options library_;
};

}  // namespace ringmesh::workloads::deck
