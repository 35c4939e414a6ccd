// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workloads/libraries/library.h"
#include "workloads/libraries/mpi/mpi_rank.h"
#include "workloads/libraries/mpi/options.h"

namespace ringmesh::workloads::mpi {

/// An MPI library for SCI (mpi_rank.h). No source describes how ScaMPI and SCI-MPICH differ, so they are one mechanism
/// with the same defaults; the name appears in the results.
class MpiLibrary final : public Library {
public:
    explicit MpiLibrary(std::string name, const Options& options = {}) : name_(std::move(name)), options_(options) {}

    std::vector<Offer> offers() const override { return {Offer::kQueues, Offer::kAnySource, Offer::kLabels}; }
    Measured measured() const override { return Measured::kMpibench; }
    std::uint32_t buffered() const override { return static_cast<std::uint32_t>(options_.eager_limit); }
    void visit(ParameterVisitor& visitor) override { options_.visit(visitor); }
    ProgramUse uses() const override
    {
        ProgramUse use = use_of(Stores::kMmx);
        use.barriers = true;
        return use;
    }
    std::vector<std::unique_ptr<Rank>> make_ranks(Machine& machine, const Placement& ranks) override;
    std::vector<std::string> notes(const MessagingStatistics& sum) const override;

private:
    std::string name_;
    Options options_;
    std::shared_ptr<const PeerMemory<Peer>::All> memories_;  ///< of the ranks that were made last
};

}  // namespace ringmesh::workloads::mpi
