// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tlm/processor_requests.h"
#include "tlm/units.h"

namespace ringmesh::hw {

/// When the loop in which a program polls would look at which place, if nobody stopped it while nothing changes. Plain
/// logic: the core makes the first round of looks, which tells how long each takes, and then asks here when to look
/// again.
class PollRhythm {
public:
    struct Look {
        std::uint32_t place = 0;
        Duration start;
        Duration sees;  ///< when it meets the bytes where they are
        Duration end;
    };

    /// A new poll. @param places outlive it
    void begin(std::span<const PollRequest> places);
    std::span<const PollRequest> places() const { return places_; }
    /// A look that was in vain is over, and the next one begins at the next place. @pre every place was looked at
    /// before a later look is asked for
    void looked(std::uint32_t place, Duration takes, Duration until_sees, Duration end);
    /// The first look at this place that sees what changed at that time.
    Look first_to_see(std::uint32_t place, Duration change) const;

    /// Whether these bytes of a place end the poll.
    static bool ended_by(const PollRequest& place, std::span<const std::byte> bytes);
    /// Bytes as the number that they are, little endian.
    static std::uint64_t number(std::span<const std::byte> bytes);

private:
    struct Measured {
        Duration takes;
        Duration until_sees;
    };
    std::span<const PollRequest> places_;
    std::vector<Measured> measured_;  // per place: the last look
    std::uint32_t next_ = 0;          // the place that is looked at next
    Duration next_start_;
};

}  // namespace ringmesh::hw
