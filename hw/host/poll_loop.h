// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hw/host/params.h"
#include "hw/memory.h"
#include "tlm/machine/processor.h"

namespace ringmesh::hw {

/// The loop in which a program polls one or several locations in local memory. Plain logic: the processor passes the
/// time.
///
/// Timing: the loop loads one location every `poll_loop` clocks, from the cache, until the line of a location is
/// written. The next load of that location misses and takes `poll_miss`; then the loop sees the current values of all
/// locations, including lines written during the miss.
class PollLoop {
public:
    PollLoop(const HostParams& host, const Memory& memory);

    /// @param phase delay from `time` to the load of the first location: 0 to look()
    void begin(std::span<const PollRequest> places, Duration time, Duration phase);
    /// Time between two loads.
    Duration look() const { return clocks_ * clock_; }
    bool waiting() const { return !places_.empty(); }

    struct Miss {
        Duration from;
        Duration to;
    };
    /// Memory was written. @return the resulting miss, which replaces a later one; empty if no location is touched or
    /// an earlier miss is due
    std::optional<Miss> written(std::uint64_t address, std::size_t size, Duration time);
    /// The miss is over. @return the first location that matches, which ends the loop; empty: it continues
    std::optional<std::uint32_t> look_again(Duration time);
    /// Where it is.
    std::uint64_t found_at() const { return found_at_; }
    /// The first location that matches.
    std::optional<std::uint32_t> found() const;

    std::span<const PollRequest> places() const { return places_; }

private:
    bool matches(const PollRequest& place) const;
    Duration next_look(std::uint64_t address, std::size_t size, Duration time) const;

    const Memory& memory_;
    const std::uint64_t line_;
    const Clock clock_;
    const Cycles clocks_;  // between two loads
    const Duration miss_;
    std::vector<PollRequest> places_;
    std::uint64_t found_at_ = 0;
    Duration first_look_;                        // a load of the first location; the others are whole periods away
    Duration missing_from_ = Duration::never();  // the load that misses; never() while all hit
};

}  // namespace ringmesh::hw
