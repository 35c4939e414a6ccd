// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "workloads/rcce/rcce.h"
#include "workloads/workload.h"

namespace ringmesh::workloads::rcce {

struct BarrierOptions {
    std::string members = "auto";
    std::int64_t repetitions = 10;
    std::string cores = "all";
    LibraryOptions library;

    void visit(ParameterVisitor& visitor);
};

/// Barriers of the first cores in a row, for several numbers of them: how long one takes, from core 0's return from one
/// to that from the next. The first is outside the time. That nobody leaves before all have come is checked.
class RcceBarrier final : public WorkloadOn<SccMachine> {
public:
    explicit RcceBarrier(BarrierOptions options = {}) : options_(std::move(options)) {}

    void visit(ParameterVisitor& visitor) override { options_.visit(visitor); }
    NodeKind needs() const override { return NodeKind::kProcessor; }
    void start_on(SccMachine& machine) override;
    void check() const override;
    Results results() const override;

private:
    struct Round {
        Duration last_came;
        Duration first_left = Duration::never();
        Duration took;  ///< of core 0
    };
    struct Group {
        unsigned size = 0;
        std::vector<Round> rounds;  ///< the first one warms up
    };
    Task<> program(unsigned core, std::vector<Communicator> communicators);
    std::vector<std::uint32_t> sizes(unsigned cores) const;

    BarrierOptions options_;
    SccMachine* machine_ = nullptr;
    std::vector<std::unique_ptr<Rcce>> rcce_;
    std::vector<Group> groups_;
};

}  // namespace ringmesh::workloads::rcce
