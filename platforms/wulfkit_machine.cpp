// SPDX-License-Identifier: Apache-2.0
#include "platforms/wulfkit_machine.h"

#include <fmt/format.h>

#include "tlm/error.h"

namespace ringmesh::platforms {

template <class Node>
void WulfkitMachine::make_nodes(std::vector<std::unique_ptr<Node>>& nodes)
{
    const auto count = static_cast<unsigned>(params_.topology.nodes);
    const auto timing = std::make_shared<const hw::LinkTiming>(params_.link, params_.cable, params_.lc2);
    nodes.reserve(count);
    for (unsigned id = 0; id < count; ++id) {
        const auto name = fmt::format("node{}", id);
        nodes.push_back(
            std::make_unique<Node>(name.c_str(), simulation_, params_, static_cast<sci::NodeId>(id), timing));
        ring_.push_back(nodes.back().get());
    }
}

WulfkitMachine::WulfkitMachine(Simulation& simulation, const WulfkitParams& params, NodeKind kind)
    : simulation_(simulation), params_(params)
{
    if (kind == NodeKind::kProcessor) {
        make_nodes(hosts_);
    } else {
        make_nodes(sources_);
    }
    for (std::size_t i = 0; i < ring_.size(); ++i) {
        ring_[i]->lc2.link_out.bind(ring_[(i + 1) % ring_.size()]->lc2.link_in);
    }
}

unsigned WulfkitMachine::hops(unsigned from, unsigned to) const { return (to + nodes() - from) % nodes(); }

Duration WulfkitMachine::link_time(sci::Command command) const
{
    return params_.link.symbol_time * (sci::symbols(command) + params_.link.idle_symbols);
}

Processor& WulfkitMachine::processor(unsigned rank)
{
    if (rank >= hosts_.size()) throw ModelError(fmt::format("this machine has no processor {}", rank));
    return hosts_[rank]->cpu;
}

void WulfkitMachine::start_traffic(TrafficModel& model)
{
    if (sources_.empty()) throw ModelError("this machine was built without packet sources");
    for (auto& node : sources_) node->source.start(model);
}

std::uint64_t WulfkitMachine::packet_hops() const
{
    std::uint64_t sum = 0;
    for (const WulfkitNode* node : ring_) sum += node->lc2.packet_hops();
    return sum;
}

}  // namespace ringmesh::platforms
