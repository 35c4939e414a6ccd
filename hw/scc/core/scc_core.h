// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <systemc>
#include <vector>

#include "hw/scc/core/core_faults.h"
#include "hw/scc/core/load_store_unit.h"
#include "hw/scc/core/poll_rhythm.h"
#include "tlm/machine/program_runner.h"
#include "tlm/scc/scc_processor.h"
#include "tlm/time/wakeup.h"

namespace ringmesh::hw {

/// A core of the SCC: an in-order P54C with its caches and its write-combine buffer.
///
///     program --> page table --> L1 --> L2 --+--> look-up table --> CorePort (mesh interface unit)
///                    |            |          |
///                    +-- MPBT ----+----------+--> write-combine buffer --> CorePort
///
/// Timing: docs/reference/machines/scc_core.md. One read may be outstanding, for which the program waits, and one
/// write, whose acknowledgement the next access that leaves the core waits for. The core's time runs ahead of the
/// kernel's (temporal decoupling): computing and cache hits wake nobody. Before an access leaves, the kernel catches
/// up, and the core is woken: all that others can see it does in its own wake-ups. Responses may come before their
/// time. Not modelled: instruction fetches, TLB misses, the two pipelines, the processor's own write buffers.
class SccCore final : public sc_core::sc_module, public SccProcessor, public CoreSide, public Component {
public:
    struct Config {
        unsigned rank = 0;    ///< number of the core on the chip
        unsigned place = 0;   ///< on its tile: 0 or 1
        unsigned cores = 48;  ///< of the chip
        Duration cycle;       ///< period of the tile's clock
        CoreParams core;
    };
    /// How far a core may run ahead of the kernel, each by itself: TLM-2.0's global quantum has no part in it. No
    /// result depends on it: it stops a program that never leaves its caches.
    static constexpr Duration kMostAhead = 1_ms;

    /// @param table outlives the core; read whenever an access leaves
    SccCore(const sc_core::sc_module_name& name, Simulation& simulation, const Config& config, const LookUpTable& table,
            CorePort& port, ChipBytes& chip);

    unsigned node() const override { return config_.rank; }
    Duration time() const override { return std::max(unit_.time, now()); }
    Clock clock() const override { return clock_; }
    std::uint64_t message_buffer(unsigned core, std::uint32_t offset = 0) const override;
    std::uint64_t test_and_set(unsigned core) const override;
    std::uint64_t allocate(std::uint64_t size, PageKind kind) override { return pages_.allocate(size, kind); }
    std::uint64_t shared_memory(unsigned controller, std::uint32_t size, PageKind kind) override;
    /// What a load would return, including unflushed stores to message-passing buffers.
    void peek(std::uint64_t address, std::span<std::byte> into) const override { unit_.peek(address, into); }
    /// Changes the bytes at their owner and in this core's caches, not in those of others.
    void poke(std::uint64_t address, std::span<const std::byte> from) override { unit_.poke(address, from); }
    void run(Task<> program, std::string name) override;
    bool finished() const override { return finished_; }
    void call() override;

    void answered(::tlm::tlm_generic_payload& transaction, Duration at) override;
    void changed(const SystemAddress& place, std::uint64_t id) override;

    void trace(sc_core::sc_trace_file* file) const override;
    std::string component_name() const override { return name(); }
    void statistics(StatisticsVisitor& visitor) const override;
    void places(PlaceVisitor& visitor) const override;
    std::string pending() const override;
    const CoreStats& stats() const { return unit_.stats; }

protected:
    void begin(const StoreRequest& request) override;
    void begin(const LoadRequest& request) override;
    void begin(const PollAnyRequest& request) override;
    void begin(const ComputeRequest& request) override;
    void attend() override;
    void begin(const CopyRequest& request) override;
    void begin(InvalidateRequest request) override;

private:
    enum class Doing : std::uint8_t { kNothing, kLoad, kStore, kCopy, kPoll };
    enum class Wait : std::uint8_t {
        kNothing,
        kStart,   ///< of the program
        kUnit,    ///< what the load-store unit waits for
        kTime,    ///< too far ahead of the kernel
        kChange,  ///< of a polled location
        kCall,    ///< from outside of the chip
        kEnd,     ///< the kernel to reach the program's end
    };

    void wake();
    bool halts() { return faults_ != nullptr && halts_by_fault(); }
    [[gnu::cold]] bool halts_by_fault();
    void continue_woken();
    void leave_next();
    void start(Doing doing, std::string_view word);
    bool continue_operation();
    void await_time();
    void continue_after_wait();
    void resume();
    void check_width(std::uint32_t width, std::string_view what) const;

    // These return false if they wait, and are then called again.
    bool continue_load();
    bool continue_store();
    bool continue_copy();
    bool prefetched();

    bool continue_poll();
    bool look(const PollRequest& place);
    void sleep();
    void consider(std::uint32_t place, Duration change);
    bool look_due();
    bool end_poll(std::uint32_t place);
    PageKind kind_of(const PollRequest& place) const;
    bool watchable(const PollRequest& place) const;
    bool ended_now(const PollRequest& place) const;
    std::string poll_text() const;

    Simulation& simulation_;
    const Config config_;
    const Clock clock_;
    const LookUpTable& table_;
    ChipBytes& chip_;
    PageTable pages_;
    LoadStoreUnit unit_;

    Wakeup wakeup_{wakes<&SccCore::wake>(simulation_.calendar(), *this)};
    Wakeup leave_wakeup_{wakes<&SccCore::leave_next>(simulation_.calendar(), *this)};
    Wait wait_ = Wait::kNothing;
    Doing doing_ = Doing::kNothing;
    Duration horizon_;  // up to when the core may run ahead of the kernel
    std::string_view doing_word_ = "idle";
    StateWord state_word_;
    std::uint32_t done_ = 0;  // bytes of it
    CopyRequest copy_;
    std::array<std::byte, 8> word_{};
    std::uint32_t word_loaded_ = 0, word_stored_ = 0;  // bytes of a copy's current word
    std::uint64_t prefetched_line_ = 0;
    LoadRequest load_;
    StoreRequest store_;
    PollRhythm rhythm_;
    std::uint32_t at_place_ = 0;
    bool looking_ = false, all_looked_at_ = false;  // a load has begun; every location has been loaded
    bool seen_ = false;                             // the current load has ended the poll
    bool spins_ = false;                            // changes are not notified: each load is simulated
    Duration look_began_, poll_began_;
    PollRhythm::Look next_look_;          // the first one that sees a change
    Duration next_look_due_;              // when to simulate it; never() if nothing has changed
    std::uint64_t next_look_by_ = 0;      // number of the transaction whose change it sees
    Duration changed_at_;                 // when that was
    std::uint64_t changed_by_ = 0;        // number of the last transaction that changed something
    std::vector<SystemAddress> watched_;  // lines

    const std::unique_ptr<CoreFaults> faults_;  // null if there are none
    bool called_ = false;                       // from outside, while the program did not wait for it
    bool finished_ = false;
    ProgramRunner program_runner_;  // last
};

}  // namespace ringmesh::hw
