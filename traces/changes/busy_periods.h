// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "tlm/units/units.h"

namespace ringmesh {

/// Sorts busy periods that are reported ahead of time into changes of their slots. Back-to-back periods show no idle
/// between them, and none at all if word and number stay.
class BusyPeriods {
public:
    struct State {
        std::uint32_t word = 0;  ///< 0 is idle
        std::uint64_t id = 0;
        bool operator==(const State&) const = default;
    };

    /// Makes room for the slots below `count`.
    void resize(std::size_t count) { slots_.resize(count); }

    /// @return why the period cannot be: it overlaps one of the same slot, or begins before what has been taken; empty
    /// if it can
    [[nodiscard]] std::string_view report(std::uint32_t slot, Duration from, Duration to, State state)
    {
        if (to < from) return "it ends before it begins";
        if (from < taken_until_) return "that was reported too late";
        if (to != Duration::never()) {
            if (!slots_[slot].reserve(from, to, taken_until_)) return "it overlaps another period";
            if (to == from) return {};
            bucket(to, last_end_).ends.push_back(slot);
        }
        bucket(from, last_begin_).begins.push_back({slot, state});
        return {};
    }

    /// Hands the changes before `end` to `changed(time, slot, state)`, in order of time, then of slots; of one time,
    /// ends take effect before beginnings.
    template <class Changed>
    void take_before(Duration end, Changed changed)
    {
        while (!buckets_.empty() && buckets_.begin()->first < end) {
            const Duration time = buckets_.begin()->first;
            auto node = buckets_.extract(buckets_.begin());
            if (last_end_ == &node.mapped()) last_end_ = nullptr;
            if (last_begin_ == &node.mapped()) last_begin_ = nullptr;
            Bucket& bucket = node.mapped();
            for (const std::uint32_t slot : bucket.ends) slots_[slot].next = {};
            for (const Beginning& beginning : bucket.begins) slots_[beginning.slot].next = beginning.state;
            for (const Beginning& beginning : bucket.begins) bucket.ends.push_back(beginning.slot);
            sort(bucket.ends);
            for (const std::uint32_t number : bucket.ends) {
                Slot& slot = slots_[number];
                if (slot.next == slot.shown) continue;
                slot.shown = slot.next;
                changed(time, number, slot.shown);
            }
            bucket.ends.clear();
            bucket.begins.clear();
            spare_.push_back(std::move(node));
        }
        if (end > taken_until_) taken_until_ = end;
    }

    const State& shown(std::uint32_t slot) const { return slots_[slot].shown; }

private:
    struct Span {
        Duration from;
        Duration to;
    };
    struct Slot {
        /// @return false if it overlaps a period that is not over yet
        bool reserve(Duration from, Duration to, Duration past)
        {
            std::size_t kept = 0;
            for (const Span& span : ahead) {
                if (span.to > past) ahead[kept++] = span;
            }
            ahead.resize(kept);
            for (const Span& span : ahead) {
                if (from < span.to && to > span.from) return false;
            }
            ahead.push_back({from, to});
            return true;
        }

        std::vector<Span> ahead{};  ///< reported and not known to be over
        State shown{};
        State next{};
    };
    struct Beginning {
        std::uint32_t slot;
        State state;
    };
    /// What happens at one time.
    struct Bucket {
        Duration time;
        std::vector<std::uint32_t> ends;
        std::vector<Beginning> begins;
    };
    using Buckets = std::map<Duration, Bucket>;

    /// Most periods begin or end with the one before.
    Bucket& bucket(Duration time, Bucket*& last)
    {
        if (last == nullptr || last->time != time) last = &find_bucket(time);
        return *last;
    }
    Bucket& find_bucket(Duration time);
    /// In rising order; a slot that is there twice may then be there once.
    void sort(std::vector<std::uint32_t>& slots);

    std::vector<Slot> slots_;
    Buckets buckets_;
    std::vector<Buckets::node_type> spare_;
    std::vector<std::uint64_t> marks_;  ///< a bit for each slot, while they are sorted
    Bucket* last_begin_ = nullptr;
    Bucket* last_end_ = nullptr;
    Duration taken_until_;
};

}  // namespace ringmesh
