// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <systemc>
#include <vector>

#include "hw/host/host.h"
#include "hw/host/params.h"
#include "hw/pci/params.h"
#include "hw/pci/pci_card.h"
#include "platforms/machine_kinds.h"
#include "tlm/pc/pc_machine.h"

/// Machines of PCs with a network card of your own.
///
/// A card is a class that is an sc_module and a hw::PciCard, with
///
///     static constexpr std::string_view kName = "memory-channel";   // machine = "memory-channel" in a platform file
///     static constexpr std::string_view kDescription = "PCs on a memory channel";
///     struct Params { void visit(ParameterVisitor& visitor); };       // the table [card] of the platform
///     Card(const sc_core::sc_module_name& name, Simulation& simulation, unsigned rank, const hw::PciSlot& slot,
///          const Params& params);
///     void join(const std::vector<Card*>& all);                       // connects it to the others, by rank
///
/// card_kind<Card>() is then a row for the table of kinds of machines; all libraries and programs for PCs run on it.
namespace ringmesh::platforms {

/// Parameters of such a machine.
template <class Card>
struct CardMachineParams {
    std::int64_t nodes = 4;
    typename Card::Params card;
    hw::PciParams pci;
    hw::HostParams host;

    void visit(ParameterVisitor& visitor)
    {
        visitor.field({"nodes", "PCs"}, nodes, {2, 4096});
        visitor.group("card", "the network card", card);
        visitor.group("pci", "the PCI bus of each PC", pci);
        visitor.group("host", "the PC: processor, bridge, memory", host);
    }
};

/// PCs named node0, node1, ..., each with its blocks and the card: node0.cpu, node0.pci, node0.card.
template <class Card>
class CardMachine final : public PcMachine {
public:
    CardMachine(Simulation& simulation, const CardMachineParams<Card>& params)
        : simulation_(simulation), processors_(static_cast<unsigned>(params.host.processors))
    {
        std::vector<Card*> cards;
        for (unsigned rank = 0; rank < static_cast<unsigned>(params.nodes); ++rank) {
            nodes_.push_back(
                std::make_unique<Node>(fmt::format("node{}", rank).c_str(), simulation, rank, params, segments_));
            cards.push_back(nodes_.back()->card.get());
        }
        for (const auto& node : nodes_) node->pc.add_second(segments_);
        for (Card* card : cards) card->join(cards);
    }

    Simulation& simulation() override { return simulation_; }
    unsigned nodes() const override { return static_cast<unsigned>(nodes_.size()); }
    unsigned processors() const override { return nodes() * processors_; }
    PcProcessor& processor(unsigned number) override
    {
        return nodes_.at(number % nodes())->pc.processor(number / nodes());
    }
    /// For tests and studies.
    Card& card(unsigned rank) { return *nodes_.at(rank)->card; }

private:
    struct Node final : sc_core::sc_module {
        Node(const sc_core::sc_module_name& module_name, Simulation& simulation, unsigned rank,
             const CardMachineParams<Card>& params, hw::HostSegmentDriver::Tables& tables)
            : sc_module(module_name),
              pc(simulation,
                 {.rank = rank, .host = params.host, .pci = params.pci, .pcs = static_cast<unsigned>(params.nodes)},
                 tables, [&](const hw::PciSlot& slot) -> hw::PciCard& {
                     card = std::make_unique<Card>("card", simulation, rank, slot, params.card);
                     return *card;
                 })
        {}
        std::unique_ptr<Card> card;
        hw::Host pc;  ///< makes the card
    };

    Simulation& simulation_;
    unsigned processors_;  // of each PC
    hw::HostSegmentDriver::Tables segments_;
    std::vector<std::unique_ptr<Node>> nodes_;
};

template <class Card>
class CardKind final : public KindWith<CardMachineParams<Card>> {
public:
    std::string name() const override { return std::string(Card::kName); }
    std::string description() const override { return std::string(Card::kDescription); }
    std::vector<std::string_view> offers() const override { return {PcMachine::kIs}; }
    std::unique_ptr<Machine> build(const Configuration& configuration, const NodeUse& nodes,
                                   Simulation& simulation) const override
    {
        return std::make_unique<CardMachine<Card>>(simulation, this->read(configuration, nodes));
    }

private:
    void check_together(const Configuration&, const CardMachineParams<Card>&) const override {}
};

/// For Additions and command_line().
template <class Card>
const MachineKind* card_kind()
{
    static const CardKind<Card> kind;
    return &kind;
}

}  // namespace ringmesh::platforms
