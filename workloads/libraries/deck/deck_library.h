// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workloads/libraries/deck/options.h"
#include "workloads/libraries/library.h"

namespace ringmesh::workloads::deck {

/// DECK/SCI (deck_rank.h). Each message size of a program has its own message object, whose size selects the protocol.
class DeckLibrary final : public Library {
public:
    explicit DeckLibrary(const Options& options = {}) : options_(options) {}

    const Options& options() const { return options_; }
    std::vector<Offer> offers() const override { return {Offer::kQueues, Offer::kAnySource, Offer::kLabels}; }
    bool adds_labels() const override { return true; }
    Measured measured() const override { return Measured::kDeck; }
    /// Ranks receive while they send.
    std::uint32_t buffered() const override { return ~0U; }
    void visit(ParameterVisitor& visitor) override { options_.visit(visitor); }
    ProgramUse uses() const override;
    std::vector<std::unique_ptr<Rank>> make_ranks(Machine& machine, const Placement& ranks) override;
    Buffers buffers() const override { return Buffers::kEachSize; }
    std::vector<std::uint32_t> buffer_sizes(std::uint32_t largest) const override;
    void require_carried(std::uint32_t size, std::string_view subject, Cure cure) const override;
    /// Also on options that had no effect.
    std::vector<std::string> notes(const MessagingStatistics& sum) const override;

private:
    Options options_;
};

}  // namespace ringmesh::workloads::deck
