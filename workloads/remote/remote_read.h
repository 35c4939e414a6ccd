// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tlm/pc/pc_machine.h"
#include "workloads/workload.h"

namespace ringmesh::workloads {

struct RemoteReadOptions {
    std::int64_t from = 0;
    std::int64_t to = -1;
    std::string sizes = "64,1024,65536";
    std::string widths = "1,2,4,8";
    std::int64_t repetitions = 1;

    void visit(ParameterVisitor& visitor);
};

/// One processor reads blocks of another's segment by serial load instructions of one width; the owner runs no program
/// [002 II.C]. A row for each width and size that is not smaller: time of one load instruction, and bandwidth. The card
/// holds none of the block before. Every byte read is compared with the owner's.
class RemoteRead final : public WorkloadWith<PcMachine, RemoteReadOptions> {
public:
    using WorkloadWith::WorkloadWith;

    ProgramUse uses() override
    {
        return {.single_stores = false,
                .memcpy_stores = false,
                .mmx_stores = false,
                .loads = true,
                .barriers = true,
                .dma = false,
                .interrupts = false};
    }
    void start_on(PcMachine& machine) override;
    bool finished() const override { return reader_->finished(); }
    /// @throws ModelError if the program did not finish
    void check() const override;
    Results results() const override;

private:
    struct Measured {
        std::uint32_t width = 0;
        std::uint32_t size = 0;
        Duration elapsed;  ///< of all repetitions
    };
    Task<> measure();
    void require_read(std::uint32_t size, std::uint32_t width) const;

    std::vector<std::uint32_t> sizes_;
    std::vector<std::uint32_t> widths_;
    Simulation* simulation_ = nullptr;
    PcProcessor* reader_ = nullptr;
    unsigned owner_ = 0;
    std::uint64_t window_ = 0;
    std::vector<std::byte> written_;
    std::vector<std::byte> read_;
    std::vector<Measured> to_measure_;  // in this order, without their times
    std::vector<Measured> measured_;
};

}  // namespace ringmesh::workloads
