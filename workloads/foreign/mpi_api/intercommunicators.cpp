// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "workloads/foreign/mpi_api/process.h"

/// Communicators of two groups. Of a collective call each group does its part over a communicator of its own; their
/// ranks 0 speak for them, or each rank with each of the other group where pieces differ.
namespace ringmesh::workloads::mpi_api {
namespace {

/// The members of the other group of those that have one color, by their keys.
Members of_color(const std::vector<std::array<int, 2>>& all, const Members& members, int color)
{
    std::vector<std::pair<int, std::size_t>> chosen;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i][0] == color) chosen.emplace_back(all[i][1], i);
    }
    std::sort(chosen.begin(), chosen.end());
    Members found;
    for (const auto& each : chosen) found.push_back(members[each.second]);
    return found;
}

}  // namespace

void Process::trade(const Comm& inter, ConstPlace mine, Place theirs, const TypePointer& type)
{
    if (inter->rank == 0) exchange(inter, 0, mine, 0, theirs, type);
    const std::int32_t tag = tag_;
    if (theirs.count > 0) {
        bcast(theirs.at, theirs.count, type, 0, inter->local);
    } else {
        barrier(inter->local);
    }
    tag_ = tag;
}

Comm Process::make_inter_of(const Comm& inter, Members local, Members remote)
{
    const std::uint32_t context = agree_on_context(inter);
    const bool is_member = std::find(local.begin(), local.end(), me_) != local.end();
    Comm own = make_communicator(*inter->local, inter->local, local);
    if (!is_member || remote.empty()) return nullptr;
    auto made = std::make_shared<Communicator>();
    made->context = context;
    made->members = std::move(local);
    made->remote = std::move(remote);
    made->rank = own->rank;
    made->local = std::move(own);
    made->handler = inter->handler;
    return made;
}

Comm Process::split_inter(const Comm& inter, int color, int key)
{
    const TypePointer type = predefined_type(MPI_INT);
    const std::array<int, 2> mine{color, key};
    std::vector<std::array<int, 2>> ours(inter->members.size());
    std::vector<std::array<int, 2>> theirs(inter->remote->size());
    std::vector<Place> our_places;
    std::vector<Place> their_places;
    for (auto& each : ours) our_places.push_back({each.data(), each.size()});
    for (auto& each : theirs) their_places.push_back({each.data(), each.size()});
    allgather({mine.data(), mine.size()}, type, our_places, type, inter->local);
    allgather({mine.data(), mine.size()}, type, their_places, type, inter);
    if (color == MPI_UNDEFINED) return make_inter_of(inter, {}, {});
    return make_inter_of(inter, of_color(ours, inter->members, color), of_color(theirs, *inter->remote, color));
}

Comm Process::make_inter(const Comm& local, int leader, const Comm& bridge, int remote_leader, int tag)
{
    const TypePointer type = predefined_type(MPI_UNSIGNED);
    std::vector<unsigned> mine{static_cast<unsigned>(local->members.size()), 0};
    std::vector<unsigned> theirs(2);
    // Of the two leaders' numbers that of the lower group is the new one's
    const std::uint32_t own_context = agree_on_context(local);
    if (local->rank == leader) {
        mine[1] = next_context();
        auto link = std::make_shared<Communicator>(*bridge);
        ++link->context;  // its messages are nobody else's
        tag_ = tag;
        exchange(link, remote_leader, {mine.data(), 2}, remote_leader, {theirs.data(), 2}, type);
        std::vector<unsigned> members(theirs[0]);
        exchange(link, remote_leader, {local->members.data(), local->members.size()}, remote_leader,
                 {members.data(), members.size()}, type);
        theirs.insert(theirs.end(), members.begin(), members.end());
        theirs.push_back(mine[1]);
    }
    begin_collective(local);
    unsigned length = static_cast<unsigned>(theirs.size());
    bcast(&length, 1, type, leader, local);
    theirs.resize(length);
    bcast(theirs.data(), theirs.size(), type, leader, local);
    auto own = std::make_shared<Communicator>();
    own->context = own_context;
    own->members = local->members;
    own->rank = local->rank;
    own->handler = local->handler;
    auto made = std::make_shared<Communicator>();
    made->members = local->members;
    made->rank = local->rank;
    made->handler = local->handler;
    made->remote = Members(theirs.begin() + 2, theirs.end() - 1);
    made->context = is_first_group(made) ? theirs.back() : theirs[1];
    made->local = std::move(own);
    return made;
}

