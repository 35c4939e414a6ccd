// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hw/scc/core/core_params.h"
#include "hw/scc/system_address.h"
#include "tlm/simulation/random.h"

namespace ringmesh::hw {

using LineBytes = std::array<std::byte, kCacheLine>;
constexpr std::uint32_t line_of(std::uint32_t address) { return address & ~(kCacheLine - 1); }

/// A line to be written to memory.
struct CacheLine {
    std::uint32_t address = 0;
    LineBytes bytes{};
};

/// A set-associative write-back cache with its tags and bytes. No timing and no next level: each function returns what
/// happened. Indexed by the core's physical address; ranges lie within one line.
///
/// Only fill() allocates lines. Lines of message-passing buffers (MPBT) are never dirty, because stores to them are
/// written through; they are invalidated all at once. Not coherent: its bytes may be stale.
class Cache {
public:
    /// The problem with size and ways, "what; cure", or empty: the number of sets must be a power of two.
    static std::string problem_of(const CacheParams& params);

    /// @param name for messages: "l1"
    /// @throws UserError if there is a problem
    Cache(std::string_view name, const CacheParams& params, Random random);

    bool holds(std::uint32_t address) const { return find(address) != kNowhere; }
    /// @return whether it hit; the line counts as used then, and only then `into` is written
    bool read(std::uint32_t address, std::span<std::byte> into);
    /// @return whether it hit; the line counts as used then, and is dirty unless it is one of a message-passing buffer
    bool write(std::uint32_t address, std::span<const std::byte> from);
    /// Fills a line into an empty way or replaces the policy's victim. @pre the line is not here @return the victim if
    /// it was dirty
    std::optional<CacheLine> fill(std::uint32_t address, const LineBytes& bytes, bool message_buffer = false);
    /// The dirty line that fill() would evict for this one.
    std::optional<std::uint32_t> dirty_victim(std::uint32_t address) const;
    /// CL1INVMB, without a loop over the lines.
    void invalidate_message_buffers();

    /// Like read and write without side effects: no use, and the dirty state is unchanged.
    bool peek(std::uint32_t address, std::span<std::byte> into) const;
    bool poke(std::uint32_t address, std::span<const std::byte> from);

private:
    static constexpr std::size_t kNowhere = ~std::size_t{0};
    static constexpr std::uint32_t kEmpty = ~std::uint32_t{0};
    struct Tag {
        std::uint32_t line = kEmpty;  // address / 32
        std::uint32_t epoch = 0;      // 0, or the epoch of message-passing buffers in which it is valid
    };

    std::uint32_t set_of(std::uint32_t address) const { return address / kCacheLine & set_mask_; }
    bool valid(const Tag& tag) const { return tag.line != kEmpty && (tag.epoch == 0 || tag.epoch == epoch_); }
    std::size_t find(std::uint32_t address) const
    {
        const std::uint32_t line = address / kCacheLine;
        const std::size_t first = std::size_t{line & set_mask_} * ways_;
        for (std::size_t i = first; i < first + ways_; ++i) {
            if (tags_[i].line == line && (tags_[i].epoch == 0 || tags_[i].epoch == epoch_)) return i;
        }
        return kNowhere;
    }
    unsigned way_for(std::uint32_t set) const;
    /// Again is as once.
    void use(std::uint32_t address, std::size_t i)
    {
        if (i == last_used_) return;
        last_used_ = i;
        const std::uint32_t set = set_of(address);
        replacement_->used(set, static_cast<unsigned>(i - std::size_t{set} * ways_));
    }

    const unsigned ways_;
    const std::uint32_t set_mask_;
    std::size_t last_used_ = kNowhere;  // or filled
    std::uint32_t epoch_ = 1;           // CL1INVMB begins a new one
    std::vector<Tag> tags_;
    std::vector<std::uint8_t> dirty_;
    std::vector<LineBytes> bytes_;
    std::unique_ptr<Replacement> replacement_;
};

/// A core's two caches. Plain logic: the core passes the time and transfers the lines.
///
/// A fill from memory goes into both; a store goes to the first level that holds its line, or past both. Not inclusive:
/// a line evicted from L2 may stay in L1. A dirty line evicted from L1 is written to L2 if that holds it, otherwise to
/// memory, because writes do not allocate.
class CoreCaches {
public:
    CoreCaches(const CacheParams& first, const CacheParams& second, Random random)
        : l1("l1", first, random), l2("l2", second, Random(random.next()))
    {}

    /// Dirty lines evicted by a fill, in the order in which they must be written.
    struct Leaving {
        std::optional<CacheLine> from_l2;
        std::optional<CacheLine> from_l1;
    };

    /// A line has arrived from memory. @pre neither cache holds it
    Leaving fill(std::uint32_t address, const LineBytes& bytes)
    {
        Leaving leaving;
        leaving.from_l2 = l2.fill(address, bytes);
        leaving.from_l1 = past_l2(l1.fill(address, bytes));
        return leaving;
    }
    /// A line of a message-passing buffer has arrived. @pre L1 does not hold it @return an evicted dirty line
    std::optional<CacheLine> fill_message_buffer(std::uint32_t address, const LineBytes& bytes)
    {
        return past_l2(l1.fill(address, bytes, true));
    }
    /// Copies a line from L2 into L1. @pre only L2 holds it @return an evicted dirty line
    std::optional<CacheLine> promote(std::uint32_t address)
    {
        LineBytes bytes;
        l2.read(line_of(address), bytes);
        return past_l2(l1.fill(address, bytes));
    }
    /// Whether promote() would evict a dirty line to memory.
    bool promotion_writes(std::uint32_t address) const
    {
        const auto victim = l1.dirty_victim(address);
        return victim && !l2.holds(*victim);
    }

    Cache l1;
    Cache l2;

private:
    std::optional<CacheLine> past_l2(std::optional<CacheLine> victim)
    {
        if (victim && l2.write(victim->address, victim->bytes)) victim.reset();
        return victim;
    }
};

/// The write-combine buffer: gathers the stores to one line of a message-passing buffer. Plain logic: the core flushes
/// it when it is full and before a store to another line.
///
/// Loads do not see it: unflushed stores are visible only in L1, if that holds the line. So programs flush it by a
/// store to a dedicated line [RCCE].
class WriteCombineBuffer {
public:
    bool empty() const { return mask_ == 0; }
    bool full() const { return mask_ == ~std::uint32_t{0}; }
    /// Whether it can take a store to this address.
    bool takes(std::uint32_t address) const { return empty() || line_of(address) == line_; }
    /// Address of its line. @pre not empty()
    std::uint32_t line() const { return line_; }
    /// Bit i for byte i.
    std::uint32_t mask() const { return mask_; }
    const LineBytes& bytes() const { return bytes_; }

    /// @pre takes(address); the bytes are within the line
    void store(std::uint32_t address, std::span<const std::byte> from);
    void clear() { mask_ = 0; }
    /// Overlays its bytes on bytes read elsewhere. @pre within one line
    void overlay(std::uint32_t address, std::span<std::byte> onto) const;
    /// Replaces bytes that it holds. @pre within one line
    void replace(std::uint32_t address, std::span<const std::byte> from);

private:
    std::uint32_t line_ = 0;
    std::uint32_t mask_ = 0;
    LineBytes bytes_{};
};

}  // namespace ringmesh::hw
