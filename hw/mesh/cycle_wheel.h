// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ringmesh::hw {

/// What is to happen in the next few cycles. Nothing allocates once each place has been as full as it gets.
template <class Event>
class CycleWheel {
public:
    /// @param reach how many cycles ahead an event may lie
    explicit CycleWheel(std::int64_t reach) : mask_(size_for(reach) - 1), slots_(size_for(reach)) {}

    void add(std::int64_t cycle, const Event& event) { at(cycle).push_back(event); }
    std::vector<Event>& at(std::int64_t cycle) { return slots_[static_cast<std::size_t>(cycle) & mask_]; }
    void clear(std::int64_t cycle) { at(cycle).clear(); }

    /// The first cycle after this one that has events, when all that lie before it are cleared; INT64_MAX: there is
    /// none.
    std::int64_t next(std::int64_t cycle) const
    {
        for (std::size_t i = 1; i <= mask_; ++i) {
            if (!slots_[(static_cast<std::size_t>(cycle) + i) & mask_].empty())
                return cycle + static_cast<std::int64_t>(i);
        }
        return INT64_MAX;
    }

private:
    static std::size_t size_for(std::int64_t reach)
    {
        std::size_t size = 2;
        while (size <= static_cast<std::size_t>(reach) + 1) size *= 2;
        return size;
    }

    std::size_t mask_;
    std::vector<std::vector<Event>> slots_;
};

}  // namespace ringmesh::hw
