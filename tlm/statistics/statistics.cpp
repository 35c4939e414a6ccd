// SPDX-License-Identifier: Apache-2.0
#include "tlm/statistics/statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace ringmesh {

namespace {

// A sample's bin is its power of two (the octave) and the next six bits: at most 1/64 wide.
constexpr unsigned kStepBits = 6;
constexpr std::uint64_t kSteps = 1U << kStepBits;

std::size_t bin_of(std::uint64_t ps)
{
    if (ps < kSteps) return ps;
    const auto octave = static_cast<unsigned>(std::bit_width(ps)) - 1 - kStepBits;
    return (octave + 1) * kSteps + ((ps >> octave) - kSteps);
}

std::uint64_t middle_of(std::size_t bin)
{
    if (bin < kSteps) return bin;
    const auto octave = bin / kSteps - 1;
    const auto low = (bin % kSteps + kSteps) << octave;
    return low + ((std::uint64_t{1} << octave) - 1) / 2;
}

}  // namespace

void DurationMean::add(Duration sample)
{
    if (sample < Duration::zero()) throw std::domain_error("statistics take no negative sample");
    ++count_;
    sum_ps_ += sample.ps();
    minimum_ = std::min(minimum_, sample);
    maximum_ = std::max(maximum_, sample);
}

void Distribution::add(Duration sample)
{
    DurationMean::add(sample);
    if (count() <= exact_) {
        samples_.push_back(sample);
        return;
    }
    for (const Duration each : std::exchange(samples_, {})) add_to_bin(each);
    add_to_bin(sample);
}

void Distribution::add_to_bin(Duration sample)
{
    const auto bin = bin_of(static_cast<std::uint64_t>(sample.ps()));
    if (bin >= bins_.size()) bins_.resize(bin + 1);
    ++bins_[bin];
}

Duration Distribution::percentile(double part) const
{
    if (count() == 0) return Duration::zero();
    constexpr double kRounding = 1e-9;  // 0.07 of 100 samples is the 7th
    const auto rank = static_cast<std::uint64_t>(
        std::clamp(std::ceil(part * static_cast<double>(count()) - kRounding), 1.0, static_cast<double>(count())));
    if (is_exact()) {
        std::vector<Duration> samples = samples_;
        const auto at = samples.begin() + static_cast<std::ptrdiff_t>(rank - 1);
        std::nth_element(samples.begin(), at, samples.end());
        return *at;
    }
    std::uint64_t seen = 0;
    std::size_t bin = 0;
    while ((seen += bins_[bin]) < rank) ++bin;
    return std::clamp(Duration::picoseconds(static_cast<std::int64_t>(middle_of(bin))), minimum(), maximum());
}

std::uint64_t Distribution::at_most(Duration limit) const
{
    if (limit >= maximum()) return count();
    const auto fits = [limit](Duration sample) { return sample <= limit; };
    if (is_exact()) return static_cast<std::uint64_t>(std::count_if(samples_.begin(), samples_.end(), fits));
    std::uint64_t sum = 0;
    for (std::size_t bin = 0; bin < bins_.size() && middle_of(bin) <= static_cast<std::uint64_t>(limit.ps()); ++bin) {
        sum += bins_[bin];
    }
    return sum;
}

}  // namespace ringmesh
