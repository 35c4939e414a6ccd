// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ringmesh::hw {

/// Events of the next few cycles. It allocates memory only until each place has reached its largest size.
template <class Event>
class CycleWheel {
public:
    /// @param reach how many cycles ahead an event may lie
    explicit CycleWheel(std::int64_t reach) : mask_(size_for(reach) - 1), slots_(size_for(reach)) {}

    /// @param beyond it may lie farther ahead than the wheel reaches: such events are few
    [[gnu::always_inline]] void add(std::int64_t cycle, const Event& event, bool beyond = false)
    {
        if (beyond) [[unlikely]]
            beyond_.push_back({cycle, event});
        else
            at(cycle).push_back(event);
    }
    /// Before the events of a cycle are taken: puts those from beyond the reach before the others.
    void bring(std::int64_t cycle)
    {
        if (!beyond_.empty()) [[unlikely]]
            bring_from_beyond(cycle);
    }
    std::vector<Event>& at(std::int64_t cycle) { return slots_[static_cast<std::size_t>(cycle) & mask_]; }
    void clear(std::int64_t cycle) { at(cycle).clear(); }

    /// The first cycle after this one that has events, when all that lie before it are cleared; INT64_MAX: there is
    /// none.
    std::int64_t next(std::int64_t cycle) const
    {
        std::int64_t next = INT64_MAX;
        for (const Beyond& each : beyond_) next = std::min(next, each.cycle);
        for (std::size_t i = 1; i <= mask_; ++i) {
            if (!slots_[(static_cast<std::size_t>(cycle) + i) & mask_].empty())
                return std::min(next, cycle + static_cast<std::int64_t>(i));
        }
        return next;
    }

private:
    struct Beyond {
        std::int64_t cycle = 0;
        Event event;
    };

    [[gnu::cold]] void bring_from_beyond(std::int64_t cycle)
    {
        const auto due = std::stable_partition(beyond_.begin(), beyond_.end(),
                                               [cycle](const Beyond& each) { return each.cycle != cycle; });
        std::vector<Event> first;
        for (auto each = due; each != beyond_.end(); ++each) first.push_back(each->event);
        beyond_.erase(due, beyond_.end());
        std::vector<Event>& slot = at(cycle);
        slot.insert(slot.begin(), first.begin(), first.end());
    }

    static std::size_t size_for(std::int64_t reach)
    {
        std::size_t size = 2;
        while (size <= static_cast<std::size_t>(reach) + 1) size *= 2;
        return size;
    }

    std::size_t mask_;
    std::vector<std::vector<Event>> slots_;
    std::vector<Beyond> beyond_;
};

}  // namespace ringmesh::hw
