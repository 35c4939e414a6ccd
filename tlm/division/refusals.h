// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "tlm/division/division.h"

namespace ringmesh {

/// Counts refusals in a row over all processes of a divided run, as one process would: what anyone accepts ends the
/// row. It finds too many at the end of the window in which they were reached; what the message tells of the blocks is
/// of then. Work that makes refusals harmless (Simulation::works_until) does so for all of its window.
class Refusals final : public Crossing {
public:
    /// Throws in process 0; all processes call it. @param at the time of the refusal that was one too many
    using TooMany = std::function<void(Duration at)>;

    /// @param limit more than fit into one window; it may still change until the run, which it outlives
    Refusals(Division& division, const std::uint64_t& limit, TooMany too_many);

    void refused(Duration at) { refused_.push_back(at); }
    void works_until(Duration end) { works_until_ = std::max(works_until_, end); }
    void accepted(Duration at)
    {
        if (first_accepted_ == Duration::never()) first_accepted_ = at;
        last_accepted_ = at;
    }

private:
    Duration give(std::vector<Parcel>& to) override;
    void take(Parcel& parcel) override;
    void taken(Duration end) override;

    const std::uint64_t& limit_;
    const TooMany too_many_;
    std::uint64_t in_a_row_ = 0;
    // Of this process until they are given, then of all in one window
    std::vector<Duration> refused_;
    Duration first_accepted_ = Duration::never();
    Duration last_accepted_;
    Duration works_until_;  // of all, after a window
};

}  // namespace ringmesh
