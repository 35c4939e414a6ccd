// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tlm/scc/scc_machine.h"
#include "tlm/time/kernel_time.h"
#include "workloads/scc/probe_options.h"
#include "workloads/workload.h"

namespace ringmesh::workloads::scc {

/// Latency of a core's reads and writes by distance, stride or size of the buffer: consecutive accesses with the core's
/// own waits. By distance no access finds its line in a cache: lines of MPBT pages are dropped (CL1INVMB, outside the
/// time), of cached pages each is accessed once. By stride and size a first walk through the buffer, untimed, fills the
/// caches. Writes are timed in a series, because a single one returns as soon as the core can continue. Every byte read
/// is checked; written bytes are checked at the end.
class MemoryProbe final : public WorkloadWith<SccMachine, ProbeOptions> {
public:
    using WorkloadWith::WorkloadWith;

    void write_out_auto(const UsualTraffic& /*usual*/) override { options_.write_out_auto(); }
    void start_on(SccMachine& machine) override;
    bool finished() const override { return measured_ == probes_.size(); }
    /// @throws ModelError if a program did not finish
    void check() const override;
    Results results() const override;

private:
    struct Probe {
        unsigned core = 0;
        unsigned owner = 0;  ///< of the message-passing buffer; of memory: its controller
        unsigned hops = 0;
        std::uint32_t size = 0;
        std::uint32_t stride = 0;
        std::int64_t count = 0;  ///< timed accesses
        Duration total, shortest = Duration::never(), longest;
    };
    void plan(SccMachine& machine);
    void plan_distances(const SccMachine& machine);
    void plan_chosen(const SccMachine& machine, const std::vector<std::uint32_t>& chosen);
    std::uint32_t size_by_distance() const;
    void place_buffers(SccMachine& machine);
    void start_contenders(SccMachine& machine);
    Task<> measure(SccProcessor& core, std::size_t first, std::size_t last);
    Task<> access_for_ever(SccProcessor& core, std::uint64_t buffer, std::uint32_t size);
    Task<> access(SccProcessor& core, std::uint64_t buffer, std::uint32_t offset, std::byte* bytes);
    Task<> walk(SccProcessor& core, Probe& probe, std::uint64_t buffer, bool timed);
    std::int64_t wanted(const Probe& probe) const;
    std::uint64_t buffer_of(SccProcessor& core, const Probe& probe) const;
    std::uint64_t create_buffer(SccProcessor& core, const Probe& probe, std::uint32_t size) const;
    void require_right(const SccProcessor& core, std::uint64_t address, const std::byte* bytes,
                       std::uint64_t offset) const;

    SccMachine* machine_ = nullptr;
    bool chosen_ = false;                // tiles or controllers
    std::vector<Probe> probes_;          // in the order of measuring
    std::vector<std::uint64_t> memory_;  // of each probing core, or behind each chosen controller: its buffer
    std::vector<std::byte> pattern_;     // what each buffer holds
    std::size_t measured_ = 0;
    std::optional<StepWatcher> in_step_;  // contenders look at measured_
};

}  // namespace ringmesh::workloads::scc
