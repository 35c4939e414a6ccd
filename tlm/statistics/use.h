// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tlm/statistics/shown.h"
#include "tlm/time/kernel_time.h"
#include "tlm/units/units.h"

/// How much each place of a machine is used: a link, a bus, a queue, a memory bank, a core. Blocks name their places in
/// Component::places(). While no UseMeter is attached, a place costs a pointer test for each change.
namespace ringmesh {

class Component;
class Totals;
class UseMeter;

/// What passes a place in one busy period.
struct Carried {
    std::uint32_t bytes = 0;
    std::uint32_t packets = 1;
};

/// What one place has done since the meter was attached; times in picoseconds of the kernel.
class alignas(64) PlaceUse {
public:
    /// What happened in one interval of sampling.
    struct Sample {
        std::int64_t busy_ps = 0;
        std::uint64_t bytes = 0;
        std::uint64_t packets = 0;
        std::int64_t level_ps = 0;  ///< integral of the level

        Sample operator+(const Sample& other) const
        {
            return {busy_ps + other.busy_ps, bytes + other.bytes, packets + other.packets, level_ps + other.level_ps};
        }
    };

    PlaceUse(UseMeter& meter, std::string name, std::string_view kind)
        : meter_(meter), name_(std::move(name)), kind_(kind)
    {}

    /// Between these times, which may lie ahead. Bytes and packets count at the beginning.
    void busy(Duration from, Duration to, Carried carried)
    {
        has_busy_ = true;
        busy_ps_ += to.ps() - from.ps();
        bytes_ += carried.bytes;
        packets_ += carried.packets;
        if (sampled_) sample_busy(from.ps(), to.ps(), carried);
    }
    /// Something waited for this place, for so long; nothing counts that did not.
    void wait(Duration span)
    {
        if (span <= Duration::zero()) return;
        ++waits_;
        waited_ps_ += span.ps();
        if (span.ps() > longest_wait_ps_) longest_wait_ps_ = span.ps();
    }
    /// Something was refused here and has to come again.
    void refuse() { ++refusals_; }
    /// The fill of a queue from now on. One that lasts no time leaves no trace.
    void level(std::uint32_t level, Duration at)
    {
        settle_level(at.ps());
        level_ = level;
    }
    /// What it does from now on, a literal. @param idle whether that is no work
    void state(std::string_view word, bool idle, Duration at);

    const std::string& name() const { return name_; }
    /// "link", "bus", "queue", ...: a standard term.
    std::string_view kind() const { return kind_; }
    bool has_busy() const { return has_busy_; }
    bool has_level() const { return !levels_ps_.empty(); }
    Duration busy_time() const { return Duration::picoseconds(busy_ps_); }
    std::uint64_t bytes() const { return bytes_; }
    std::uint64_t packets() const { return packets_; }
    std::uint64_t waits() const { return waits_; }
    std::uint64_t refusals() const { return refusals_; }
    Duration waited() const { return Duration::picoseconds(waited_ps_); }
    Duration longest_wait() const { return Duration::picoseconds(longest_wait_ps_); }
    std::uint32_t highest() const { return highest_; }
    /// The highest possible level; 0: there is no bound that matters.
    std::uint64_t room() const { return room_; }
    /// The integral of the level, in level-picoseconds.
    std::int64_t level_area() const { return area_ps_; }
    /// Picoseconds at each level; the last entry, if there are kLevels, is for it and all above.
    const std::vector<std::int64_t>& levels_ps() const { return levels_ps_; }
    /// Picoseconds in each state, in order of first appearance.
    const std::vector<std::pair<std::string_view, std::int64_t>>& states_ps() const { return states_ps_; }
    /// In order from the beginning of the run; what follows the last one is zero.
    const std::vector<Sample>& samples() const { return samples_; }

    static constexpr std::size_t kLevels = 128;

    /// Adds what another process has seen of its part, or gives what this one has. A place that nothing touched was at
    /// level 0, or in its first state, all the time.
    /// @pre it is finished, and all processes have sampled at the same intervals
    void add_up(Totals& totals);

private:
    friend class UseMeter;

    void begin_level(std::uint32_t level, std::int64_t at);
    void settle_level(std::int64_t at)
    {
        const std::int64_t span = at - since_ps_;
        if (span > 0) add_level(span);
        since_ps_ = at;
    }
    void add_level(std::int64_t span)
    {
        const std::size_t at = level_ < kLevels ? level_ : kLevels - 1;
        if (at >= levels_ps_.size()) levels_ps_.resize(at + 1);
        levels_ps_[at] += span;
        if (level_ > highest_) highest_ = level_;
        area_ps_ += span * level_;
        if (sampled_ && level_ != 0) sample_level(since_ps_, since_ps_ + span);
    }
    void settle_state(std::int64_t at);
    void add_up_states(Totals& totals);
    void sample_busy(std::int64_t from, std::int64_t to, Carried carried);
    void sample_level(std::int64_t from, std::int64_t to);
    Sample& sample(std::int64_t at);
    /// Calls `add(sample, span)` for each interval, with the part of the span that lies in it.
    template <class Add>
    void spread(std::int64_t from, std::int64_t to, Add add);
    void merge_samples();