Comm Process::merge(const Comm& inter, bool high)
{
    const TypePointer type = predefined_type(MPI_INT);
    const int mine = high ? 1 : 0;
    int theirs = 0;
    trade(inter, {&mine, 1}, {&theirs, 1}, type);
    const std::uint32_t context = agree_on_context(inter);
    const bool comes_first = mine == theirs ? is_first_group(inter) : mine < theirs;
    auto made = std::make_shared<Communicator>();
    made->context = context;
    made->members = comes_first ? inter->members : *inter->remote;
    const Members& rest = comes_first ? *inter->remote : inter->members;
    made->members.insert(made->members.end(), rest.begin(), rest.end());
    made->rank = made->rank_of(me_);
    made->handler = inter->handler;
    return made;
}

void Process::bcast_inter(void* buffer, std::size_t count, const TypePointer& type, int root, const Comm& inter)
{
    if (root == MPI_PROC_NULL) return;
    if (root == MPI_ROOT) {
        send(inter, 0, buffer, count, type);
        return;
    }
    if (inter->rank == 0) receive(inter, root, buffer, count, type);
    bcast(buffer, count, type, 0, inter->local);
}

void Process::gather_inter(ConstPlace mine, const TypePointer& type, const std::vector<Place>& pieces,
                           const TypePointer& to, int root, const Comm& inter)
{
    if (root == MPI_PROC_NULL) return;
    if (root != MPI_ROOT) {
        send(inter, root, mine.at, mine.count, type);
        return;
    }
    std::vector<Slot> slots;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        slots.push_back({static_cast<int>(i), pieces[i].at, pieces[i].count, to});
    }
    exchange_all({}, slots, inter);
}

void Process::scatter_inter(const std::vector<ConstPlace>& pieces, const TypePointer& type, Place mine,
                            const TypePointer& to, int root, const Comm& inter)
{
    if (root == MPI_PROC_NULL) return;
    if (root != MPI_ROOT) {
        receive(inter, root, mine.at, mine.count, to);
        return;
    }
    std::vector<Piece> all;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        all.push_back({static_cast<int>(i), pieces[i].at, pieces[i].count, type});
    }
    exchange_all(all, {}, inter);
}

void Process::reduce_inter(const void* from, void* into, std::size_t count, const Reduction& how, int root,
                           const Comm& inter)
{
    if (root == MPI_PROC_NULL) return;
    if (root == MPI_ROOT) {
        receive(inter, 0, into, count, how.type);
        return;
    }
    Elements all(*how.type, count);
    reduce(from, all.place(), count, how, 0, inter->local);
    if (inter->rank == 0) send(inter, root, all.place(), count, how.type);
}

void Process::allreduce_inter(const void* from, void* into, std::size_t count, const Reduction& how, const Comm& inter)
{
    Elements all(*how.type, count);
    reduce(from, all.place(), count, how, 0, inter->local);
    trade(inter, {all.place(), count}, {into, count}, how.type);
}

void Process::reduce_scatter_inter(const void* from, void* into, const std::vector<std::size_t>& counts,
                                   const Reduction& how, const Comm& inter)
{
    const std::size_t count = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    Elements mine(*how.type, count);
    Elements theirs(*how.type, count);
    reduce(from, mine.place(), count, how, 0, inter->local);
    std::vector<ConstPlace> pieces;
    if (inter->rank == 0) {
        exchange(inter, 0, {mine.place(), count}, 0, {theirs.place(), count}, how.type);
        const auto* at = static_cast<const std::byte*>(theirs.place());
        for (const std::size_t each : counts) {
            pieces.push_back({at, each});
            at += static_cast<MPI_Aint>(each) * how.type->extent();
        }
    }
    scatter(pieces, how.type, {into, counts[static_cast<std::size_t>(inter->rank)]}, how.type, 0, inter->local, false);
}

}  // namespace ringmesh::workloads::mpi_api
