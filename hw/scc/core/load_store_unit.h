// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "hw/scc/core/cache.h"
#include "hw/scc/core/core_port.h"
#include "hw/scc/core/page_table.h"
#include "hw/scc/system_address.h"
#include "hw/scc/tile/registers/look_up_table.h"
#include "tlm/pools/payload_pool.h"
#include "tlm/pools/ring_buffer.h"
#include "tlm/simulation/simulation.h"
#include "tlm/statistics/component.h"
#include "tlm/statistics/statistics.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::hw {

/// Counters of an SCC core. Hits and misses are instructions.
struct CoreStats {
    Counter l1_hits, l1_misses, l2_hits, l2_misses, memory_reads, memory_writes;
    BusyTime reading, writing;
    Counter write_backs, flushes, invalidations;
    Counter mpb_reads, mpb_writes, register_reads, register_writes;
    Counter polls, looks;
    BusyTime computing, polling;

    void read(Space space)
    {
        ++(space == Space::kMessageBuffer ? mpb_reads : space == Space::kMemory ? memory_reads : register_reads);
    }
    void written(Space space)
    {
        ++(space == Space::kMessageBuffer ? mpb_writes : space == Space::kMemory ? memory_writes : register_writes);
    }
    void describe(StatisticsVisitor& visitor) const;
};

/// Executes a core's loads and stores in order: caches, write-combine buffer, port to the mesh. It keeps the core's
/// time, which runs ahead of the kernel's while nothing leaves the core. Functions do as much as possible without
/// waiting and return the number of bytes; 0: repeat the call when `waits_for` is over. Timing:
/// docs/reference/machines/scc_core.md.
class LoadStoreUnit {
public:
    /// What the instruction waits for.
    enum class Wait : std::uint8_t {
        kNothing,
        kTime,   ///< for the kernel to catch up with `time`
        kRead,   ///< for the bytes of a read
        kWrite,  ///< for the acknowledgement of outstanding writes
    };
    /// @param where for messages and reports @param rank of the core on the chip @param place on its tile
    LoadStoreUnit(Simulation& simulation, const Component& where, unsigned rank, unsigned place, Duration cycle,
                  const CoreParams& params, const LookUpTable& table, CorePort& port, ChipBytes& chip, PageTable& pages,
                  Random random);

    Wait waits_for() const { return wait_; }
    void spend(Cycles cycles) { time += cycle_ * cycles.count(); }

    /// Loads into the beginning of `into`: at most up to the line's end; from uncached memory one instruction's bytes.
    /// @param loop overhead of each instruction's loop
    std::uint32_t load(std::uint64_t address, std::span<std::byte> into, std::uint32_t width, Cycles loop);
    /// Stores the beginning of `from` likewise. Then call drain().
    std::uint32_t store(std::uint64_t address, std::span<const std::byte> from, std::uint32_t width, Cycles loop);
    /// Loads and stores whole words while neither waits: within one line each, the source in L1, the destination in a
    /// cache or gathered. Never waits. @return bytes, or 0 if these conditions do not hold
    std::uint32_t copy_words(std::uint64_t to, std::uint64_t from, std::uint32_t size, std::uint32_t width);
    /// Flushes a full write-combine buffer. @return false if it waits
    bool drain() { return !combine_.full() || flush(); }
    void invalidate_message_buffers();

    /// The port's response. @return whether the unit's wait is over
    bool answered(::tlm::tlm_generic_payload& transaction, Duration at);
    /// Whether the line that has just been answered will evict one that must leave.
    bool fill_evicts() const;
    /// When an evicted line leaves that waited for the acknowledgement of another; never() if none does.
    Duration next_leaves() const { return leaves_next_; }
    /// It leaves, now.
    void leave_next();
    /// The last read that left the core.
    struct Read {
        std::uint64_t id = 0;
        Duration ready;     ///< it may leave
        Duration leaves;    ///< it reaches the mesh interface unit
        Duration answered;  ///< its answer leaves that
    };
    const Read& last_read() const { return read_; }
    /// Invalidates all lines of message-passing buffers and fetches this one, without time.
    void refresh(std::uint64_t address);

