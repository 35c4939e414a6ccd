// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/statistics/totals.h"
#include "tlm/units/units.h"

/// Statistics are plain members of a block, counted without a branch. A block describes them in one `statistics()`
/// function; nothing is registered, formatted or allocated while the simulation runs.
namespace ringmesh {

/// Counts occurrences.
class Counter {
public:
    Counter& operator++()
    {
        ++count_;
        return *this;
    }
    Counter& operator+=(std::uint64_t n)
    {
        count_ += n;
        return *this;
    }
    /// A reference, for waveforms.
    const std::uint64_t& count() const { return count_; }

private:
    std::uint64_t count_ = 0;
};

/// Adds up busy time.
class BusyTime {
public:
    void add(Duration span) { total_ += span; }
    Duration total() const { return total_; }

private:
    Duration total_;
};

/// The time-weighted mean of a level, such as the fill of a queue.
class TimeWeighted {
public:
    void set(std::int64_t level, Duration at)
    {
        area_ += static_cast<double>(level_) * (at - since_).seconds();
        level_ = level;
        since_ = at;
        if (level > highest_) highest_ = level;
    }
    std::int64_t level() const { return level_; }
    std::int64_t highest() const { return highest_; }
    /// The integral of the level from the start to `at`, in level-seconds; means over a window are differences of it.
    double area(Duration at) const { return area_ + static_cast<double>(level_) * (at - since_).seconds(); }

private:
    double area_ = 0;
    std::int64_t level_ = 0;
    std::int64_t highest_ = 0;
    Duration since_;
};

/// Count, mean and extremes of durations.
class DurationMean {
public:
    /// @throws std::domain_error if the sample is negative
    void add(Duration sample);
    std::uint64_t count() const { return count_; }
    Duration minimum() const { return minimum_; }
    Duration maximum() const { return maximum_; }
    double mean_ns() const { return count_ == 0 ? 0.0 : sum_ns() / static_cast<double>(count_); }
    /// Exact, so that it does not depend on the order of the samples.
    double sum_ns() const { return static_cast<double>(sum_ps_) / 1e3; }
    /// Adds the samples of other processes, or gives those of this one.
    void add_up(Totals& totals)
    {
        totals.sum(count_);
        totals.sum(sum_ps_);
        totals.lowest(minimum_);
        totals.highest(maximum_);
    }

private:
    std::uint64_t count_ = 0;
    __extension__ __int128 sum_ps_ = 0;  // a long run's is more than 64 bits
    Duration minimum_ = Duration::never();
    Duration maximum_;
};

/// The same with percentiles: exact for up to kExact samples, which are kept, or as many as it is told; of more, a
/// histogram in logarithmic bins (under 1.6 % wide) remains.
class Distribution : public DurationMean {
public:
    static constexpr std::size_t kExact = 4096;

    Distribution() = default;
    explicit Distribution(std::size_t exact) : exact_(exact) {}
    void add(Duration sample);
    /// By nearest rank: the smallest sample that has at least this part of all samples, e.g. 0.99, at or below it. Of
    /// more than kExact samples, the middle of its bin. Zero if there are none.
    Duration percentile(double part) const;
    /// Samples that are not longer; of more than kExact, those whose bin's middle is not.
    std::uint64_t at_most(Duration limit) const;
    /// "percentiles: ...": how they were found.
    std::string_view percentiles_note() const
    {
        return is_exact() ? "percentiles: by nearest rank" : "percentiles: by nearest rank, to 1 %";
    }

private:
    bool is_exact() const { return bins_.empty(); }
    void add_to_bin(Duration sample);

    std::size_t exact_ = kExact;
    std::vector<Duration> samples_;
    std::vector<std::uint32_t> bins_;
};

/// Receives a block's statistics with their unit and a sentence on what they count.
class StatisticsVisitor {
public:
    virtual ~StatisticsVisitor() = default;
    virtual void value(std::string_view name, double value, std::string_view unit, std::string_view sentence) = 0;
    /// The mean of a block's samples, in ns; 0 if it has none. Who combines blocks must weigh each by its samples.
    virtual void mean(std::string_view name, const DurationMean& samples, std::string_view sentence)
    {
        value(name, samples.mean_ns(), "ns", sentence);
    }

    void counter(std::string_view name, const Counter& counter, std::string_view unit, std::string_view sentence)
    {
        value(name, static_cast<double>(counter.count()), unit, sentence);
    }
    void time(std::string_view name, const BusyTime& time, std::string_view sentence)
    {
        value(name, time.total().ns(), "ns", sentence);
    }
};

}  // namespace ringmesh
