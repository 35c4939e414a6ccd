// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "tlm/sci/sci_machine.h"
#include "tlm/simulation/random.h"
#include "tlm/time/wakeup.h"
#include "workloads/ranks/message.h"
#include "workloads/traffic/measurements/resource_use.h"
#include "workloads/traffic/pattern.h"
#include "workloads/workload.h"

namespace ringmesh::workloads {

struct StoreTrafficOptions {
    PatternChoice pattern = "uniform";
    PatternOptions places;
    Duration warm_up = 50_us;
    Duration duration = 200_us;

    void visit(ParameterVisitor& visitor);
};

/// The program of every host stores blocks of 64 bytes into other nodes' memories, by consecutive MMX stores at full
/// rate: a loop closed by the processor, which stalls when the bridge's posted writes are full. After the drain every
/// block must hold the last one stored there.
class StoreTraffic final : public WorkloadWith<SciMachine, StoreTrafficOptions> {
public:
    using WorkloadWith::WorkloadWith;

    std::vector<std::string> files() const override { return files_of(*options_.pattern, options_.places); }
    void name_files_from(const std::string& folder) override { options_.places.folder = folder; }
    ProgramUse uses() override { return use_of(Stores::kMmx); }
    void start_on(SciMachine& machine) override;
    bool finished() const override;
    /// @throws ModelError naming a block that differs from the last store
    void check() const override;
    Results results() const override;

private:
    /// A sender's blocks in one receiver's memory, filled in turn.
    struct Area {
        std::uint64_t address = 0;
        std::uint64_t stored = 0;  ///< blocks so far
    };
    struct Sender {
        Random random;
        std::map<sci::NodeId, Area> areas;
        std::uint64_t stored_in_window = 0;
        std::array<std::byte, sci::kBlockBytes> block{};
    };
    Task<> store_blocks(sci::NodeId rank);
    Area& area(sci::NodeId from, sci::NodeId to);
    void look();
    /// Whether a block of a receiver's memory holds its sender's block number `sequence`.
    bool holds(sci::NodeId from, sci::NodeId to, std::uint64_t sequence) const;

    SciMachine* machine_ = nullptr;
    std::unique_ptr<Pattern> pattern_;
    std::vector<Sender> senders_;
    std::vector<std::uint64_t> receive_areas_;  ///< of each rank, with a place for each sender
    unsigned sending_ = 0;
    std::unique_ptr<ResourceUse> use_;
    std::optional<Wakeup> window_;  ///< of the whole machine: begins and ends
};

}  // namespace ringmesh::workloads
