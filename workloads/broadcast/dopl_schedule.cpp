// SPDX-License-Identifier: Apache-2.0
#include "workloads/broadcast/dopl_schedule.h"

#include <algorithm>

namespace ringmesh::workloads::broadcast {
namespace {

constexpr std::int64_t kDimensions = 2;

}  // namespace

DoplSchedule::DoplSchedule(DoplGrid grid, unsigned rank, std::int64_t parts, unsigned source)
    : grid_(grid), me_(grid.place(rank)), source_(grid.place(source)), parts_(parts)
{}

DoplRound DoplSchedule::at(std::int64_t round) const
{
    const bool over_rows = round % kDimensions == 0;
    const unsigned length = over_rows ? grid_.rows() : grid_.columns();
    const auto along = [over_rows](DoplGrid::Place& place) -> unsigned& {
        return over_rows ? place.row : place.column;
    };
    const auto moved = [&](DoplGrid::Place place, unsigned by) {
        along(place) = (along(place) + by) % length;
        return place;
    };
    DoplGrid::Place head = me_;
    DoplGrid::Place source = source_;
    along(head) = along(source);
    const bool line_of_source = head == source_;
    const bool is_tail = me_ == moved(head, length - 1);

    DoplRound result{.previous = grid_.rank(moved(me_, length - 1)), .next = grid_.rank(moved(me_, 1))};
    // Parts are numbered from 0; a negative number is none
    const std::int64_t piped = std::max<std::int64_t>(-1, std::min(parts_ - 1, line_of_source ? round : round - 1));
    const std::int64_t wrapped = line_of_source ? -1 : std::max<std::int64_t>(-1, round - kDimensions);
    result.received = piped;
    result.sent = piped;
    if (me_ == head) {
        result.is_head = true;
        result.received = wrapped;
        result.receives_whole = wrapped >= 0;
    } else if (is_tail) {
        result.sent = wrapped;
        result.sends_whole = wrapped >= 0;
    }
    return result;
}

}  // namespace ringmesh::workloads::broadcast
