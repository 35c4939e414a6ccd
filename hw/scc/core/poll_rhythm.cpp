// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/core/poll_rhythm.h"

namespace ringmesh::hw {

void PollRhythm::begin(std::span<const PollRequest> places)
{
    places_ = places;
    measured_.assign(places.size(), {});
    next_ = 0;
}

void PollRhythm::looked(std::uint32_t place, Duration takes, Duration until_sees, Duration end)
{
    measured_[place] = {takes, until_sees};
    next_ = place + 1 == measured_.size() ? 0 : place + 1;
    next_start_ = end;
}

PollRhythm::Look PollRhythm::first_to_see(std::uint32_t place, Duration change) const
{
    Duration start = next_start_;
    for (std::uint32_t i = next_; i != place; i = i + 1 == measured_.size() ? 0 : i + 1) start += measured_[i].takes;
    const auto [takes, until_sees] = measured_[place];
    if (const Duration late = change - (start + until_sees); late > Duration::zero()) {
        Duration round = 1_ps;  // of a loop that takes no time
        for (const Measured& look : measured_) round += look.takes;
        if (round > 1_ps) round -= 1_ps;
        start += round * ((late.ps() + round.ps() - 1) / round.ps());
    }
    return {place, start, start + until_sees, start + takes};
}

bool PollRhythm::ended_by(const PollRequest& place, std::span<const std::byte> bytes)
{
    return (number(bytes) == place.value) != place.until_other;
}

std::uint64_t PollRhythm::number(std::span<const std::byte> bytes)
{
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(bytes[i]);
    return value;
}

}  // namespace ringmesh::hw
