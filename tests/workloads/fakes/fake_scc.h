// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <coroutine>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/workloads/fakes/fake_machine.h"
#include "tlm/machine/program_runner.h"
#include "tlm/scc/scc_machine.h"

namespace ringmesh::test {

/// Costs of the fake cores' operations, in core cycles.
struct FakeSccCosts {
    Frequency clock = 500_MHz;
    Cycles instruction{1};  ///< each load or store, and CL1INVMB
    Cycles line{50};        ///< more for a line of a message-passing buffer that is read or written, or a register
    Cycles hop{5};          ///< more for that, for each link between the two tiles
};

class FakeScc;

/// A core whose operations take constant times. Memory costs instructions alone; what the chip shares
/// each of these has alone. Message-passing buffers behave
/// as on the chip: loads hit stale bytes in the L1 cache until invalidated; stores are combined in one line, invisible
/// to other cores until it is full or another line is stored to. Reads and writes take effect at the end of their time,
/// line by line.
class FakeSccProcessor final : public SccProcessor {
public:
    FakeSccProcessor(FakeScc& machine, unsigned core);

    unsigned node() const override { return core_; }
    Duration time() const override { return now(); }
    Clock clock() const override;
    std::uint64_t message_buffer(unsigned core, std::uint32_t offset = 0) const override;
    std::uint64_t test_and_set(unsigned core) const override;
    std::uint64_t allocate(std::uint64_t size, PageKind kind = PageKind::kCached) override;
    std::uint64_t shared_memory(unsigned controller, std::uint32_t size, PageKind kind) override;
    void peek(std::uint64_t address, std::span<std::byte> into) const override;
    void poke(std::uint64_t address, std::span<const std::byte> from) override;
    void run(Task<> program, std::string name) override;
    bool finished() const override { return program_runner_.finished(); }

    /// Bytes of a message-passing buffer or a register changed; resumes programs that poll them.
    void changed();

    std::uint64_t looks = 0;  ///< that polls made
    /// Its copies in order: address, size and kind.
    std::vector<CopyRequest> copies;

protected:
    void begin(const StoreRequest& request) override { start(store_all(request)); }
    void begin(const LoadRequest& request) override { start(load_all(request)); }
    void begin(const PollAnyRequest& request) override { start(poll_all(request)); }
    void begin(const ringmesh::ComputeRequest& request) override { start(spend(request.span)); }
    void begin(const CopyRequest& request) override;
    void begin(InvalidateRequest) override;

private:
    using Line = std::array<std::byte, kLine>;
    struct Gathered {
        std::uint64_t line = 0;
        std::uint32_t mask = 0;
        Line bytes{};
    };
    struct Delay;
    struct Change;

    void start(Task<> operation);
    void continue_operation(std::coroutine_handle<> operation);
    Task<> spend(Duration span);
    Task<> store_all(StoreRequest request);
    Task<> load_all(LoadRequest request);
    Task<> copy_all(CopyRequest request);
    Task<> poll_all(PollAnyRequest request);
    /// Instructions that nothing outside can see: their time passes with the next wait.
    void owe(std::uint32_t size, std::uint32_t width, std::uint32_t accesses = 1);
    /// Within one line. Does not wait, and so costs no coroutine, if nothing outside the core is asked.
    bool loads_at_once(std::uint64_t address, std::byte* into, std::uint32_t size) const;
    bool stores_at_once(std::uint64_t address, const std::byte* from, std::uint32_t size);
    Task<> load_line(std::uint64_t address, std::byte* into, std::uint32_t size);
    Task<> store_line(std::uint64_t address, const std::byte* from, std::uint32_t size);
    Task<> flush();
    Task<bool> look(PollRequest place);
    bool would_end(const PollRequest& place) const;
    Duration away(std::uint64_t address) const;
    bool is_buffer(std::uint64_t address) const;
    bool is_register(std::uint64_t address) const;
    const std::byte* bytes(std::uint64_t address, std::uint64_t size) const;
    std::byte* bytes(std::uint64_t address, std::uint64_t size);

    FakeScc& machine_;
    unsigned core_;
    std::vector<std::byte> memory_;
    std::map<std::uint64_t, Line> cached_;  // of message-passing buffers, by address
    Gathered gathered_;
    Duration owed_;
    std::vector<PollRequest> polled_;
    std::coroutine_handle<> waiting_{};  // a poll, for a change
    Task<> operation_;
    ProgramRunner program_runner_;  // last
};

/// Fake cores that stand like those of the chip: two to a tile, six tiles to a row.
class FakeScc final : public SccMachine {
public:
    FakeScc(Simulation& simulation, unsigned cores, const FakeSccCosts& fake_costs = {});

    Simulation& simulation() override { return simulation_; }
    unsigned nodes() const override { return static_cast<unsigned>(processors_.size()); }
    FakeSccProcessor& processor(unsigned core) override { return *processors_.at(core); }
    unsigned hops(unsigned from, unsigned to) const override;
    unsigned memory_controller(unsigned core) const override;
    unsigned memory_controllers() const override { return 4; }
    using SccMachine::hops_to_memory;
    unsigned hops_to_memory(unsigned core, unsigned controller) const override;
    std::string_view mesh_detail() const override { return "fake"; }

    void changed();

    FakeSccCosts costs;
    std::vector<std::byte> buffers;  ///< one after the other
    std::vector<bool> taken;         ///< the test-and-set registers
    Agenda agenda;

private:
    Simulation& simulation_;
    std::vector<std::unique_ptr<FakeSccProcessor>> processors_;
};

}  // namespace ringmesh::test
