// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workloads/endpoint.h"
#include "workloads/library.h"

namespace ringmesh::workloads {

struct RawOptions {
    bool aligned = true;
    Stores stores = Stores::kAuto;

    void visit(ParameterVisitor& visitor);
};

/// Messages as scibench sends them [000 app. A]: stores to the receiver's segment, which polls the last word. No queue
/// and no header: a message is overwritten by the next one, and its receiver must know what arrives (expect).
///
/// Timing: a library call of the platform on each side, the stores, the poll.
class RawLibrary final : public Library {
public:
    explicit RawLibrary(const RawOptions& options = {}) : options_(options) {}

    std::vector<Offer> offers() const override { return {}; }
    Measured measured() const override { return Measured::kScibench; }
    void visit(ParameterVisitor& visitor) override { options_.visit(visitor); }
    ProgramUse uses() const override { return use_of(options_.stores); }
    std::vector<std::unique_ptr<Rank>> make_ranks(Machine& machine, unsigned ranks) override;
    std::vector<std::string> notes(const MessagingStatistics& sum) const override;

private:
    RawOptions options_;
    std::uint32_t largest_transaction_ = 0;
};

}  // namespace ringmesh::workloads
