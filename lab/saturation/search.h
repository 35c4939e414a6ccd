// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "analytic/curves.h"
#include "workloads/workload.h"

namespace ringmesh::lab {

/// Loads are multiples of this.
inline constexpr double kLoadStep = 1.0 / 128;
inline constexpr int kLowestStep = 4;  ///< practically unloaded
inline constexpr int kHighestStep = 128;

/// So many seeds run at each load that decides.
inline constexpr std::size_t kSeeds = 5;
/// The value is that of a run so many times as long as the given duration.
inline constexpr int kHorizon = 100;

/// Where the runs of one duration turn saturated.
struct Crossings {
    int times = 1;  ///< the given duration
    /// Of each seed; the lowest load if that is saturated already, the highest that was tried if none is.
    std::array<double, kSeeds> load{};
    bool open_below = false;  ///< the lowest load was saturated with some seed
    bool open_above = false;  ///< no load was saturated with some seed

    double mean() const;
};

/// Where a run of any seed, kHorizon times as long as the given duration, turns saturated, with 95 % confidence.
struct SaturationInterval {
    double low = 0;
    double high = 0;
    double width() const { return high - low; }
    bool overlaps(const SaturationInterval& other) const { return low <= other.high && other.low <= high; }
};

/// From the runs of a duration and of its double, with the same seeds. Short runs near saturation look better than long
/// ones, because a backlog needs time to grow; so the seeds' spread alone would give a wrong interval. The interval
/// contains two: one if longer runs no longer move the crossing, one if each further doubling up to the horizon moves
/// it as the last one did. Both are Student's prediction intervals for one more run, whose variance is smaller in the
/// proportion of the durations.
SaturationInterval interval_of(const Crossings& before, const Crossings& last);

/// A run that is wanted.
struct Trial {
    int step = 0;       ///< of the load: kLoadStep each
    int times = 1;      ///< the duration
    unsigned seed = 0;  ///< 0: the given one, 1: the next, ...

    double load() const { return step * kLoadStep; }
    auto operator<=>(const Trial&) const = default;
};

/// What it gave.
struct LoadPoint {
    /// The run ended in livelock: endless retries. No other results.
    bool stuck = false;
    bool by_fault = false;     ///< a fault ended the run; it is stuck as well
    double accepted_part = 0;  ///< of the packets born in the window
    double accepted_load = 0;  ///< in the unit of the network
    double offered_total_mb_per_s = 0;
    double accepted_total_mb_per_s = 0;
    double latency_mean_ns = 0;
    std::optional<double> latency_ci95_ns = {};
    double latency_p99_ns = 0;
    double link_use_highest = 0;
    std::optional<double> blink_use_highest = {};
    std::optional<workloads::Backlog> backlog = {};
};

/// A result of a run, by its column in the table of `traffic`.
struct LoadMeasure {
    const char* name;
    const char* unit;  ///< null: that of the network's load
    double LoadPoint::*number;
    std::optional<double> LoadPoint::*number_if_any = nullptr;  ///< in its place
};
inline constexpr std::array<LoadMeasure, 9> kLoadMeasures{
    {{"accepted_load", nullptr, &LoadPoint::accepted_load},
     {"offered_total_mb_per_s", "MB/s", &LoadPoint::offered_total_mb_per_s},
     {"accepted_total_mb_per_s", "MB/s", &LoadPoint::accepted_total_mb_per_s},
     {"accepted_part", "", &LoadPoint::accepted_part},
     {"latency_mean_ns", "ns", &LoadPoint::latency_mean_ns},
     {"latency_ci95_ns", "ns", nullptr, &LoadPoint::latency_ci95_ns},
     {"latency_p99_ns", "ns", &LoadPoint::latency_p99_ns},
     {"link_use_highest", "", &LoadPoint::link_use_highest},
     {"blink_use_highest", "", nullptr, &LoadPoint::blink_use_highest}}};

/// The criterion of saturation, and when the search may end.
struct SaturationRule {
    analytic::SaturationRule run = {};  ///< when one run is saturated; latency against that of the lowest load
    double width = 1.0 / 32;            ///< of a sound interval at most
    int longest = 128;                  ///< times the given duration; a longer run is not tried
};

/// The state of a run by the rule.
enum class LoadState : std::uint8_t { kBelow, kLittleAccepted, kLate, kStuck, kFault };

/// Why an interval is not sound.
enum class Doubt : std::uint8_t {
    kNone,
    kTooShort,      ///< the longest duration allows no comparison of three durations
    kWide,          ///< the seeds or durations still differ by more than is wanted
    kMoving,        ///< the intervals of the last two durations have nothing in common
    kContradicted,  ///< a run of the grid does not fit
};

/// A load does not hold if the backlogs of so many runs still rise (workloads::still_rises()): a single one may be a
/// burst near the end.
inline constexpr int kRisingRuns = 2;

/// What runs of one duration, with all seeds, say of a network whose interval is not sound. A load holds if no run is
/// saturated by the rule, and fewer than kRisingRuns rise.
struct Endurance {
    int times = 1;                         ///< the given duration
    std::optional<double> held = {};       ///< the largest load that holds below `collapses`
    std::optional<double> collapses = {};  ///< the smallest load that does not
    int collapsed = 0;                     ///< so many of kSeeds runs there are saturated
    int recovered = 0;                     ///< so many of these have a normal backlog at their end
    int rising = 0;                        ///< so many of the others rise
    /// When the other saturated runs had their last backlog that is normal for this load: at most the rule's multiple
    /// of the unloaded one. By rising time, without those that were stuck.
    std::vector<Duration> after = {};
};

/// Searches the load at which a network saturates: where the mean latency of a run 100 times as long as the given
/// duration passes a multiple of the unloaded one.
///
/// A grid of short runs gives the curve and a first guess. Then every seed searches the step of 1/128 in which its own
/// runs turn saturated, with durations of 1, 2, 4, ... times the given one. Of each two durations comes an interval
/// (interval_of()). The search ends when it is narrow enough and overlaps that of the duration before, which may be
/// twice as wide. The longest duration ends it in any case. The interval is then doubtful, as of a network that
/// collapses at a time of its own: what it holds is found with all seeds at each load (endurance()).
class SaturationSearch {
public:
    /// Runs these, in any order. Nothing for a load that the sources cannot offer.
    using Measure = std::function<std::vector<std::optional<LoadPoint>>(std::span<const Trial>)>;

