// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/measurements/pair_latencies.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tlm/error.h"

namespace ringmesh::workloads {
namespace {

/// From the end of one packet to the creation of the next: longer than an echo or a credit takes to return.
constexpr Cycles kQuiet{1'000};

}  // namespace

PairLatencies::PairLatencies(TrafficMachine& machine, const PacketForm& packets, const std::vector<unsigned>& senders)
    : machine_(machine), packets_(packets)
{
    for (const unsigned from : senders) {
        for (unsigned i = 1; i < machine.nodes(); ++i) {
            pairs_.push_back({.from = from, .to = (from + i) % machine.nodes()});
        }
    }
}

Injection PairLatencies::next(unsigned source)
{
    if (offered_ || current_ == pairs_.size() || pairs_[current_].from != source) return {};
    offered_ = true;
    return {.at = due_, .to = pairs_[current_].to, .size = packets_.size, .kind = packets_.kinds[0]};
}

void PairLatencies::delivered(const OfferedPacket& packet, Duration at)
{
    if (current_ == pairs_.size() || packet.target != pairs_[current_].to || packet.born != due_) {
        fail(
            std::make_exception_ptr(ModelError(fmt::format("an unexpected packet arrived at node {}", packet.target))));
        return;
    }
    pairs_[current_].latency = at - packet.born;
    if (!packets_.answered) go_on(at);
}

void PairLatencies::answered(const OfferedPacket&, Duration at) { go_on(at); }

void PairLatencies::dropped(unsigned source, Duration)
{
    fail(std::make_exception_ptr(
        UserError(fmt::format("the queue of source {} is full, as the background offers more than the network takes; "
                              "write a lower load",
                              source))));
}

/// The kernel calls this code, which may not throw.
void PairLatencies::fail(std::exception_ptr error) { machine_.simulation().fail(std::move(error)); }

void PairLatencies::go_on(Duration at)
{
    machine_.simulation().report_progress(static_cast<double>(current_) / static_cast<double>(pairs_.size()));
    const Clock clock = machine_.clock();
    // On an edge of the clock, so that no packet waits for the next one
    due_ = (clock.edge_until(at) + kQuiet) * clock;
    offered_ = false;
    ++current_;
    if (current_ < pairs_.size()) machine_.resume_traffic(pairs_[current_].from);
}

void PairLatencies::check() const
{
    const auto missing =
        std::find_if(pairs_.begin(), pairs_.end(), [](const Pair& pair) { return pair.latency == Duration::never(); });
    if (missing == pairs_.end()) return;
    throw ModelError(fmt::format("the packet from node {} to node {} did not arrive", missing->from, missing->to));
}

}  // namespace ringmesh::workloads
