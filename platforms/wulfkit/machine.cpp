// SPDX-License-Identifier: Apache-2.0
#include "platforms/wulfkit/machine.h"

#include <fmt/format.h>

#include <cmath>

#include "tlm/error.h"

namespace ringmesh::platforms {

template <class End>
void WulfkitRings::connect(hw::LinkController& from, hw::LinkController& to, End& end)
{
    if (from.faults() == nullptr || !hw::FaultyLink::shows(*from.faults(), *to.faults())) {
        from.link_out.bind(end);
        return;
    }
    faulty_links_.push_back(std::make_unique<hw::FaultyLink>(
        sc_core::sc_gen_unique_name("faulty_link"), simulation_,
        hw::FaultyLink::Config{from.timing(), network_.params().recovery.echo_timeout},
        hw::FaultyLink::End{from, *from.faults()}, hw::FaultyLink::End{to, *to.faults()}));
    from.link_out.bind(faulty_links_.back()->in);
    faulty_links_.back()->out.bind(end);
}

void WulfkitRings::join(const std::vector<WulfkitNode*>& all)
{
    const SciGraph& graph = network_.graph();
    const auto part_of_chip = [&](unsigned chip) { return network_.part_of(graph.box_of(chip)); };
    for (std::size_t i = all.size(); i < graph.boxes().size(); ++i) {
        const SciGraph::Box& box = graph.boxes()[i];
        simulation_.begin_part(network_.part_of(static_cast<unsigned>(i)));
        if (builds(static_cast<unsigned>(i))) {
            switches_.push_back(std::make_unique<SwitchNode>(box.name.c_str(), simulation_, network_, box));
            blinks_.push_back(&switches_.back()->blink());
        } else {
            switches_.push_back(nullptr);
            blinks_.push_back(nullptr);
        }
    }
    const auto lc2 = [&](unsigned chip) -> hw::LinkController* {
        const unsigned box = graph.box_of(chip);
        const unsigned port = graph.port_of(chip);
        if (!builds(box)) return nullptr;
        return box < all.size() ? &all[box]->lc2(port) : &switches_[box - all.size()]->lc2(port);
    };
    for (unsigned chip = 0; chip < graph.chips(); ++chip) {
        const unsigned next = graph.next(chip);
        links_.push_back(lc2(chip));
        simulation_.begin_part(part_of_chip(next));
        if (cut(chip, lc2(chip), lc2(next)) || lc2(chip) == nullptr) continue;
        LinkEnd& end = end_of_cable(next, *lc2(next));
        simulation_.begin_part(part_of_chip(chip));
        connect(*lc2(chip), *lc2(next), end);
    }
}

void WulfkitRings::cut_places()
{
    Division& division = *simulation_.division();
    division.cut(network_.place_graph());
    cut_cables_ = std::make_unique<CutCables>(division);
}

bool WulfkitRings::cut(unsigned chip, hw::LinkController* from, hw::LinkController* to)
{
    const Division* const division = simulation_.division();
    if (division == nullptr) return false;
    const auto part_of_chip = [&](unsigned of) { return network_.part_of(network_.graph().box_of(of)); };
    const unsigned next = part_of_chip(network_.graph().next(chip));
    if (division->owner(part_of_chip(chip)) == division->owner(next)) return false;
    hw::CutLink& link = *cut_links_.emplace_back(std::make_unique<hw::CutLink>(
        sc_core::sc_gen_unique_name("cut_link"), *cut_cables_, next, simulation_.pool<sci::PacketPool>()));
    if (from != nullptr && to != nullptr) {
        connect(*from, *to, link.in);
    } else if (from != nullptr) {
        from->link_out.bind(link.in);
    }
    if (to != nullptr) link.out.bind(to->link_in);
    return true;
}

LinkEnd& WulfkitRings::end_of_cable(unsigned chip, hw::LinkController& lc2)
{
    const LinkBlocks* blocks = network_.params().link_block.blocks();
    if (blocks == nullptr) return lc2.link_in;
    const SciGraph& graph = network_.graph();
    const SciGraph::Box& box = graph.boxes()[graph.box_of(chip)];
    auto made =
        blocks->make(fmt::format("{}_{}_block", box.name, box.ports[graph.port_of(chip)]), simulation_, lc2.link_in);
    link_blocks_.push_back(std::move(made.block));
    return made.end;
}

WulfkitMachine::WulfkitMachine(Simulation& simulation, const WulfkitParams& params) : WulfkitRings(simulation, params)
{
    processors_ = static_cast<unsigned>(network_.params().of(0).host.processors);
    for (unsigned pc = 1; pc < nodes(); ++pc) {
        if (network_.params().of(pc).host.processors == processors_) continue;
        throw UserError(fmt::format("host.processors: node 0 has {}, node {} has {}; give all PCs the same number",
                                    processors_, pc, network_.params().of(pc).host.processors));
    }
    if (simulation.division() != nullptr) {
        cut_places();
        simulation.build_all();  // a program's set-up reads and maps memory of all nodes
    }
    std::vector<CardNode*> cards(network_.nodes());
    for (unsigned i = 0; i < nodes(); ++i) {
        simulation.begin_part(i);
        hosts_.push_back(std::make_unique<HostNode>(fmt::format("node{}", i).c_str(), simulation, network_,
                                                    static_cast<sci::NodeId>(i), segments_));
        cards[i] = hosts_.back().get();
        for (const auto& card : hosts_.back()->further_cards()) cards[card->id()] = card.get();
        pcis_.push_back(&hosts_.back()->pc.pci);
    }
    for (unsigned i = 0; i < nodes(); ++i) {
        simulation.begin_part(i);
        hosts_[i]->pc.add_second(segments_);
    }
    for (CardNode* card : cards) blinks_.push_back(&card->blink());
    join({cards.begin(), cards.end()});
}

bool WulfkitMachine::runs(unsigned processor) const
{
    const Division* const division = simulation_.division();
    return division == nullptr || division->owns(network_.part_of(processor % nodes()));
}

/// A response goes back between the cards of its request.
Route WulfkitMachine::route(unsigned from, unsigned to, sci::Class kind) const
{
    from %= nodes();
    to %= nodes();
    if (from == to) return {};
    const bool request = kind == sci::Class::kRequest;
    const WulfkitNetwork::Cards cards = request ? network_.cards_between(from, to) : network_.cards_between(to, from);
    const NetworkRoutes& routes = network_.routes();
    return request ? routes.route(cards.from, cards.to, kind) : routes.route(cards.to, cards.from, kind);
}

/// Sources stand beside the bridges.
PacketForm WulfkitMachine::packets(PacketOptions& options) const
{
    if (!network_.params().sources) return SciNetwork::packets(options);
    if (options.inject == "link") {
        throw UserError("inject = link: beside a PC, a source stands on the card's B-Link; leave it out");
    }
    options.inject = "blink";
    return SciNetwork::packets(options);
}

Duration WulfkitMachine::source_bus_time(sci::Command command) const
{
    return network_.params().sources ? network_.params().of(0).blink.occupation(command) : Duration::zero();
}

void WulfkitMachine::start_sources(TrafficModel& model, const PacketForm&)
{
    for (auto& host : hosts_) host->source()->start(model);
}

BareRings::BareRings(Simulation& simulation, const WulfkitParams& params, NodeKind kind)
    : WulfkitRings(simulation, params)
{
    // A source cannot be attached to several link controllers: packets change rings over the B-Link
    const bool on_link = kind == NodeKind::kPacketSource && network_.links_per_node() == 1;
    const auto behind = on_link ? WulfkitNetwork::Behind::kPacketSource : WulfkitNetwork::Behind::kBLink;
    on_blink_ = !on_link;
    if (simulation.division() != nullptr) cut_places();
    std::vector<WulfkitNode*> all;
    for (unsigned i = 0; i < nodes(); ++i) {
        simulation.begin_part(network_.part_of(i));
        sources_.push_back(builds(i) ? std::make_unique<SourceNode>(fmt::format("node{}", i).c_str(), simulation,
                                                                    network_, static_cast<sci::NodeId>(i), behind)
                                     : nullptr);
        all.push_back(sources_.back().get());
        if (on_blink_) blinks_.push_back(sources_.back() == nullptr ? nullptr : sources_.back()->blink.get());
    }
    join(all);
}

std::vector<SharedResources> WulfkitRings::shared() const
{
    std::vector<SharedResources> all(pcis_.empty() ? 2 : 3);
    all[0].sort = "link";
    for (const auto* lc2 : links_) {
        all[0].busy.push_back(lc2 == nullptr ? Booked{} : Booked{lc2->link_time_taken(), lc2->output_free()});
    }
    all[1].sort = "blink";
    for (const auto* blink : blinks_) {
        all[1].busy.push_back(blink == nullptr ? Booked{} : Booked{blink->busy_time(), blink->free_at()});
    }
    if (pcis_.empty()) return all;
    all[2].sort = "pci";
    for (const auto* pci : pcis_) all[2].busy.push_back({pci->carrying_time(), pci->free_at()});
    return all;
}

std::string WulfkitRings::shared_name(std::size_t sort, std::size_t i) const
{
    const SciGraph& graph = network_.graph();
    if (sort == 0) return graph.chip_name(static_cast<unsigned>(i));
    if (sort == 2) return pcis_.at(i)->name();
    // Boxes without a bus come first
    return graph.boxes().at(graph.boxes().size() - blinks_.size() + i).path + ".blink";
}

Clock WulfkitRings::clock() const { return Clock::of_period(network_.params().link.symbol_time); }

std::uint64_t WulfkitRings::retries() const
{
    std::uint64_t sum = 0;
    for (const auto* lc2 : links_) sum += lc2 == nullptr ? 0 : lc2->stats().retries.count();
    return sum;
}

Duration WulfkitRings::hop_time() const
{
    const hw::LinkTiming& timing = network_.common_timing();
    const LinkBlocks* blocks = network_.params().link_block.blocks();
    return timing.bypass + timing.propagation + (blocks == nullptr ? Duration::zero() : blocks->latency());
}

Duration WulfkitRings::link_time(sci::Command command) const
{
    const hw::LinkParams& link = network_.params().link;
    return link.symbol_time * (sci::symbols(command) + link.idle_symbols);
}

Duration BareRings::source_bus_time(sci::Command command) const
{
    return on_blink_ ? network_.params().of(0).blink.occupation(command) : Duration::zero();
}

void BareRings::start_sources(TrafficModel& model, const PacketForm&)
{
    const Division* const division = simulation_.division();
    for (unsigned i = 0; i < nodes(); ++i) {
        if (division == nullptr || division->owns(network_.part_of(i))) sources_[i]->source.start(model);
    }
}

std::uint64_t WulfkitRings::link_crossings() const
{
    std::uint64_t sum = 0;
    for (const auto* lc2 : links_) sum += lc2 == nullptr ? 0 : lc2->packet_hops();
    return sum;
}

}  // namespace ringmesh::platforms
