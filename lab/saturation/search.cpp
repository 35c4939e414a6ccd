// SPDX-License-Identifier: Apache-2.0
#include "lab/saturation/search.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "lab/table/welch.h"
#include "tlm/statistics/student_t.h"
#include "workloads/traffic/measurements/steady_state.h"

namespace ringmesh::lab {
namespace {

/// Of the first runs, which show the whole curve.
constexpr std::array<int, 9> kGrid{kLowestStep, 16, 32, 48, 64, 80, 96, 112, kHighestStep};
/// The interval of three durations is the first to be judged.
constexpr std::size_t kFewestDurations = 3;
constexpr auto kCount = static_cast<double>(kSeeds);
constexpr auto kSeedCount = static_cast<int>(kSeeds);

/// For one more value, whose variance is `part` of theirs.
SaturationInterval prediction(const std::array<double, kSeeds>& values, double part)
{
    const Sample sample = sample_of(values);
    const double half = student_975(kCount - 1) * std::sqrt(sample.variance * (1 / kCount + part));
    return {sample.mean - half, sample.mean + half};
}

LoadPoint mean_run(const std::vector<LoadPoint>& runs)
{
    if (runs.empty()) return {.stuck = true};
    LoadPoint mean = runs.front();
    if (runs.size() == 1) return mean;
    std::optional<double> between_runs;
    for (const LoadMeasure& measure : kLoadMeasures) {
        std::vector<double> values;
        for (const LoadPoint& run : runs) {
            values.push_back(measure.number != nullptr ? run.*measure.number
                                                       : (run.*measure.number_if_any).value_or(0));
        }
        const Sample sample = sample_of(values);
        if (measure.number != nullptr) {
            mean.*measure.number = sample.mean;
            if (measure.number == &LoadPoint::latency_mean_ns) between_runs = mean_interval(sample);
        } else if (mean.*measure.number_if_any) {
            mean.*measure.number_if_any = sample.mean;
        }
    }
    mean.latency_ci95_ns = between_runs;
    return mean;
}

/// The runs of a load that have this duration.
CurvePoint curve_point(const SaturationSearch& search, int step, int times)
{
    CurvePoint row;
    row.load = step * kLoadStep;
    row.times = times;
    std::vector<LoadPoint> runs;
    for (unsigned seed = 0; seed < kSeeds; ++seed) {
        const auto found = search.points().find({step, times, seed});
        if (found == search.points().end()) continue;
        ++row.all;
        if (search.saturated(found->first) && row.saturated++ == 0) row.state = search.state(found->first);
        if (!found->second.stuck) runs.push_back(found->second);
    }
    row.runs = static_cast<int>(runs.size());
    row.mean = mean_run(runs);
    return row;
}

}  // namespace

double Crossings::mean() const { return sample_of(load).mean; }

SaturationInterval interval_of(const Crossings& before, const Crossings& last)
{
    const double durations = static_cast<double>(kHorizon) / last.times;
    const double doublings = std::max(0.0, std::log2(durations));
    const double part = std::min(1.0, 1 / durations);
    std::array<double, kSeeds> moved{};
    for (std::size_t i = 0; i < kSeeds; ++i) {
        moved[i] = last.load[i] + doublings * (last.load[i] - before.load[i]);
    }
    const SaturationInterval at_rest = prediction(last.load, part);
    const SaturationInterval moving = prediction(moved, part);
    return {std::max(kLowestStep * kLoadStep, std::min(at_rest.low, moving.low)),
            std::min(kHighestStep * kLoadStep, std::max(at_rest.high, moving.high))};
}

void SaturationSearch::run(const Measure& measure)
{
    std::vector<Trial> grid;
    grid.reserve(kGrid.size() + kSeeds);
    for (const int step : kGrid) grid.push_back({.step = step});
    for (unsigned seed = 1; seed < kSeeds; ++seed) grid.push_back({.step = kLowestStep, .seed = seed});
    measure_missing(measure, std::move(grid));
    if (refused_ <= kLowestStep) return;
    const auto* const first = std::find_if(kGrid.begin(), kGrid.end(),
                                           [this](int step) { return step < refused_ && saturated({.step = step}); });
    const int above = first == kGrid.end() ? std::min(refused_, kHighestStep) : *first;
    const int below = first == kGrid.begin() ? kLowestStep : *std::prev(first);
    guess_.fill((below + above) / 2);

    for (int times = 1; times <= rule_.longest; times *= 2) {
        if (!measure_lowest(measure, times)) return;
        find_crossings(measure, times);
        if (crossings_.size() < 2) continue;
        interval_before_ = interval_;
        interval_ = interval_of(crossings_[crossings_.size() - 2], crossings_.back());
        doubt_ = doubt_now();
        if (sound()) return;
    }
    if (crossings_.size() >= kFewestDurations) find_endurance(measure);
}

SaturationSearch::Tally SaturationSearch::tally(int step, int times) const
{
    Tally tally;
    for (unsigned seed = 0; seed < kSeeds; ++seed) {
        const auto found = points_.find({step, times, seed});
        if (found == points_.end()) continue;
        const auto& [trial, point] = *found;
        ++tally.runs;
        if (saturated(trial)) {
            ++tally.saturated;
        } else if (point.backlog && workloads::still_rises(*point.backlog)) {
            ++tally.rising;
        }
    }
    return tally;
}

/// From the lowest load at which a run did not hold downwards, in steps that double, then between the two.
void SaturationSearch::find_endurance(const Measure& measure)
{
    const int times = crossings_.back().times;
    const auto run_all = [&](int step) {
        std::vector<Trial> trials;
        for (unsigned seed = 0; seed < kSeeds; ++seed) trials.push_back({step, times, seed});
        measure_missing(measure, std::move(trials));
    };
    Endurance found{.times = times};
    std::optional<int> held, collapses;
    constexpr int kMostSteps = 64;  // reached only if some seeds cannot be offered what others can
    for (int i = 0, stride = 1; i < kMostSteps; ++i, stride = std::min(2 * stride, kHighestStep)) {
        std::map<int, Tally> by_step;
        for (const auto& [trial, point] : points_) {
            if (trial.times != times) continue;
            if (point.by_fault) return;  // this says nothing of the load
            if (!by_step.contains(trial.step)) by_step.emplace(trial.step, tally(trial.step, times));
        }
        held.reset();
        collapses.reset();
        for (const auto& [step, counts] : by_step) {
            if (counts.fails()) {
                collapses = step;
                break;
            }
            if (counts.runs == kSeedCount) held = step;
        }
        const int top = std::min(kHighestStep, refused_ - 1);
        const int wanted =
            collapses ? held ? (*held + *collapses) / 2 : std::max(kLowestStep, *collapses - stride) : top;
        const bool known = by_step.contains(wanted) && by_step.at(wanted).runs == kSeedCount;
        if (!known) run_all(wanted);
        // What is told of the first collapse needs all its runs
        if (known && collapses && by_step.at(*collapses).runs < kSeedCount) {
            run_all(*collapses);
        } else if (known) {
            break;
        }
    }
    if (held) found.held = *held * kLoadStep;
    if (collapses) {
        found.collapses = *collapses * kLoadStep;
        const Tally there = tally(*collapses, times);
        found.collapsed = there.saturated;
        found.rising = there.rising;
        find_collapses(*collapses, found);
    }
    if (held || collapses) endurance_ = std::move(found);
}

double SaturationSearch::normal_backlog(int step, int times) const
{
    double unloaded = 0;  // mean backlog of the lowest load
    double samples = 0;
    for (unsigned seed = 0; seed < kSeeds; ++seed) {
        const auto lowest = points_.find({kLowestStep, times, seed});
        if (lowest == points_.end() || !lowest->second.backlog) continue;
        const auto& packets = lowest->second.backlog->packets;
        unloaded += std::accumulate(packets.begin(), packets.end(), 0.0);
        samples += static_cast<double>(packets.size());
    }
    // By Little's law the backlog grows like the load, and like the latency
    return rule_.run.latency_factor * unloaded / std::max(1.0, samples) * step / kLowestStep;
}

int SaturationSearch::recoveries(double load, int times) const
{
    const auto step = static_cast<int>(std::lround(load / kLoadStep));
    const auto normal = static_cast<std::int64_t>(normal_backlog(step, times));
    int recovered = 0;
    for (unsigned seed = 0; seed < kSeeds; ++seed) {
        const auto found = points_.find({step, times, seed});
        if (found == points_.end() || saturated(found->first) || !found->second.backlog) continue;
        const auto& packets = found->second.backlog->packets;
        if (packets.empty() || packets.back() > normal) continue;
        if (*std::max_element(packets.begin(), packets.end()) > normal) ++recovered;
    }
    return recovered;
}

void SaturationSearch::find_collapses(int step, Endurance& found) const
{
    const double normal = normal_backlog(step, found.times);
    for (unsigned seed = 0; seed < kSeeds; ++seed) {
        const Trial trial{step, found.times, seed};
        const auto& backlog = points_.at(trial).backlog;
        if (!saturated(trial) || !backlog || backlog->packets.empty()) continue;
        const auto& packets = backlog->packets;
        const auto last = std::find_if(packets.rbegin(), packets.rend(),
                                       [normal](std::int64_t each) { return static_cast<double>(each) <= normal; });
        if (last == packets.rbegin()) {
            ++found.recovered;
        } else {
            found.after.push_back(backlog->interval * (packets.rend() - last));
        }
    }
    std::sort(found.after.begin(), found.after.end());
}

void SaturationSearch::measure_missing(const Measure& measure, std::vector<Trial> trials)
{
    std::erase_if(trials, [this](const Trial& trial) { return measured(trial); });
    std::sort(trials.begin(), trials.end());
    trials.erase(std::unique(trials.begin(), trials.end()), trials.end());
    if (trials.empty()) return;
    const auto points = measure(trials);
    for (std::size_t i = 0; i < trials.size(); ++i) {
        if (points[i]) {
            points_.emplace(trials[i], *points[i]);
        } else {
            refused_ = std::min(refused_, trials[i].step);
        }
    }
}

/// @return false if runs can be no longer
bool SaturationSearch::measure_lowest(const Measure& measure, int times)
{
    std::vector<Trial> trials;
    for (unsigned seed = 0; seed < kSeeds; ++seed) trials.push_back({kLowestStep, times, seed});
    const int refused = refused_;
    measure_missing(measure, std::move(trials));
    if (refused_ > kLowestStep) return true;
    refused_ = refused;
    return false;
}

void SaturationSearch::find_crossings(const Measure& measure, int times)
{
    std::array<Bracket, kSeeds> brackets;
    for (unsigned seed = 0; seed < kSeeds; ++seed) brackets[seed].guess = guess_[seed];
    while (true) {
        std::vector<Trial> trials;
        for (unsigned seed = 0; seed < kSeeds; ++seed) {
            for (const int step : next_steps(brackets[seed])) trials.push_back({step, times, seed});
        }
        if (trials.empty()) break;
        measure_missing(measure, trials);
        for (const Trial& trial : trials) learn(brackets[trial.seed], trial);
    }
    Crossings& found = crossings_.emplace_back();
    found.times = times;
    for (unsigned seed = 0; seed < kSeeds; ++seed) {
        const Bracket& bracket = brackets[seed];
        found.load[seed] = crossing_of(bracket, times, seed);
        found.open_below = found.open_below || !bracket.below;
        found.open_above = found.open_above || !bracket.above;
        guess_[seed] = bracket.below.value_or(kLowestStep);
    }
}

/// Which steps to run to come nearer; none at the end. Steps outwards double.
std::vector<int> SaturationSearch::next_steps(Bracket& bracket) const
{
    const int top = std::min(kHighestStep, refused_ - 1);
    const auto& [guess, below, above, stride] = bracket;
    if (below && above) {
        if (*above - *below > 1) return {(*below + *above) / 2};
        return {};
    }
    if (below) {
        if (*below >= top) return {};
        const int next = std::min(*below + stride, refused_ > kHighestStep ? top : (*below + refused_) / 2);
        bracket.stride *= 2;
        return {std::max(next, *below + 1)};
    }
    if (above) {
        if (*above <= kLowestStep) return {};
        const int next = std::max(*above - stride, kLowestStep);
        bracket.stride *= 2;
        return {next};
    }
    const int low = std::clamp(guess, kLowestStep, top);
    if (low == top) return {low};
    return {low, low + 1};
}

/// If the seed's runs do not agree, the lower of the two crossings counts.
void SaturationSearch::learn(Bracket& bracket, const Trial& trial) const
{
    if (trial.step >= refused_) return;
    if (saturated(trial)) {
        bracket.above = std::min(bracket.above.value_or(trial.step), trial.step);
    } else {
        bracket.below = std::max(bracket.below.value_or(trial.step), trial.step);
    }
    if (bracket.below && bracket.above && *bracket.below >= *bracket.above) bracket.below.reset();
}

/// Between two steps the logarithm of the latency is taken for a straight line.
double SaturationSearch::crossing_of(const Bracket& bracket, int times, unsigned seed) const
{
    if (!bracket.below) return kLowestStep * kLoadStep;
    if (!bracket.above) return *bracket.below * kLoadStep;
    const LoadPoint& below = points_.at({*bracket.below, times, seed});
    const LoadPoint& above = points_.at({*bracket.above, times, seed});
    double part = 0.5;
    if (const auto unloaded = unloaded_ns(times); unloaded && !above.stuck && below.latency_mean_ns > 0) {
        const double limit = rule_.run.latency_factor * *unloaded;
        if (above.latency_mean_ns > limit) {
            part = std::log(limit / below.latency_mean_ns) / std::log(above.latency_mean_ns / below.latency_mean_ns);
        }
    }
    return (*bracket.below + part) * kLoadStep;
}

/// Mean of the seeds at the lowest load.
std::optional<double> SaturationSearch::unloaded_ns(int times) const
{
    double sum = 0;
    int count = 0;
    for (unsigned seed = 0; seed < kSeeds; ++seed) {
        const auto found = points_.find({kLowestStep, times, seed});
        if (found == points_.end() || found->second.stuck) continue;
        sum += found->second.latency_mean_ns;
        ++count;
    }
    if (count == 0) return std::nullopt;
    return sum / count;
}

LoadState SaturationSearch::state(const Trial& trial) const
{
    const LoadPoint& point = points_.at(trial);
    if (point.stuck) return point.by_fault ? LoadState::kFault : LoadState::kStuck;
    if (rule_.run.accepts_too_little(point.accepted_part)) return LoadState::kLittleAccepted;
    const auto unloaded = unloaded_ns(trial.times);
    return unloaded && rule_.run.is_late(point.latency_mean_ns, *unloaded) ? LoadState::kLate : LoadState::kBelow;
}

Doubt SaturationSearch::doubt_now()
{
    contradiction_ = find_contradiction();
    if (crossings_.size() < kFewestDurations) return Doubt::kTooShort;
    if (interval_->width() > rule_.width || interval_before_->width() > 2 * rule_.width) return Doubt::kWide;
    if (!interval_->overlaps(*interval_before_)) return Doubt::kMoving;
    return contradiction_ ? Doubt::kContradicted : Doubt::kNone;
}

/// A run of the grid that does not fit: late or stuck far below the interval, or not saturated above one that was. That
/// it accepted too little says nothing of so short a run.
std::optional<Trial> SaturationSearch::find_contradiction() const
{
    constexpr double kFar = 8 * kLoadStep;
    bool before = false;
    for (const int step : kGrid) {
        const Trial trial{.step = step};
        if (step >= refused_) break;
        const LoadState now = state(trial);
        const bool surely = now != LoadState::kBelow && now != LoadState::kLittleAccepted;
        if (surely && trial.load() < interval_->low - kFar) return trial;
        if (before && now == LoadState::kBelow) return trial;
        before = before || surely;
    }
    return std::nullopt;
}

std::optional<double> SaturationSearch::refused() const
{
    if (refused_ > kHighestStep) return std::nullopt;
    return refused_ * kLoadStep;
}

std::vector<CurvePoint> curve_of(const SaturationSearch& search)
{
    std::map<int, int> longest;  // of each step; points are in the order of steps, then durations
    for (const auto& [trial, point] : search.points()) longest[trial.step] = trial.times;
    std::vector<CurvePoint> curve;
    curve.reserve(longest.size());
    for (const auto& [step, times] : longest) curve.push_back(curve_point(search, step, times));
    return curve;
}

std::vector<CurvePoint> curves_by_duration(const SaturationSearch& search)
{
    std::set<std::pair<int, int>> measured;  // times and step
    for (const auto& [trial, point] : search.points()) measured.emplace(trial.times, trial.step);
    std::vector<CurvePoint> curves;
    curves.reserve(measured.size());
    for (const auto& [times, step] : measured) curves.push_back(curve_point(search, step, times));
    return curves;
}

const CurvePoint* most_accepted(const SaturationSearch& search, const std::vector<CurvePoint>& curve)
{
    const CurvePoint* most = nullptr;
    if (!search.sound()) return most;
    for (const CurvePoint& point : curve) {
        if (point.times != search.crossings().back().times || point.runs < point.all) continue;
        if (most == nullptr || point.mean.accepted_load > most->mean.accepted_load) most = &point;
    }
    return most;
}

}  // namespace ringmesh::lab
