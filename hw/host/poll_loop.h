// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hw/host/params.h"
#include "hw/memory.h"
#include "tlm/processor_requests.h"

namespace ringmesh::hw {

/// The loop in which a program waits until one of several places in local memory changes. Plain logic: the processor
/// gives it time.
///
/// Timing: the loop looks at one place every `poll_loop` clocks, in the cache, until a line that holds a place is
/// written. The next look at that place misses and takes `poll_miss`; then the loop sees all places as they are. Lines
/// written while a miss is on its way come with it.
class PollLoop {
public:
    PollLoop(const HostParams& host, const Memory& memory);

    /// @param phase how much later than `time` the loop looks at its first place: 0 to one look's time
    void begin(std::span<const PollRequest> places, Duration time, Duration phase);
    /// Time between two looks.
    Duration look() const { return look_; }
    bool waiting() const { return !places_.empty(); }

    struct Miss {
        Duration from;
        Duration to;
    };
    /// Memory was written. @return the miss that this makes, which replaces one that begins later; nothing if it
    /// touches no place or a miss begins no later anyway
    std::optional<Miss> written(std::uint64_t address, std::size_t size, Duration time);
    /// The miss is over. @return the first place that holds what is waited for: the loop has ended; nothing: it goes on
    std::optional<std::uint32_t> look_again(Duration time);
    /// The first place that holds what is waited for.
    std::optional<std::uint32_t> found() const;

    std::span<const PollRequest> places() const { return places_; }

private:
    bool holds(const PollRequest& place) const;
    Duration next_look(std::uint64_t address, std::size_t size, Duration time) const;

    const Memory& memory_;
    const std::uint64_t line_;
    const Duration look_;
    const Duration miss_;
    std::vector<PollRequest> places_;
    Duration first_look_;  // some look at the first place; the others are whole turns and looks away
    Duration missing_from_ = Duration::never();  // the look that misses; never() while all hit
};

}  // namespace ringmesh::hw
