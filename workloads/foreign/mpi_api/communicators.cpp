// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

#include "tlm/error.h"
#include "workloads/foreign/mpi_api/process.h"

namespace ringmesh::workloads::mpi_api {

int Communicator::rank_of(unsigned world) const
{
    const Members& all = peers();
    const auto found = std::find(all.begin(), all.end(), world);
    return found == all.end() ? MPI_UNDEFINED : static_cast<int>(found - all.begin());
}

int Cartesian::rank_of(std::vector<int> coords) const
{
    int rank = 0;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (periods[i] != 0) {
            coords[i] = (coords[i] % dims[i] + dims[i]) % dims[i];
        } else if (coords[i] < 0 || coords[i] >= dims[i]) {
            return MPI_PROC_NULL;
        }
        rank = rank * dims[i] + coords[i];
    }
    return rank;
}

std::vector<int> Cartesian::coords_of(int rank) const
{
    std::vector<int> coords(dims.size());
    for (std::size_t i = dims.size(); i-- > 0;) {
        coords[i] = rank % dims[i];
        rank /= dims[i];
    }
    return coords;
}

std::int64_t Cartesian::size() const
{
    std::int64_t all = 1;
    for (const int each : dims) {
        if (__builtin_mul_overflow(all, each, &all)) return std::numeric_limits<std::int64_t>::max();
    }
    return all;
}

std::vector<int> Graph::neighbours_of(int rank) const
{
    const auto place = static_cast<std::size_t>(rank);
    const int begin = rank == 0 ? 0 : index[place - 1];
    return {edges.begin() + begin, edges.begin() + index[place]};
}

/// Its rank is part of it, so that two ranks never give the same. The lowest are those of the first communicators.
std::uint32_t Process::next_context()
{
    const auto bits = static_cast<unsigned>(std::bit_width(ranks_));
    if (++contexts_ >= (1U << (30U - bits))) {
        throw UserError(fmt::format("rank {} has made {} communicators; there are no more numbers", me_, contexts_));
    }
    return ((contexts_ << bits) | me_) * kContexts;
}

std::uint32_t Process::agree_on_context(const Comm& comm)
{
    std::uint32_t context = 0;
    const TypePointer type = predefined_type(MPI_UNSIGNED);
    if (!comm->is_inter()) {
        if (comm->rank == 0) context = next_context();
        bcast(&context, 1, type, 0, comm);
        return context;
    }
    if (comm->rank == 0) context = next_context();
    std::uint32_t other = 0;
    trade(comm, {&context, 1}, {&other, 1}, type);
    bcast(&context, 1, type, 0, comm->local);
    return is_first_group(comm) ? context : other;
}

Comm Process::make_communicator(const Communicator& of, const Comm& agreed_over, Members members)
{
    const std::uint32_t context = agree_on_context(agreed_over);
    auto made = std::make_shared<Communicator>();
    made->context = context;
    made->members = std::move(members);
    made->handler = of.handler;
    made->rank = made->rank_of(me_);
    return made->rank == MPI_UNDEFINED ? nullptr : made;
}

Comm Process::split(const Comm& comm, int color, int key)
{
    if (comm->is_inter()) return split_inter(comm, color, key);
    std::vector<std::array<int, 2>> all(comm->members.size());
    const std::array<int, 2> mine{color, key};
    const TypePointer type = predefined_type(MPI_INT);
    std::vector<Place> places;
    for (auto& each : all) places.push_back({each.data(), each.size()});
    allgather({mine.data(), mine.size()}, type, places, type, comm);
    std::vector<std::pair<int, int>> chosen;  // key and rank
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        if (color != MPI_UNDEFINED && all[rank][0] == color) chosen.emplace_back(all[rank][1], static_cast<int>(rank));
    }
    std::sort(chosen.begin(), chosen.end());
    Members members;
    for (const auto& each : chosen) members.push_back(comm->members[static_cast<std::size_t>(each.second)]);
    return make_communicator(*comm, comm, std::move(members));
}

Comm Process::duplicate(const Comm& comm, Attributes attributes)
{
    Comm made = comm->is_inter() ? make_inter_of(comm, comm->members, *comm->remote)
                                 : make_communicator(*comm, comm, comm->members);
    made->cartesian = comm->cartesian;
    made->graph = comm->graph;
    made->spread_graph = comm->spread_graph;
    made->info = comm->info;
    made->attributes = std::move(attributes);
    return made;
}

/// They meet in messages of their own, under the tag that the program gives.
Comm Process::make_of_group(const Comm& comm, const Members& members, int tag)
{
    auto group = std::make_shared<Communicator>();
    group->context = comm->context + 1;
    group->members = members;
    group->rank = group->rank_of(me_);
    if (group->rank == MPI_UNDEFINED) return nullptr;
    tag_ = tag;
    return make_communicator(*comm, group, members);
}

Attributes Process::copies_of(const Attributes& attributes, int handle)
{
    Attributes copies;
    for (const auto& [key, value] : attributes) {
        const auto keyval = keyvals.find(key);
        if (!keyval || keyval->copy == nullptr) continue;
        if (keyval->copy == MPI_DUP_FN) {
            copies.emplace_back(key, value);
            continue;
        }
        void* copied = nullptr;
        int flag = 0;
        int code = MPI_SUCCESS;
        code = keyval->copy(handle, key, keyval->extra, value, static_cast<void*>(&copied), &flag);
        if (code != MPI_SUCCESS) throw Failure{code, "the function that copies an attribute failed"};
        if (flag != 0) copies.emplace_back(key, copied);
    }
    return copies;
}

void Process::delete_attribute(Attributes& attributes, int handle, int key)
{
    const auto found =
        std::find_if(attributes.begin(), attributes.end(), [key](const auto& each) { return each.first == key; });
    if (found == attributes.end()) return;
    const auto keyval = keyvals.find(key);
    void* const value = found->second;
    int code = MPI_SUCCESS;
    if (keyval && keyval->remove != nullptr) {
        code = keyval->remove(handle, key, value, keyval->extra);
    }
    if (code != MPI_SUCCESS) throw Failure{code, "the function that deletes an attribute failed"};
    std::erase_if(attributes, [key](const auto& each) { return each.first == key; });
}

void Process::delete_attributes(Attributes& attributes, int handle)
{
    while (!attributes.empty()) delete_attribute(attributes, handle, attributes.back().first);
}

void Process::free(const Comm& comm, MPI_Comm handle)
{
    delete_attributes(comm->attributes, handle);
    communicators.remove(handle);
}

}  // namespace ringmesh::workloads::mpi_api