    void peek(std::uint64_t address, std::span<std::byte> into) const;
    void poke(std::uint64_t address, std::span<const std::byte> from);
    SystemAddress place_of(std::uint64_t address) const { return table_.translate(pages_.translate(address).address); }
    /// The outstanding access: "a write to 0x20"; empty if none.
    std::string outside() const;

private:
    struct Write {
        std::uint32_t address = 0;  // physical
        std::uint32_t size = 0;
        std::uint32_t mask = 0;  // of the bytes from `address` on
        LineBytes bytes{};
        std::string_view what;
        Duration ready;
        /// Calls each(at, i) for each byte of a range that it writes: byte `at` of the range and byte i of the write.
        template <class Each>
        void for_each_in(std::uint32_t from, std::size_t count, Each&& each) const
        {
            for (std::uint32_t i = 0; i < size; ++i) {
                const std::uint32_t at = address + i - from;
                if (at < count && (mask == 0 || (mask >> i & 1) != 0)) each(at, i);
            }
        }
    };

    bool bring(const PageTable::Place& place);
    std::uint32_t store_past(const PageTable::Place& place, std::span<const std::byte> from, std::uint32_t width,
                             Cycles loop);
    std::uint32_t send_past(Cycles loop);
    bool gather(std::uint32_t address);
    /// Whether stores to message-passing buffers wait for a flush.
    bool flush_blocks() const
    {
        return params_.write_combine == WriteCombine::kBlocking && (flushing_ || combine_free_ > time);
    }
    void issue(Cycles cost);
    void retire(std::uint32_t instructions, Cycles cost, Cycles loop);
    void check_aligned(std::uint64_t address, std::size_t size, std::uint32_t width, std::string_view what) const;
    std::uint64_t report_leaving(std::string_view what, Duration from, Duration leaves);

    // Accesses that leave the core.
    bool port_ready();
    void wait_until(Duration free);
    bool fetch(std::uint32_t address, std::uint32_t size, std::string_view what);
    bool flush();
    void write_back(const std::optional<CacheLine>& line);
    void write_out(const Write& write);
    void send(const Write& write);
    void see_writes(std::uint32_t address, std::span<std::byte> bytes) const;
    void change_writes(std::uint32_t address, std::span<const std::byte> bytes);

public:
    // What each access looks at lies together, for the cache: 48 cores take turns
    Duration time;  ///< the core's
    /// Accesses leave only while this is set: in the core's own wake-ups, so that simultaneous ones have one order.
    bool may_leave = false;

private:
    bool wants_port_ = false;  // the waiting access will leave the core
    bool issued_ = false;      // the current instruction has begun: its issue is included in `time`
    bool read_here_ = false;   // the bytes of the last read are in answer_, not yet consumed
    bool writing_ = false;     // a write is outstanding
    bool flushing_ = false;    // it is the write-combine buffer's line
    Wait wait_ = Wait::kNothing;
    static constexpr std::uint32_t kNoLine = ~std::uint32_t{0};
    std::uint32_t missing_ = kNoLine;  // the line of the last store that missed both caches; no fill since
    const unsigned rank_, place_;
    const Duration cycle_;
    Duration write_free_;  // when another access may leave after the acknowledgement of the last write
    Duration combine_free_;
    Duration leaves_next_ = Duration::never();  // the first of waiting_, after that
    std::uint64_t write_id_ = 0;

    PageTable& pages_;
    PayloadPool& payloads_;
    CorePort& port_;
    Simulation& simulation_;
    PacketNumbers ids_{simulation_.packet_numbers()};
    const LookUpTable& table_;
    ::tlm::tlm_generic_payload* write_payload_ = nullptr;
    RingBuffer<Write> waiting_;  // evicted lines that leave after its acknowledgement
    Write write_;                // that is outstanding
    Write past_;                 // of a store past the caches that waits for the port; no bytes if none does

public:
    CoreStats stats;

private:
    CoreCaches caches_;
    WriteCombineBuffer combine_;
    const CoreParams params_;
    const Component& where_;
    ChipBytes& chip_;

    Read read_;
    std::string_view read_what_;
    std::uint32_t read_line_ = kNoLine;  // that it will fill
    LineBytes answer_{};
    std::array<unsigned char, kCacheLine> enables_{};
};

}  // namespace ringmesh::hw
