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
#include "lab/saturation/estimate.h"

namespace ringmesh::lab {

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

/// Searches the load at which a network saturates: where the mean latency of a run 100 times as long as the given
/// duration passes a multiple of the unloaded one.
///
/// A grid of short runs gives the curve and a first guess. Then every seed searches the step of 1/128 in which its own
/// runs turn saturated, with durations of 1, 2, 4, ... times the given one. Of each two durations comes an interval
/// (interval_of()). The search ends when it is narrow enough and overlaps that of the duration before, which may be
/// twice as wide; the longest duration is the end in any case, and the doubt is told.
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
    Doubt doubt_ = Doubt::kTooShort;
};

}  // namespace ringmesh::lab
