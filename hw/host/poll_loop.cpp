// SPDX-License-Identifier: Apache-2.0
#include "hw/host/poll_loop.h"

#include <algorithm>
#include <array>

namespace ringmesh::hw {

PollLoop::PollLoop(const HostParams& host, const Memory& memory)
    : memory_(memory),
      line_(static_cast<std::uint64_t>(host.cache_line.count())),
      clock_(host.clock),
      clocks_(host.poll_loop),
      miss_(host.poll_miss)
{}

void PollLoop::begin(std::span<const PollRequest> places, Duration time, Duration phase)
{
    places_.assign(places.begin(), places.end());
    first_look_ = time + phase;
    missing_from_ = Duration::never();
}

std::optional<PollLoop::Miss> PollLoop::written(std::uint64_t address, std::size_t size, Duration time)
{
    const Duration look = next_look(address, size, time);
    if (look >= missing_from_) return std::nullopt;
    missing_from_ = look;
    return Miss{look, look + miss_};
}

std::optional<std::uint32_t> PollLoop::look_again(Duration time)
{
    missing_from_ = Duration::never();
    first_look_ = time;
    const auto place = found();
    if (!place) return place;
    found_at_ = places_[*place].address;
    places_.clear();
    return place;
}

std::optional<std::uint32_t> PollLoop::found() const
{
    for (std::uint32_t i = 0; i < places_.size(); ++i) {
        if (matches(places_[i])) return i;
    }
    return std::nullopt;
}

/// The loop's next load of a location whose line holds some of these bytes; never() if there is none.
Duration PollLoop::next_look(std::uint64_t address, std::size_t size, Duration time) const
{
    const auto turn = static_cast<std::int64_t>(places_.size());
    const std::int64_t clocks = clock_.edge_from(std::max(time, first_look_) - first_look_).count();
    const std::int64_t next = (clocks + clocks_.count() - 1) / clocks_.count();
    Duration soonest = Duration::never();
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const std::uint64_t first = places_[i].address / line_ * line_;
        const std::uint64_t last = (places_[i].address + places_[i].size - 1) / line_ * line_ + line_;
        if (address >= last || address + size <= first) continue;
        auto look = static_cast<std::int64_t>(i);
        if (look < next) look += (next - look + turn - 1) / turn * turn;
        soonest = std::min(soonest, first_look_ + clocks_ * look * clock_);
    }
    return soonest;
}

bool PollLoop::matches(const PollRequest& place) const
{
    std::array<std::byte, 8> bytes{};
    memory_.read(place.address, {bytes.data(), place.size});
    std::uint64_t value = 0;
    for (std::size_t i = place.size; i-- > 0;) value = (value << 8) | std::to_integer<std::uint64_t>(bytes[i]);
    return (value == place.value) != place.until_other;
}

}  // namespace ringmesh::hw
