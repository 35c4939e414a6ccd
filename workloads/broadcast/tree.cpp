// SPDX-License-Identifier: Apache-2.0
#include "workloads/broadcast/tree.h"

#include <algorithm>

#include "workloads/broadcast/parts.h"

namespace ringmesh::workloads::broadcast {
namespace {

/// What a flag says of the n-th part: never 0, and never what it said of the part before in the same half.
std::uint8_t said(std::uint64_t part) { return static_cast<std::uint8_t>(part / 2 % 255 + 1); }

/// Of numbers from 0, who stand in a tree with `count` others: the two under `number`, if they exist.
std::vector<unsigned> two_under(unsigned number, unsigned count)
{
    std::vector<unsigned> both;
    for (unsigned under = 2 * number + 1; under <= std::min(2 * number + 2, count); ++under) both.push_back(under);
    return both;
}

}  // namespace

TreePlace::TreePlace(unsigned cores, unsigned core, unsigned root, unsigned degree)
{
    const unsigned number = (core + cores - root) % cores;
    const auto children_of = [&](unsigned who) {
        std::vector<unsigned> all;
        for (unsigned i = who * degree + 1; i <= who * degree + degree && i < cores; ++i) {
            all.push_back((i + root) % cores);
        }
        return all;
    };
    children = children_of(number);
    // Among the children of a core: it stands on top as number 0, they below as 1, 2, ...
    for (const unsigned i : two_under(0, static_cast<unsigned>(children.size())))
        tells_children.push_back(children[i - 1]);
    is_root = number == 0;
    if (is_root) return;
    parent = ((number - 1) / degree + root) % cores;
    child_number = (number - 1) % degree;
    const auto siblings = children_of((number - 1) / degree);
    for (const unsigned i : two_under(child_number + 1, static_cast<unsigned>(siblings.size()))) {
        tells.push_back(siblings[i - 1]);
    }
}

TreeBroadcast::TreeBroadcast(rcce::Rcce& rcce, unsigned degree) : rcce_(rcce), degree_(degree)
{
    for (unsigned half = 0; half < 2; ++half) {
        arrived_[half] = rcce.flag_alloc();
        for (unsigned i = 0; i < degree; ++i) fetched_[half].push_back(rcce.flag_alloc());
    }
}

Task<> TreeBroadcast::wait_for_children(const TreePlace& place, std::uint64_t number)
{
    for (std::size_t i = 0; i < place.children.size(); ++i) {
        co_await rcce_.wait_until(fetched_[number % 2][i], said(number));
    }
}

Task<> TreeBroadcast::bcast(Broadcast broadcast)
{
    const TreePlace place(rcce_.num_ues(), rcce_.ue(), broadcast.root, degree_);
    const Cut parts = cut(broadcast.size, broadcast.part);
    const rcce::Copying copying = rcce_.options().ircce_copying();
    const std::uint32_t width = copying.width;
    const bool is_leaf = place.children.empty();
    for (std::int64_t i = 0; i < parts.count; ++i, ++parts_) {
        const auto half = static_cast<std::uint32_t>(parts_ % 2);
        const auto size = static_cast<std::uint32_t>(parts.size(i));
        const std::uint64_t memory = broadcast.buffer + static_cast<std::uint64_t>(parts.offset(i));
        const std::uint64_t here = rcce_.payload(rcce_.ue(), half * broadcast.part);
        const std::uint64_t there = rcce_.payload(place.parent, half * broadcast.part);
        if (!place.is_root) {
            co_await rcce_.wait_until(arrived_[half], said(parts_));
            for (const unsigned sibling : place.tells) co_await rcce_.flag_write(arrived_[half], said(parts_), sibling);
        }
        if (i >= 2) co_await wait_for_children(place, parts_ - 2);
        if (place.is_root) {
            co_await rcce_.put(here, memory, size, copying.put(), width);
        } else {
            const CopyKind kind = is_leaf ? copying.get() : CopyKind::kPlain;
            co_await rcce_.get(is_leaf ? memory : here, there, size, kind, width);
            co_await rcce_.flag_write(fetched_[half][place.child_number], said(parts_), place.parent);
        }
        for (const unsigned child : place.tells_children) {
            co_await rcce_.flag_write(arrived_[half], said(parts_), child);
        }
        if (!is_leaf && !place.is_root) co_await rcce_.get(memory, here, size, copying.get(), width);
    }
    if (parts.count >= 2) co_await wait_for_children(place, parts_ - 2);
    co_await wait_for_children(place, parts_ - 1);
}

}  // namespace ringmesh::workloads::broadcast
