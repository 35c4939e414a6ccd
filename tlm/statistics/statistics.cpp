// SPDX-License-Identifier: Apache-2.0
#include "tlm/statistics/statistics.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

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

void Distribution::add(Duration sample)
{
    if (sample < Duration::zero()) throw std::domain_error("a distribution takes no negative sample");
    const auto bin = bin_of(static_cast<std::uint64_t>(sample.ps()));
    if (bin >= bins_.size()) bins_.resize(bin + 1);
    ++bins_[bin];
    ++count_;
    sum_ns_ += sample.ns();
    minimum_ = std::min(minimum_, sample);
    maximum_ = std::max(maximum_, sample);
}

double Distribution::mean_ns() const { return count_ == 0 ? 0.0 : sum_ns_ / static_cast<double>(count_); }

Duration Distribution::percentile(double part) const
{
    const auto wanted = std::max(1.0, part * static_cast<double>(count_));
    std::uint64_t seen = 0;
    for (std::size_t bin = 0; bin < bins_.size(); ++bin) {
        seen += bins_[bin];
        if (static_cast<double>(seen) >= wanted) {
            const auto middle = Duration::picoseconds(static_cast<std::int64_t>(middle_of(bin)));
            return std::clamp(middle, minimum_, maximum_);
        }
    }
    return Duration::zero();
}

}  // namespace ringmesh