    // What each packet changes lies together, for the cache
    bool sampled_ = false;
    bool has_busy_ = false;
    bool idle_ = true;  // of the state
    std::uint32_t level_ = 0;
    std::int64_t busy_ps_ = 0;
    std::uint64_t bytes_ = 0, packets_ = 0, waits_ = 0, refusals_ = 0;
    std::int64_t waited_ps_ = 0, longest_wait_ps_ = 0;
    std::int64_t since_ps_ = 0;  // of level or state

    std::int64_t area_ps_ = 0;
    std::vector<std::int64_t> levels_ps_;
    std::uint32_t highest_ = 0;
    std::uint64_t room_ = 0;
    std::size_t state_ = 0;
    std::vector<std::pair<std::string_view, std::int64_t>> states_ps_;
    UseMeter& meter_;
    std::string name_;
    std::string_view kind_;
    std::vector<Sample> samples_;
};

/// The fill of a queue, or another small number that changes at kernel time steps. Shown in waveforms as it is.
class Level {
public:
    /// At a time that the caller knows without asking the kernel.
    void set(std::uint32_t value, Duration at)
    {
        value_ = value;
        watch_.changed();
        if (use_ != nullptr) use_->level(value, at);
    }
    Level& operator++() { return set(value_ + 1); }
    Level& operator--() { return set(value_ - 1); }
    Level& operator-=(std::uint32_t n) { return set(value_ - n); }
    Level& operator=(std::uint32_t value) { return set(value); }
    operator std::uint32_t() const { return value_; }
    /// A reference, for waveforms.
    const std::uint32_t& value() const { return value_; }
    const ValueWatch& watch() const { return watch_; }
    /// Something found no room.
    void refuse() const
    {
        if (use_ != nullptr) use_->refuse();
    }

private:
    friend class UseMeter;
    Level& set(std::uint32_t value)
    {
        value_ = value;
        watch_.changed();
        if (use_ != nullptr) use_->level(value, now());
        return *this;
    }

    [[no_unique_address]] ValueWatch watch_;
    std::uint32_t value_ = 0;
    mutable PlaceUse* use_ = nullptr;
};

/// What a block does, as one of a few words, literals. Shown in waveforms as it is.
class StateWord {
public:
    StateWord(std::string_view word = "idle") : word_(word) {}
    StateWord& operator=(std::string_view word)
    {
        word_ = word;
        watch_.changed();
        if (use_ != nullptr) note();
        return *this;
    }
    /// A reference, for waveforms.
    const std::string_view& word() const { return word_; }
    const ValueWatch& watch() const { return watch_; }

private:
    friend class UseMeter;
    void note() const;

    ValueWatch watch_;
    std::string_view word_;
    mutable PlaceUse* use_ = nullptr;
    mutable std::span<const std::string_view> idle_;
};

class Activity;

/// Receives the places of a block. Names are the signals' in waveforms, without the block's own.
class PlaceVisitor {
public:
    virtual ~PlaceVisitor() = default;
    virtual void busy(std::string_view name, std::string_view kind, const Activity& activity) = 0;
    /// @param room the highest possible level; 0: there is no bound that matters
    virtual void level(std::string_view name, std::string_view kind, const Level& level, std::uint64_t room = 0) = 0;
    /// @param idle the words for no work; must outlive the run
    virtual void state(std::string_view name, std::string_view kind, const StateWord& word,
                       std::span<const std::string_view> idle) = 0;
};

/// Measures the use of all places of a machine. It must outlive the run.
class UseMeter final {
public:
    /// @param every interval of sampling; zero: none
    explicit UseMeter(Duration every = Duration::zero()) : every_ps_(every.ps()), asked_ps_(every.ps()) {}
    UseMeter(const UseMeter&) = delete;
    UseMeter& operator=(const UseMeter&) = delete;

    /// @pre all blocks have been built
    void attach(const std::vector<Component*>& components);
    /// The run is over.
    void finish(Duration at);
    /// Merges samples until the interval is as long as this one, one of those that every() may have.
    void sample_at_least(Duration every)
    {
        while (every_ps_ < every.ps()) coarsen();
    }
    /// As PlaceUse, of all places.
    void add_up(Totals& totals);

    const std::vector<std::unique_ptr<PlaceUse>>& places() const { return places_; }
    /// Zero if nothing is sampled. Longer than asked for if the samples were too many: twice, four times, ...
    Duration every() const { return Duration::picoseconds(every_ps_); }
    Duration asked() const { return Duration::picoseconds(asked_ps_); }

    /// Of all places together; more are merged in pairs.
    static constexpr std::size_t kMostSamples = std::size_t{1} << 22U;

private:
    class Attacher;
    friend class PlaceUse;
    PlaceUse& add(std::string name, std::string_view kind);
    void coarsen();

    std::int64_t every_ps_;
    std::int64_t asked_ps_;
    std::size_t most_ = 0;  // samples of a place
    std::vector<std::unique_ptr<PlaceUse>> places_;
    std::set<std::string> words_;  // of states that only other processes have seen
};

}  // namespace ringmesh
