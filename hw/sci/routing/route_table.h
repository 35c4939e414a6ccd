// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "hw/sci/routing/routing.h"

namespace ringmesh::hw {

/// Routes of a network of any shape, by destination. A box is a card or a switch. Responses may leave it by other ports
/// than requests; who takes packets off a ring is the same for both.
class RouteTable {
public:
    static constexpr std::uint8_t kNone = 0xFF;

    RouteTable(unsigned boxes, unsigned chips, unsigned targets)
        : targets_(targets),
          ports_{std::vector(std::size_t{boxes} * targets, kNone), {}},
          words_((targets + 63) / 64),
          strips_(chips * words_)
    {}
    /// The link controller of a box by which packets for the target leave; kNone if there is none.
    std::uint8_t port(unsigned box, unsigned target, sci::Class kind = sci::Class::kRequest) const
    {
        return of(kind)[at(box, target)];
    }
    /// Of both classes, until split_classes() is called.
    void set_port(unsigned box, unsigned target, unsigned port, sci::Class kind = sci::Class::kRequest)
    {
        ports_[kind == sci::Class::kRequest ? 0 : 1].at(at(box, target)) = static_cast<std::uint8_t>(port);
    }
    /// From now on responses have ports of their own.
    void split_classes() { ports_[1] = ports_[0]; }
    bool classes_differ() const { return !ports_[1].empty(); }
    /// Whether a link controller takes packets for the target off its ring.
    bool strips(unsigned chip, unsigned target) const { return has(strips_of(chip), target); }
    void set_strips(unsigned chip, unsigned target, bool strips = true)
    {
        std::uint64_t& word = strips_[chip * words_ + target / 64];
        const std::uint64_t bit = std::uint64_t{1} << target % 64;
        word = strips ? word | bit : word & ~bit;
    }
    /// Of one link controller, for has(): a bit for each target.
    const std::uint64_t* strips_of(unsigned chip) const { return strips_.data() + chip * words_; }
    static bool has(const std::uint64_t* targets, unsigned target)
    {
        return (targets[target / 64] >> target % 64 & 1) != 0;
    }
    unsigned targets() const { return targets_; }

private:
    std::size_t at(unsigned row, unsigned target) const { return std::size_t{row} * targets_ + target; }
    const std::vector<std::uint8_t>& of(sci::Class kind) const
    {
        return ports_[kind == sci::Class::kRequest || ports_[1].empty() ? 0 : 1];
    }

    unsigned targets_;
    std::array<std::vector<std::uint8_t>, 2> ports_;  // of requests, and of responses if they differ
    std::size_t words_;                               // of the targets of one link controller
    std::vector<std::uint64_t> strips_;
};

/// A card with a table.
class TableCard final : public CardRouting {
public:
    TableCard(std::shared_ptr<const RouteTable> table, sci::NodeId self, std::uint8_t host_port,
              std::uint8_t first_link)
        : table_(std::move(table)), self_(self), host_port_(host_port), first_link_(first_link)
    {}
    std::uint8_t port(sci::NodeId target, sci::Class kind) const override
    {
        return target == self_ ? host_port_
                               : static_cast<std::uint8_t>(first_link_ + table_->port(self_, target, kind));
    }

private:
    std::shared_ptr<const RouteTable> table_;
    sci::NodeId self_;
    std::uint8_t host_port_;
    std::uint8_t first_link_;
};

/// A link controller with a table: of a card, or of a switch, whose ports have node numbers of their own for echoes.
class TableRouting final : public Routing {
public:
    struct Place {
        unsigned box = 0;
        unsigned chip = 0;
        sci::NodeId self = 0;
    };
    /// @param card null for a switch, whose B-Link ports are its link controllers
    TableRouting(std::shared_ptr<const RouteTable> table, Place place, std::shared_ptr<const CardRouting> card)
        : table_(std::move(table)),
          place_(place),
          card_(std::move(card)),
          strips_(table_->strips_of(place.chip)),
          targets_(table_->targets())
    {}
    bool strips(sci::NodeId target) const override
    {
        return target < targets_ ? RouteTable::has(strips_, target) : target == place_.self;
    }
    std::uint8_t blink_port(sci::NodeId target, sci::Class kind) const override
    {
        return card_ ? card_->port(target, kind) : table_->port(place_.box, target, kind);
    }

private:
    std::shared_ptr<const RouteTable> table_;
    Place place_;
    std::shared_ptr<const CardRouting> card_;
    const std::uint64_t* strips_;  // of the table: each passing packet is looked up
    unsigned targets_;
};

}  // namespace ringmesh::hw
