// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workloads/libraries/library.h"
#include "workloads/ranks/message.h"

namespace ringmesh::workloads {

struct RawOptions {
    bool aligned = true;
    Stores stores = Stores::kAuto;
    std::int64_t window = 64 * 1024;

    void visit(ParameterVisitor& visitor);
};

/// Messages as scibench sends them [000 app. A]: stores to the receiver's segment, which polls the last word. No queue
/// and no header: a message is overwritten by the next one, and its receiver must know what arrives (expect).
///
/// Each rank also has a window that others store to and load from, and flags. A flag is the last byte of a block, which
/// then leaves at once, after a store barrier, so that it does not overtake what was put before it. A get begins with a
/// store barrier, so that it reads nothing that the card holds from an earlier one.
///
/// Timing: a library call of the platform on each side, the stores, the poll; for the window the stores, loads, polls
/// and barriers.
class RawLibrary final : public Library {
public:
    explicit RawLibrary(const RawOptions& options = {}) : options_(options) {}

    std::vector<Offer> offers() const override { return {Offer::kOneSided}; }
    Measured measured() const override { return Measured::kScibench; }
    void visit(ParameterVisitor& visitor) override { options_.visit(visitor); }
    ProgramUse uses() const override { return use_of(options_.stores); }
    std::vector<std::unique_ptr<Rank>> make_ranks(Machine& machine, const Placement& ranks) override;
    std::vector<std::string> notes(const MessagingStatistics& sum) const override;

private:
    RawOptions options_;
    std::uint32_t largest_transaction_ = 0;
};

}  // namespace ringmesh::workloads
