// SPDX-License-Identifier: Apache-2.0
#include "tlm/division/refusals.h"

#include <algorithm>
#include <utility>

namespace ringmesh {

Refusals::Refusals(Division& division, const std::uint64_t& limit, TooMany too_many)
    : limit_(limit), too_many_(std::move(too_many))
{
    division.add(*this);
}

Duration Refusals::give(std::vector<Parcel>& to)
{
    for (Parcel& parcel : to) {
        parcel.put(first_accepted_);
        parcel.put(last_accepted_);
        parcel.put(works_until_);
        parcel.put(refused_.size());
        for (const Duration at : refused_) parcel.put(at);
    }
    refused_.clear();
    first_accepted_ = Duration::never();
    last_accepted_ = Duration::zero();
    return Duration::never();
}

void Refusals::take(Parcel& parcel)
{
    first_accepted_ = std::min(first_accepted_, parcel.take<Duration>());
    last_accepted_ = std::max(last_accepted_, parcel.take<Duration>());
    works_until_ = std::max(works_until_, parcel.take<Duration>());
    for (auto left = parcel.take<std::size_t>(); left > 0; --left) refused_.push_back(parcel.take<Duration>());
}

void Refusals::taken(Duration /*end*/)
{
    std::sort(refused_.begin(), refused_.end());
    const auto until = [this](Duration time) {
        return static_cast<std::uint64_t>(std::upper_bound(refused_.begin(), refused_.end(), time) - refused_.begin());
    };
    const std::uint64_t before = until(first_accepted_);
    if (in_a_row_ + before >= limit_) {
        const Duration at = refused_[limit_ - in_a_row_ - 1];
        if (at >= works_until_) too_many_(at);
        in_a_row_ -= limit_;  // counts anew
    }
    in_a_row_ = first_accepted_ == Duration::never() ? in_a_row_ + before : refused_.size() - until(last_accepted_);
    refused_.clear();
    first_accepted_ = Duration::never();
    last_accepted_ = Duration::zero();
}

}  // namespace ringmesh
