// SPDX-License-Identifier: Apache-2.0
#include "platforms/wulfkit_machine.h"

#include <fmt/format.h>

#include <cmath>

#include "tlm/error.h"

namespace ringmesh::platforms {

WulfkitMachine::WulfkitMachine(Simulation& simulation, const WulfkitParams& params, NodeKind kind)
    : simulation_(simulation), network_(params)
{
    // A source cannot be attached to several link controllers: packets change rings over the B-Link
    const bool on_link = kind == NodeKind::kPacketSource && network_.links_per_node() == 1;
    const auto behind = on_link ? WulfkitNetwork::Behind::kPacketSource : WulfkitNetwork::Behind::kBLink;
    nodes_.reserve(nodes());
    for (unsigned i = 0; i < nodes(); ++i) {
        const auto name = fmt::format("node{}", i);
        const auto id = static_cast<sci::NodeId>(i);
        if (kind == NodeKind::kProcessor) {
            hosts_.push_back(std::make_unique<HostNode>(name.c_str(), simulation_, network_, id, segments_));
            nodes_.push_back(hosts_.back().get());
        } else {
            sources_.push_back(std::make_unique<SourceNode>(name.c_str(), simulation_, network_, id, behind));
            nodes_.push_back(sources_.back().get());
        }
    }
    if (network_.is_switch()) switch_ = std::make_unique<SwitchNode>("switch", simulation_, network_);
    join_rings();
    find_resources();
}

void WulfkitMachine::join_rings()
{
    for (unsigned node = 0; node < nodes(); ++node) {
        for (unsigned link = 0; link < network_.links_per_node(); ++link) {
            const unsigned next = network_.neighbour(node, link);
            auto& target = next < nodes() ? nodes_[next]->lc2(link) : switch_->lc2(next - nodes());
            nodes_[node]->lc2(link).link_out.bind(target.link_in);
        }
    }
    if (!switch_) return;
    for (unsigned ring = 0; ring < network_.rings(); ++ring) {
        switch_->lc2(ring).link_out.bind(nodes_[ring * network_.shape().size(0)]->lc2().link_in);
    }
}

void WulfkitMachine::find_resources()
{
    for (WulfkitNode* node : nodes_) {
        for (std::size_t link = 0; link < node->links(); ++link) links_.push_back(&node->lc2(link));
    }
    for (const auto& host : hosts_) {
        blinks_.push_back(&host->blink());
        pcis_.push_back(&host->pc.pci);
    }
    for (const auto& node : sources_) {
        if (node->blink) blinks_.push_back(node->blink.get());
    }
    if (!switch_) return;
    for (unsigned ring = 0; ring < network_.rings(); ++ring) links_.push_back(&switch_->lc2(ring));
    blinks_.push_back(&switch_->blink());
}

std::vector<SharedResources> WulfkitMachine::shared() const
{
    std::vector<SharedResources> all(pcis_.empty() ? 2 : 3);
    all[0].sort = "link";
    for (const auto* lc2 : links_) all[0].busy.push_back({lc2->link_time_taken(), lc2->output_free()});
    all[1].sort = "blink";
    for (const auto* blink : blinks_) all[1].busy.push_back({blink->busy_time(), blink->free_at()});
    if (pcis_.empty()) return all;
    all[2].sort = "pci";
    for (const auto* pci : pcis_) all[2].busy.push_back({pci->carrying_time(), pci->free_at()});
    return all;
}

std::string WulfkitMachine::shared_name(std::size_t sort, std::size_t i) const
{
    if (sort == 0) return links_.at(i)->name();
    return sort == 1 ? blinks_.at(i)->name() : pcis_.at(i)->name();
}

Clock WulfkitMachine::clock() const
{
    constexpr double kSecond = 1e12;
    const auto symbol = static_cast<double>(network_.params().link.symbol_time.ps());
    return Clock(Frequency::hertz(std::llround(kSecond / symbol)));
}

std::uint64_t WulfkitMachine::retries() const
{
    std::uint64_t sum = 0;
    for (const auto* lc2 : links_) sum += lc2->stats().retries.count();
    return sum;
}

Duration WulfkitMachine::hop_time() const
{
    const hw::LinkTiming& timing = *network_.timing(WulfkitNetwork::Behind::kBLink);
    return timing.bypass + timing.propagation;
}

Duration WulfkitMachine::link_time(sci::Command command) const
{
    const hw::LinkParams& link = network_.params().link;
    return link.symbol_time * (sci::symbols(command) + link.idle_symbols);
}

Duration WulfkitMachine::source_bus_time(sci::Command command) const
{
    if (sources_.empty() || !sources_.front()->blink) return Duration::zero();
    return sources_.front()->blink->occupation(command);
}

PcProcessor& WulfkitMachine::processor(unsigned rank)
{
    if (rank >= hosts_.size()) throw ModelError(fmt::format("this machine has no processor {}", rank));
    return hosts_[rank]->pc.cpu;
}

void WulfkitMachine::start_traffic(TrafficModel& model, const PacketForm&)
{
    if (sources_.empty()) throw ModelError("this machine was built without packet sources");
    for (auto& node : sources_) node->source.start(model);
}

std::uint64_t WulfkitMachine::link_crossings() const
{
    std::uint64_t sum = 0;
    for (const auto* lc2 : links_) sum += lc2->packet_hops();
    return sum;
}

}  // namespace ringmesh::platforms
