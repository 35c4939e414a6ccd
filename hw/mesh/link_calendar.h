// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace ringmesh::hw {

/// When a link is taken, by packets that reserve it ahead of their coming. One that comes earlier than others that have
/// reserved before it goes into the first gap that is long enough. Only the last few reservations are remembered; there
/// are no gaps before them.
class LinkCalendar {
public:
    /// Takes the link for so many cycles, as early as can be. @return the first of them, not before `earliest`
    std::int64_t reserve(std::int64_t earliest, std::int64_t cycles)
    {
        std::size_t at = count_;  // the reservation goes before this one
        std::int64_t start = std::max(earliest, count_ == 0 ? closed_ : spans_[count_ - 1].to);
        // Backwards, because nearly all go behind the last one.
        for (std::size_t i = count_; i-- > 0 && spans_[i].from > earliest;) {
            const std::int64_t begin = std::max(earliest, i == 0 ? closed_ : spans_[i - 1].to);
            if (begin + cycles > spans_[i].from) continue;
            start = begin;
            at = i;
        }
        insert(at, {start, start + cycles});
        return start;
    }
    /// When a reservation from this time on could begin at the latest.
    std::int64_t free_from() const { return count_ == 0 ? closed_ : spans_[count_ - 1].to; }

private:
    static constexpr std::size_t kSpans = 8;
    struct Span {
        std::int64_t from = 0;
        std::int64_t to = 0;
    };

    void insert(std::size_t at, Span span)
    {
        // Neighbours become one.
        if (at > 0 && spans_[at - 1].to == span.from) {
            spans_[at - 1].to = span.to;
            if (at < count_ && spans_[at].from == span.to) {
                spans_[at - 1].to = spans_[at].to;
                erase(at);
            }
            return;
        }
        if (at < count_ && spans_[at].from == span.to) {
            spans_[at].from = span.from;
            return;
        }
        if (count_ == kSpans) {
            if (at == 0) {  // into the past before all that is remembered
                closed_ = span.to;
                return;
            }
            closed_ = spans_[0].to;
            erase(0);
            --at;
        }
        std::copy_backward(spans_.begin() + static_cast<std::ptrdiff_t>(at),
                           spans_.begin() + static_cast<std::ptrdiff_t>(count_),
                           spans_.begin() + static_cast<std::ptrdiff_t>(count_ + 1));
        spans_[at] = span;
        ++count_;
    }
    void erase(std::size_t at)
    {
        std::copy(spans_.begin() + static_cast<std::ptrdiff_t>(at + 1),
                  spans_.begin() + static_cast<std::ptrdiff_t>(count_),
                  spans_.begin() + static_cast<std::ptrdiff_t>(at));
        --count_;
    }

    std::array<Span, kSpans> spans_{};  // in order, apart from each other
    std::size_t count_ = 0;
    std::int64_t closed_ = 0;  // all before this time is taken or past
};

}  // namespace ringmesh::hw
