// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace ringmesh::hw {

/// The times at which a link is taken. Packets reserve it before they come. A packet that comes before packets that
/// reserved earlier takes the first gap that is long enough. Only the last few reservations are remembered; there are
/// no gaps before them.
///
/// Mostly a packet looks at 32 bytes of each link on its way, of which there may be more than a cache holds.
class alignas(32) LinkCalendar {
public:
    /// Takes the link for so many cycles, as early as can be. @return the first of them, not before `earliest`
    std::int64_t reserve(std::int64_t earliest, std::int64_t cycles)
    {
        if (earliest < last_.from) return reserve_before(earliest, cycles);
        // Nearly always: behind all others.
        if (earliest <= last_.to) {
            last_.to += cycles;
            return last_.to - cycles;
        }
        if (last_.to > last_.from) remember_last();
        last_ = {earliest, earliest + cycles};
        return earliest;
    }
    /// When a reservation from this time on could begin at the latest.
    std::int64_t free_from() const { return last_.to; }
    /// Cycles from this time on that are taken, or lost because the gaps between them are forgotten.
    std::int64_t taken_from(std::int64_t time) const
    {
        const auto from_then = [time](const Span& span) {
            return std::max<std::int64_t>(0, span.to - std::max(span.from, time));
        };
        std::int64_t sum = std::max<std::int64_t>(0, before(kBefore).to - time) + from_then(last_);
        for (std::size_t i = 0; i < count_; ++i) sum += from_then(before(i));
        return sum;
    }

private:
    static constexpr std::uint32_t kBefore = 7;
    struct Span {
        std::int64_t from = 0;
        std::int64_t to = 0;
    };

    /// The i-th of those before the last. The place behind kBefore of them has the one that was forgotten last: all
    /// before the end of that is taken or past.
    Span& before(std::size_t i) { return before_[(first_ + i) % (kBefore + 1)]; }
    const Span& before(std::size_t i) const { return before_[(first_ + i) % (kBefore + 1)]; }

    /// The oldest one is forgotten if there are too many.
    void remember_last()
    {
        if (count_ == kBefore) forget_first();
        before(count_++) = last_;
    }
    void forget_first()
    {
        first_ = (first_ + 1) % (kBefore + 1);
        --count_;
    }

    [[gnu::noinline]] std::int64_t reserve_before(std::int64_t earliest, std::int64_t cycles)
    {
        std::size_t at = count_ + 1;  // the reservation goes before this one
        std::int64_t start = last_.to;
        for (std::size_t i = count_ + 1; i-- > 0;) {
            const Span& span = i == count_ ? last_ : before(i);
            if (span.from <= earliest) break;
            const std::int64_t begin = std::max(earliest, before(i == 0 ? kBefore : i - 1).to);
            if (begin + cycles > span.from) continue;
            start = begin;
            at = i;
        }
        insert(at, {start, start + cycles});
        return start;
    }

    void insert(std::size_t at, Span span)
    {
        if (at == count_ + 1) {
            last_.to = span.to;
            return;
        }
        Span& next = at == count_ ? last_ : before(at);
        // Neighbours become one.
        if (at > 0 && before(at - 1).to == span.from) {
            before(at - 1).to = span.to;
            if (next.from == span.to) {
                next.from = before(at - 1).from;
                for (std::size_t i = at; i < count_; ++i) before(i - 1) = before(i);
                --count_;
            }
            return;
        }
        if (next.from == span.to) {
            next.from = span.from;
            return;
        }
        if (count_ == kBefore) {
            if (at == 0) {  // into the past before all that is remembered
                before(kBefore) = span;
                return;
            }
            forget_first();
            --at;
        }
        for (std::size_t i = count_; i > at; --i) before(i) = before(i - 1);
        before(at) = span;
        ++count_;
    }

    Span last_;  // empty: there is none yet
    std::uint32_t first_ = 0;
    std::uint32_t count_ = 0;                 // reservations in before_
    std::array<Span, kBefore + 1> before_{};  // a ring, in order, apart from each other and from the last
};

}  // namespace ringmesh::hw