    explicit SaturationSearch(const SaturationRule& rule) : rule_(rule) {}
    void run(const Measure& measure);

    const SaturationRule& rule() const { return rule_; }
    const std::map<Trial, LoadPoint>& points() const { return points_; }
    LoadState state(const Trial& trial) const;
    bool saturated(const Trial& trial) const { return state(trial) != LoadState::kBelow; }

    /// Of the durations 1, 2, 4, ... @pre run
    const std::vector<Crossings>& crossings() const { return crossings_; }
    /// Of the longest duration; none if there was but one.
    const std::optional<SaturationInterval>& interval() const { return interval_; }
    Doubt doubt() const { return doubt_; }
    bool sound() const { return doubt_ == Doubt::kNone; }
    /// So many runs of this load and duration are not saturated, but had a backlog that is not normal for it, and a
    /// normal one again at their end.
    int recoveries(double load, int times) const;
    /// If the interval is not sound and the runs suffice to say what holds.
    const std::optional<Endurance>& endurance() const { return endurance_; }
    /// Loads from this one on cannot be offered; none if all could that were tried.
    std::optional<double> refused() const;
    /// A run of the grid that does not fit the interval, or another one at a lower load.
    const std::optional<Trial>& contradiction() const { return contradiction_; }

private:
    /// The steps between which one seed's runs turn saturated.
    struct Bracket {
        int guess = 0;
        std::optional<int> below, above;
        int stride = 1;
    };

    bool measured(const Trial& trial) const { return points_.contains(trial) || trial.step >= refused_; }
    void measure_missing(const Measure& measure, std::vector<Trial> trials);
    bool measure_lowest(const Measure& measure, int times);
    void find_crossings(const Measure& measure, int times);
    std::vector<int> next_steps(Bracket& bracket) const;
    void learn(Bracket& bracket, const Trial& trial) const;
    double crossing_of(const Bracket& bracket, int times, unsigned seed) const;
    std::optional<double> unloaded_ns(int times) const;
    /// Runs of a load.
    struct Tally {
        int runs = 0;
        int saturated = 0;
        int rising = 0;  ///< of those that are not saturated

        bool fails() const { return saturated > 0 || rising >= kRisingRuns; }
    };
    Tally tally(int step, int times) const;
    void find_endurance(const Measure& measure);
    /// The highest backlog that is normal for this load: the rule's multiple of the unloaded one.
    double normal_backlog(int step, int times) const;
    /// Fills in `after` and `recovered`.
    void find_collapses(int step, Endurance& found) const;
    Doubt doubt_now();
    std::optional<Trial> find_contradiction() const;

    SaturationRule rule_;
    std::map<Trial, LoadPoint> points_;
    std::array<int, kSeeds> guess_{};
    int refused_ = kHighestStep + 1;  // the lowest step that cannot be offered
    std::vector<Crossings> crossings_;
    std::optional<SaturationInterval> interval_;
    std::optional<SaturationInterval> interval_before_;
    std::optional<Trial> contradiction_;
    std::optional<Endurance> endurance_;
    Doubt doubt_ = Doubt::kTooShort;
};

/// All that is known of one load: the mean of its longest runs, or of those of one duration.
struct CurvePoint {
    double load = 0;
    int times = 1;      ///< the duration of these runs
    int runs = 0;       ///< that did not get stuck
    int saturated = 0;  ///< of all runs
    int all = 0;
    LoadState state = LoadState::kBelow;  ///< of the first saturated one
    LoadPoint mean;                       ///< stuck: all were; ci95 between the runs, if there are several
};

/// By rising load. @pre searched
std::vector<CurvePoint> curve_of(const SaturationSearch& search);
/// A curve for each duration, the shortest first: beyond saturation queues grow as long as a run lasts, so only runs of
/// one duration can be compared there. @pre searched
std::vector<CurvePoint> curves_by_duration(const SaturationSearch& search);

/// The row that accepted most of those whose every run is as long as the last ones of a sound search: what short runs
/// accept near saturation is no lasting rate, while queues fill. Null if the search is not sound. @pre searched
const CurvePoint* most_accepted(const SaturationSearch& search, const std::vector<CurvePoint>& curve);

}  // namespace ringmesh::lab
