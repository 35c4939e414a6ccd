// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include "workloads/mpi_api/process.h"

namespace ringmesh::workloads::mpi_api {
namespace {

/// A communicator has two: of messages and of collective calls.
constexpr std::uint32_t kContexts = 2;

}  // namespace

int Communicator::rank_of(unsigned world) const
{
    const auto found = std::find(members.begin(), members.end(), world);
    return found == members.end() ? MPI_UNDEFINED : static_cast<int>(found - members.begin());
}

void* const* Communicator::attribute(int key) const
{
    for (const auto& each : attributes) {
        if (each.first == key) return &each.second;
    }
    return nullptr;
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

int Cartesian::size() const
{
    int all = 1;
    for (const int each : dims) all *= each;
    return all;
}

std::uint32_t Process::agree_on_context(const Comm& comm)
{
    static const auto highest = std::make_shared<const Operation>(Operation{.predefined = MPI_MAX});
    const Reduction how{.handle = MPI_UNSIGNED, .type = predefined_type(MPI_UNSIGNED), .op = highest};
    std::uint32_t context = 0;
    allreduce(&next_context_, &context, 1, how, comm);
    next_context_ = context + kContexts;
    return context;
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
    std::vector<std::array<int, 2>> all(comm->members.size());
    const std::array<int, 2> mine{color, key};
    const TypePointer type = predefined_type(MPI_INT);
    std::vector<Place> places;
    for (auto& each : all) places.push_back({each.data(), each.size()});
    allgather({mine.data(), mine.size()}, type, places, type, comm, true);
    std::vector<std::pair<int, int>> chosen;  // key and rank
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        if (color != MPI_UNDEFINED && all[rank][0] == color) chosen.emplace_back(all[rank][1], static_cast<int>(rank));
    }
    std::sort(chosen.begin(), chosen.end());
    Members members;
    for (const auto& each : chosen) members.push_back(comm->members[static_cast<std::size_t>(each.second)]);
    return make_communicator(*comm, comm, std::move(members));
}

Comm Process::duplicate(const Comm& comm, MPI_Comm handle)
{
    Comm made = make_communicator(*comm, comm, comm->members);
    made->cartesian = comm->cartesian;
    for (const auto& [key, value] : comm->attributes) {
        const auto keyval = keyvals.find(key);
        if (!keyval || keyval->copy == nullptr) continue;
        if (keyval->copy == MPI_DUP_FN) {
            made->attributes.emplace_back(key, value);
            continue;
        }
        void* copied = nullptr;
        int flag = 0;
        const int code = keyval->copy(handle, key, keyval->extra, value, static_cast<void*>(&copied), &flag);
        if (code != MPI_SUCCESS) throw Failure{code, "the function that copies an attribute failed"};
        if (flag != 0) made->attributes.emplace_back(key, copied);
    }
    return made;
}

void Process::delete_attribute(Communicator& comm, MPI_Comm handle, int key)
{
    void* const* const found = comm.attribute(key);
    if (found == nullptr) return;
    const auto keyval = keyvals.find(key);
    void* const value = *found;
    int code = MPI_SUCCESS;
    if (keyval && keyval->remove != nullptr) {
        code = keyval->remove(handle, key, value, keyval->extra);
    }
    if (code != MPI_SUCCESS) throw Failure{code, "the function that deletes an attribute failed"};
    std::erase_if(comm.attributes, [key](const auto& each) { return each.first == key; });
}

void Process::free(const Comm& comm, MPI_Comm handle)
{
    while (!comm->attributes.empty()) delete_attribute(*comm, handle, comm->attributes.back().first);
    communicators.remove(handle);
}

}  // namespace ringmesh::workloads::mpi_api
