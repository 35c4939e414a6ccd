// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tlm/machine/processor.h"
#include "tlm/units/units.h"

namespace ringmesh::hw {

/// The schedule of a program's poll loop while nothing changes: which location it would load when. Plain logic: the
/// core simulates the first round of loads, which gives the time of each, and then asks here when to load again.
class PollRhythm {
public:
    struct Look {
        std::uint32_t place = 0;
        Duration start;
        Duration sees;  ///< when it samples the bytes at their owner
        Duration end;
    };

    /// A new poll. @param places outlive it
    void begin(std::span<const PollRequest> places);
    std::span<const PollRequest> places() const { return places_; }
    /// A load without a match is over, and the next one begins at the next location. @pre every location was loaded
    /// once before first_to_see()
    void looked(std::uint32_t place, Duration takes, Duration until_sees, Duration end);
    /// The first load of this location that sees a change at that time.
    Look first_to_see(std::uint32_t place, Duration change) const;

    /// Whether these bytes of a location end the poll.
    static bool ended_by(const PollRequest& place, std::span<const std::byte> bytes);
    /// Bytes as a little-endian number.
    static std::uint64_t number(std::span<const std::byte> bytes);

private:
    struct Measured {
        Duration takes;
        Duration until_sees;
    };
    std::span<const PollRequest> places_;
    std::vector<Measured> measured_;  // per location: the last load
    std::uint32_t next_ = 0;          // the location loaded next
    Duration next_start_;
};

}  // namespace ringmesh::hw
