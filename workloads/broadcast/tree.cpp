// SPDX-License-Identifier: Apache-2.0
#include "workloads/broadcast/tree.h"

#include <algorithm>

#include "workloads/broadcast/parts.h"

namespace ringmesh::workloads::broadcast {
namespace {

/// The flag value for the n-th part: never 0, and never that of the previous part in the same half.
std::uint8_t said(std::uint64_t part) { return static_cast<std::uint8_t>(part / 2 % 255 + 1); }

/// The children of `number` in a binary tree of `count` others, if they exist.
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
    // Binary tree among the children of a core: the core is number 0, its children are 1, 2, ...
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

TreeBroadcast::TreeBroadcast(Rank& rank, unsigned degree) : rank_(rank), memory_(*rank.one_sided()), degree_(degree)
{
    for (unsigned half = 0; half < 2; ++half) {
        arrived_[half] = memory_.create_flag();
        for (unsigned i = 0; i < degree; ++i) fetched_[half].push_back(memory_.create_flag());
    }
}

Task<> TreeBroadcast::wait_for_children(const TreePlace& place, std::uint64_t number)
{
    for (std::size_t i = 0; i < place.children.size(); ++i) {
        co_await memory_.wait_flag(fetched_[number % 2][i], said(number));
    }
}

Task<> TreeBroadcast::bcast(Broadcast broadcast)
{
    const unsigned me = rank_.processor().rank();
    const TreePlace place(broadcast.ranks, me, broadcast.root, degree_);
    const Cut parts = cut(broadcast.size, broadcast.part);
    const bool is_leaf = place.children.empty();
    for (std::int64_t i = 0; i < parts.count; ++i, ++parts_) {
        const auto half = static_cast<std::uint32_t>(parts_ % 2);
        const Part memory = broadcast.at(parts.offset(i), parts.size(i));
        const std::uint32_t offset = half * broadcast.part;
        if (!place.is_root) {
            co_await memory_.wait_flag(arrived_[half], said(parts_));
            for (const unsigned sibling : place.tells) co_await memory_.set_flag(arrived_[half], said(parts_), sibling);
        }
        co_await memory_.begin_message();
        if (i >= 2) co_await wait_for_children(place, parts_ - 2);
        if (place.is_root) {
            co_await memory_.put(memory, me, offset);
        } else {
            if (is_leaf) {
                co_await memory_.get(memory, place.parent, offset);
            } else {
                co_await memory_.fetch(place.parent, offset, memory.size);
            }
            co_await memory_.set_flag(fetched_[half][place.child_number], said(parts_), place.parent);
        }
        for (const unsigned child : place.tells_children) {
            co_await memory_.set_flag(arrived_[half], said(parts_), child);
        }
        if (!is_leaf && !place.is_root) co_await memory_.get(memory, me, offset);
    }
    if (parts.count >= 2) co_await wait_for_children(place, parts_ - 2);
    co_await wait_for_children(place, parts_ - 1);
}

}  // namespace ringmesh::workloads::broadcast
