// SPDX-License-Identifier: Apache-2.0
#include "workloads/foreign/calls/calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace ringmesh::workloads::foreign {
namespace {

template <class PlaceType, class Buffer>
std::vector<PlaceType> places_of(const Communicator& comm, Buffer* buffer, const int* counts, int count,
                                 const int* begins, const Type& type)
{
    std::vector<PlaceType> all;
    for (int i = 0; i < comm.peer_count(); ++i) {
        const int elements = counts == nullptr ? count : counts[i];
        const std::ptrdiff_t begin =
            begins == nullptr ? static_cast<std::ptrdiff_t>(i) * count : static_cast<std::ptrdiff_t>(begins[i]);
        all.push_back({at(buffer, begin, type), count_of(elements)});
    }
    return all;
}

int gather(const Collective& what, const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
           const int* counts, int count, const int* begins, MPI_Datatype recvtype)
{
    return collective(what, [&](Process& process, const Comm& comm) -> Work {
        if (what.root == MPI_PROC_NULL) return [] {};
        const bool is_root = comm->is_inter() ? what.root == MPI_ROOT : comm->rank == what.root;
        const int root = what.root;
        const TypePointer to = is_root ? type_of(process, recvtype) : nullptr;
        const bool has_own = sendbuf != MPI_IN_PLACE && what.root != MPI_ROOT;
        const TypePointer type = has_own ? type_of(process, sendtype) : to;
        const std::size_t own = has_own ? count_of(sendcount) : 0;
        std::vector<Process::Place> places;
        if (is_root) places = places_of<Process::Place>(*comm, recvbuf, counts, count, begins, *to);
        const bool is_regular = counts == nullptr;
        return [=, &process] { process.gather({sendbuf, own}, type, places, to, root, comm, is_regular); };
    });
}

int scatter(const Collective& what, const void* sendbuf, const int* counts, int count, const int* begins,
            MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype)
{
    return collective(what, [&](Process& process, const Comm& comm) -> Work {
        if (what.root == MPI_PROC_NULL) return [] {};
        const bool is_root = comm->is_inter() ? what.root == MPI_ROOT : comm->rank == what.root;
        const int root = what.root;
        const TypePointer type = is_root ? type_of(process, sendtype) : nullptr;
        const bool has_own = recvbuf != MPI_IN_PLACE && what.root != MPI_ROOT;
        const TypePointer to = has_own ? type_of(process, recvtype) : type;
        const std::size_t own = has_own ? count_of(recvcount) : 0;
        std::vector<Process::ConstPlace> places;
        if (is_root) places = places_of<Process::ConstPlace>(*comm, sendbuf, counts, count, begins, *type);
        const bool is_regular = counts == nullptr;
        return [=, &process] { process.scatter(places, type, {recvbuf, own}, to, root, comm, is_regular); };
    });
}

int allgather(const Collective& what, const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              const int* counts, int count, const int* begins, MPI_Datatype recvtype)
{
    return collective(what, [&](Process& process, const Comm& comm) -> Work {
        const TypePointer to = type_of(process, recvtype);
        const TypePointer type = sendbuf == MPI_IN_PLACE ? to : type_of(process, sendtype);
        const std::size_t own = sendbuf == MPI_IN_PLACE ? 0 : count_of(sendcount);
        const auto pieces = places_of<Process::Place>(*comm, recvbuf, counts, count, begins, *to);
        return [=, &process] { process.allgather({sendbuf, own}, type, pieces, to, comm); };
    });
}

int alltoall(const Collective& what, const Pieces& out, const Places& in)
{
    return collective(what, [&](Process& process, const Comm& comm) -> Work {
        const TypePointer to = type_of(process, in.type);
        const auto places = places_of<Process::Place>(*comm, in.into, in.counts, in.count, in.begins, *to);
        const bool is_regular = in.counts == nullptr;
        if (out.from != MPI_IN_PLACE) {
            const TypePointer type = type_of(process, out.type);
            const auto pieces =
                places_of<Process::ConstPlace>(*comm, out.from, out.counts, out.count, out.begins, *type);
            return [=, &process] { process.alltoall(pieces, type, places, to, comm, is_regular); };
        }
        return [=, &process] {
            // What is there goes out from a copy
            std::vector<std::unique_ptr<Elements>> copies;
            std::vector<Process::ConstPlace> pieces;
            for (const Process::Place& place : places) {
                copies.push_back(std::make_unique<Elements>(*to, place.count, place.at));
                pieces.push_back({copies.back()->place(), place.count});
            }
            process.alltoall(pieces, to, places, to, comm, is_regular);
        };
    });
}

/// Of types of their own, at places in bytes.
template <class Index>
struct TypedPieces {
    const void* from;
    const int* counts;
    const Index* begins;
    const MPI_Datatype* types;
};
template <class Index>
struct TypedPlaces {
    void* into;
    const int* counts;
    const Index* begins;
    const MPI_Datatype* types;
};

template <class Index>
Process::Piece piece_of(Process& process, const TypedPieces<Index>& all, std::size_t i, int peer)
{
    return {peer, shifted(all.from, all.begins[i]), count_of(all.counts[i]), type_of(process, all.types[i])};
}

template <class Index>
Process::Slot slot_of(Process& process, const TypedPlaces<Index>& all, std::size_t i, int peer)
{
    return {peer, shifted(all.into, all.begins[i]), count_of(all.counts[i]), type_of(process, all.types[i])};
}

int alltoallw(const Collective& what, const TypedPieces<int>& out, const TypedPlaces<int>& in)
{
    return collective(what, [&](Process& process, const Comm& comm) -> Work {
        std::vector<Process::Piece> pieces;
        std::vector<Process::Slot> slots;
        for (int peer = 0; peer < comm->peer_count(); ++peer) {
            const auto i = static_cast<std::size_t>(peer);
            slots.push_back(slot_of(process, in, i, peer));
            if (out.from != MPI_IN_PLACE) pieces.push_back(piece_of(process, out, i, peer));
        }
        if (out.from != MPI_IN_PLACE) return [=, &process] { process.alltoallw(pieces, slots, comm); };
        return [=, &process] {
            std::vector<std::unique_ptr<Elements>> copies;
            std::vector<Process::Piece> copied;
            for (const Process::Slot& slot : slots) {
                copies.push_back(std::make_unique<Elements>(*slot.type, slot.count, slot.at));
                copied.push_back({slot.peer, copies.back()->place(), slot.count, slot.type});
            }
            process.alltoallw(copied, slots, comm);
        };
    });
}

int barrier(const Collective& what)
{
    return collective(
        what, [](Process& process, const Comm& comm) -> Work { return [&process, comm] { process.barrier(comm); }; });
}

int bcast(const Collective& what, void* buf, int count, MPI_Datatype type)
{
    return collective(what, [&](Process& process, const Comm& comm) -> Work {
        if (what.root == MPI_PROC_NULL) return [] {};
        const TypePointer elements = type_of(process, type);
        const std::size_t all = count_of(count);
        const int root = what.root;
        return [=, &process] { process.bcast(buf, all, elements, root, comm); };
    });
}

Process::Reduction reduction_of(Process& process, MPI_Datatype type, MPI_Op op)
{
    Process::Reduction how{.handle = type, .type = type_of(process, type), .op = operation_of(process, op)};
    if (how.op->function == nullptr) require_defined(how.op->predefined, how.type->basic);
    return how;
}

int reduce(const Collective& what, const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op)
{
    return collective(what, [&](Process& process, const Comm& comm) -> Work {
        if (what.root == MPI_PROC_NULL) return [] {};
        const auto how = reduction_of(process, type, op);
        const std::size_t all = count_of(count);
        const int root = what.root;
        return [=, &process] { process.reduce(sendbuf, recvbuf, all, how, root, comm); };
    });
}

int allreduce(const Collective& what, const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op)
{
    return collective(what, [&](Process& process, const Comm& comm) -> Work {
        const auto how = reduction_of(process, type, op);
        const std::size_t all = count_of(count);
        return [=, &process] { process.allreduce(sendbuf, recvbuf, all, how, comm); };
    });
}

/// @param counts null: count for each
int reduce_scatter(const Collective& what, const void* sendbuf, void* recvbuf, const int* counts, int count,
                   MPI_Datatype type, MPI_Op op)
{
    return collective(what, [&](Process& process, const Comm& comm) -> Work {
        std::vector<std::size_t> all;
        for (int i = 0; i < comm->size(); ++i) all.push_back(count_of(counts == nullptr ? count : counts[i]));
        const auto how = reduction_of(process, type, op);
        return [=, &process] { process.reduce_scatter(sendbuf, recvbuf, all, how, comm); };
    });
}

int scan(const Collective& what, const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
         bool exclusive)
{
    return collective(what, [&](Process& process, const Comm& comm) -> Work {
        if (comm->is_inter()) throw Failure{MPI_ERR_COMM, "a communicator of two groups"};
        const auto how = reduction_of(process, type, op);
        const std::size_t all = count_of(count);
        return [=, &process] { process.scan(sendbuf, recvbuf, all, how, comm, exclusive); };
    });
}

constexpr int kNoCount = 0;  // where only the root has counts

/// In the order of their pieces.
struct Neighbours {
    std::vector<int> sources;
    std::vector<int> destinations;
    std::vector<std::size_t> order;  ///< in which messages of one source come
};

Neighbours neighbours_of(const Communicator& comm)
{
    Neighbours all;
    if (comm.cartesian) {
        for (std::size_t i = 0; i < comm.cartesian->dims.size(); ++i) {
            for (const int step : {-1, 1}) {
                std::vector<int> coords = comm.cartesian->coords_of(comm.rank);
                coords[i] += step;
                all.sources.push_back(comm.cartesian->rank_of(coords));
            }
            // What one sends below, to me above it, it sends first
            all.order.push_back(2 * i + 1);
            all.order.push_back(2 * i);
        }
        all.destinations = all.sources;
        return all;
    }
    if (comm.graph) {
        all.sources = all.destinations = comm.graph->neighbours_of(comm.rank);
    } else if (comm.spread_graph) {
        all.sources = comm.spread_graph->sources;
        all.destinations = comm.spread_graph->destinations;
    } else {
        throw Failure{MPI_ERR_TOPOLOGY, "a communicator without neighbors"};
    }
    for (std::size_t i = 0; i < all.sources.size(); ++i) all.order.push_back(i);
    return all;
}

int neighbours_exchange(const Collective& what, const std::function<Process::Piece(Process&, std::size_t, int)>& piece,
                        const std::function<Process::Slot(Process&, std::size_t, int)>& slot)
{
    return collective(what, [&](Process& process, const Comm& comm) -> Work {
        const Neighbours all = neighbours_of(*comm);
        std::vector<Process::Piece> pieces;
        std::vector<Process::Slot> slots;
        for (std::size_t i = 0; i < all.destinations.size(); ++i) {
            pieces.push_back(piece(process, i, all.destinations[i]));
        }
        for (const std::size_t i : all.order) slots.push_back(slot(process, i, all.sources[i]));
        return [=, &process] { process.exchange_all(pieces, slots, comm); };
    });
}

Process::Slot plain_slot(Process& process, const Places& in, std::size_t i, int peer)
{
    const TypePointer type = type_of(process, in.type);
    const int count = in.counts == nullptr ? in.count : in.counts[i];
    const auto begin = in.begins == nullptr ? static_cast<std::ptrdiff_t>(i) * count : in.begins[i];
    return {peer, at(in.into, begin, *type), count_of(count), type};
}

Process::Piece plain_piece(Process& process, const Pieces& out, std::size_t i, int peer)
{
    const TypePointer type = type_of(process, out.type);
    const int count = out.counts == nullptr ? out.count : out.counts[i];
    const auto begin = out.begins == nullptr ? static_cast<std::ptrdiff_t>(i) * count : out.begins[i];
    return {peer, at(out.from, begin, *type), count_of(count), type};
}

int neighbours_gather(const Collective& what, const void* sendbuf, int count, MPI_Datatype type, const Places& in)
{
    return neighbours_exchange(
        what,
        [&](Process& process, std::size_t, int peer) -> Process::Piece {
            return {peer, sendbuf, count_of(count), type_of(process, type)};
        },
        [&](Process& process, std::size_t i, int peer) { return plain_slot(process, in, i, peer); });
}

int neighbours_alltoall(const Collective& what, const Pieces& out, const Places& in)
{
    return neighbours_exchange(
        what, [&](Process& process, std::size_t i, int peer) { return plain_piece(process, out, i, peer); },
        [&](Process& process, std::size_t i, int peer) { return plain_slot(process, in, i, peer); });
}

int neighbours_alltoallw(const Collective& what, const TypedPieces<MPI_Aint>& out, const TypedPlaces<MPI_Aint>& in)
{
    return neighbours_exchange(
        what, [&](Process& process, std::size_t i, int peer) { return piece_of(process, out, i, peer); },
        [&](Process& process, std::size_t i, int peer) { return slot_of(process, in, i, peer); });
}

}  // namespace

namespace calls {

int MPI_Barrier(MPI_Comm comm) { return barrier({"MPI_Barrier", comm}); }
int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) { return barrier({"MPI_Ibarrier", comm, kNoRoot, request}); }
int MPI_Barrier_init(MPI_Comm comm, MPI_Info, MPI_Request* request)
{
    return barrier({"MPI_Barrier_init", comm, kNoRoot, request, true});
}
int MPI_Bcast(void* buf, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return bcast({"MPI_Bcast", comm, root}, buf, count, type);
}
int MPI_Ibcast(void* buf, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request)
{
    return bcast({"MPI_Ibcast", comm, root, request}, buf, count, type);
}
int MPI_Bcast_init(void* buf, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Info, MPI_Request* request)
{
    return bcast({"MPI_Bcast_init", comm, root, request, true}, buf, count, type);
}
int MPI_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
               MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    return gather({"MPI_Gather", comm, root}, sendbuf, sendcount, sendtype, recvbuf, nullptr, recvcount, nullptr,
                  recvtype);
}
int MPI_Igather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request)
{
    return gather({"MPI_Igather", comm, root, request}, sendbuf, sendcount, sendtype, recvbuf, nullptr, recvcount,
                  nullptr, recvtype);
}
int MPI_Gather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                    MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info, MPI_Request* request)
{
    return gather({"MPI_Gather_init", comm, root, request, true}, sendbuf, sendcount, sendtype, recvbuf, nullptr,
                  recvcount, nullptr, recvtype);
}
int MPI_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
                const int* places, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    return gather({"MPI_Gatherv", comm, root}, sendbuf, sendcount, sendtype, recvbuf,
                  recvcounts == nullptr ? &kNoCount : recvcounts, 0, places, recvtype);
}
int MPI_Igatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
                 const int* places, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request)
{
    return gather({"MPI_Igatherv", comm, root, request}, sendbuf, sendcount, sendtype, recvbuf,
                  recvcounts == nullptr ? &kNoCount : recvcounts, 0, places, recvtype);
}
int MPI_Gatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
                     const int* places, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info, MPI_Request* request)
{
    return gather({"MPI_Gatherv_init", comm, root, request, true}, sendbuf, sendcount, sendtype, recvbuf,
                  recvcounts == nullptr ? &kNoCount : recvcounts, 0, places, recvtype);
}
int MPI_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    return scatter({"MPI_Scatter", comm, root}, sendbuf, nullptr, sendcount, nullptr, sendtype, recvbuf, recvcount,
                   recvtype);
}
int MPI_Iscatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request)
{
    return scatter({"MPI_Iscatter", comm, root, request}, sendbuf, nullptr, sendcount, nullptr, sendtype, recvbuf,
                   recvcount, recvtype);
}
int MPI_Scatter_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                     MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info, MPI_Request* request)
{
    return scatter({"MPI_Scatter_init", comm, root, request, true}, sendbuf, nullptr, sendcount, nullptr, sendtype,
                   recvbuf, recvcount, recvtype);
}
int MPI_Scatterv(const void* sendbuf, const int* sendcounts, const int* places, MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    return scatter({"MPI_Scatterv", comm, root}, sendbuf, sendcounts == nullptr ? &kNoCount : sendcounts, 0, places,
                   sendtype, recvbuf, recvcount, recvtype);
}
int MPI_Iscatterv(const void* sendbuf, const int* sendcounts, const int* places, MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request)
{
    return scatter({"MPI_Iscatterv", comm, root, request}, sendbuf, sendcounts == nullptr ? &kNoCount : sendcounts, 0,
                   places, sendtype, recvbuf, recvcount, recvtype);
}
int MPI_Scatterv_init(const void* sendbuf, const int* sendcounts, const int* places, MPI_Datatype sendtype,
                      void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info,
                      MPI_Request* request)
{
    return scatter({"MPI_Scatterv_init", comm, root, request, true}, sendbuf,
                   sendcounts == nullptr ? &kNoCount : sendcounts, 0, places, sendtype, recvbuf, recvcount, recvtype);
}
int MPI_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm)
{
    return allgather({"MPI_Allgather", comm}, sendbuf, sendcount, sendtype, recvbuf, nullptr, recvcount, nullptr,
                     recvtype);
}
int MPI_Iallgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request)
{
    return allgather({"MPI_Iallgather", comm, kNoRoot, request}, sendbuf, sendcount, sendtype, recvbuf, nullptr,
                     recvcount, nullptr, recvtype);
}
int MPI_Allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                       MPI_Datatype recvtype, MPI_Comm comm, MPI_Info, MPI_Request* request)
{
    return allgather({"MPI_Allgather_init", comm, kNoRoot, request, true}, sendbuf, sendcount, sendtype, recvbuf,
                     nullptr, recvcount, nullptr, recvtype);
}
int MPI_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
                   const int* places, MPI_Datatype recvtype, MPI_Comm comm)
{
    return allgather({"MPI_Allgatherv", comm}, sendbuf, sendcount, sendtype, recvbuf, recvcounts, 0, places, recvtype);
}
int MPI_Iallgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
                    const int* places, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request)
{
    return allgather({"MPI_Iallgatherv", comm, kNoRoot, request}, sendbuf, sendcount, sendtype, recvbuf, recvcounts, 0,
                     places, recvtype);
}
int MPI_Allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
                        const int* places, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info, MPI_Request* request)
{
    return allgather({"MPI_Allgatherv_init", comm, kNoRoot, request, true}, sendbuf, sendcount, sendtype, recvbuf,
                     recvcounts, 0, places, recvtype);
}
int MPI_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                 MPI_Datatype recvtype, MPI_Comm comm)
{
    return alltoall({"MPI_Alltoall", comm}, {sendbuf, nullptr, sendcount, nullptr, sendtype},
                    {recvbuf, nullptr, recvcount, nullptr, recvtype});
}
int MPI_Ialltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request)
{
    return alltoall({"MPI_Ialltoall", comm, kNoRoot, request}, {sendbuf, nullptr, sendcount, nullptr, sendtype},
                    {recvbuf, nullptr, recvcount, nullptr, recvtype});
}
int MPI_Alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                      MPI_Datatype recvtype, MPI_Comm comm, MPI_Info, MPI_Request* request)
{
    return alltoall({"MPI_Alltoall_init", comm, kNoRoot, request, true},
                    {sendbuf, nullptr, sendcount, nullptr, sendtype}, {recvbuf, nullptr, recvcount, nullptr, recvtype});
}
int MPI_Alltoallv(const void* sendbuf, const int* sendcounts, const int* sendplaces, MPI_Datatype sendtype,
                  void* recvbuf, const int* recvcounts, const int* recvplaces, MPI_Datatype recvtype, MPI_Comm comm)
{
    return alltoall({"MPI_Alltoallv", comm}, {sendbuf, sendcounts, 0, sendplaces, sendtype},
                    {recvbuf, recvcounts, 0, recvplaces, recvtype});
}
int MPI_Ialltoallv(const void* sendbuf, const int* sendcounts, const int* sendplaces, MPI_Datatype sendtype,
                   void* recvbuf, const int* recvcounts, const int* recvplaces, MPI_Datatype recvtype, MPI_Comm comm,
                   MPI_Request* request)
{
    return alltoall({"MPI_Ialltoallv", comm, kNoRoot, request}, {sendbuf, sendcounts, 0, sendplaces, sendtype},
                    {recvbuf, recvcounts, 0, recvplaces, recvtype});
}
int MPI_Alltoallv_init(const void* sendbuf, const int* sendcounts, const int* sendplaces, MPI_Datatype sendtype,
                       void* recvbuf, const int* recvcounts, const int* recvplaces, MPI_Datatype recvtype,
                       MPI_Comm comm, MPI_Info, MPI_Request* request)
{
    return alltoall({"MPI_Alltoallv_init", comm, kNoRoot, request, true},
                    {sendbuf, sendcounts, 0, sendplaces, sendtype}, {recvbuf, recvcounts, 0, recvplaces, recvtype});
}
int MPI_Alltoallw(const void* sendbuf, const int* sendcounts, const int* sendplaces, const MPI_Datatype* sendtypes,
                  void* recvbuf, const int* recvcounts, const int* recvplaces, const MPI_Datatype* recvtypes,
                  MPI_Comm comm)
{
    return alltoallw({"MPI_Alltoallw", comm}, {sendbuf, sendcounts, sendplaces, sendtypes},
                     {recvbuf, recvcounts, recvplaces, recvtypes});
}
int MPI_Ialltoallw(const void* sendbuf, const int* sendcounts, const int* sendplaces, const MPI_Datatype* sendtypes,
                   void* recvbuf, const int* recvcounts, const int* recvplaces, const MPI_Datatype* recvtypes,
                   MPI_Comm comm, MPI_Request* request)
{
    return alltoallw({"MPI_Ialltoallw", comm, kNoRoot, request}, {sendbuf, sendcounts, sendplaces, sendtypes},
                     {recvbuf, recvcounts, recvplaces, recvtypes});
}
int MPI_Alltoallw_init(const void* sendbuf, const int* sendcounts, const int* sendplaces, const MPI_Datatype* sendtypes,
                       void* recvbuf, const int* recvcounts, const int* recvplaces, const MPI_Datatype* recvtypes,
                       MPI_Comm comm, MPI_Info, MPI_Request* request)
{
    return alltoallw({"MPI_Alltoallw_init", comm, kNoRoot, request, true}, {sendbuf, sendcounts, sendplaces, sendtypes},
                     {recvbuf, recvcounts, recvplaces, recvtypes});
}
int MPI_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
{
    return reduce({"MPI_Reduce", comm, root}, sendbuf, recvbuf, count, type, op);
}
int MPI_Ireduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                MPI_Request* request)
{
    return reduce({"MPI_Ireduce", comm, root, request}, sendbuf, recvbuf, count, type, op);
}
int MPI_Reduce_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, int root,
                    MPI_Comm comm, MPI_Info, MPI_Request* request)
{
    return reduce({"MPI_Reduce_init", comm, root, request, true}, sendbuf, recvbuf, count, type, op);
}
int MPI_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return allreduce({"MPI_Allreduce", comm}, sendbuf, recvbuf, count, type, op);
}
int MPI_Iallreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request)
{
    return allreduce({"MPI_Iallreduce", comm, kNoRoot, request}, sendbuf, recvbuf, count, type, op);
}
int MPI_Allreduce_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                       MPI_Info, MPI_Request* request)
{
    return allreduce({"MPI_Allreduce_init", comm, kNoRoot, request, true}, sendbuf, recvbuf, count, type, op);
}
int MPI_Reduce_scatter(const void* sendbuf, void* recvbuf, const int* counts, MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm)
{
    return reduce_scatter({"MPI_Reduce_scatter", comm}, sendbuf, recvbuf, counts, 0, type, op);
}
int MPI_Ireduce_scatter(const void* sendbuf, void* recvbuf, const int* counts, MPI_Datatype type, MPI_Op op,
                        MPI_Comm comm, MPI_Request* request)
{
    return reduce_scatter({"MPI_Ireduce_scatter", comm, kNoRoot, request}, sendbuf, recvbuf, counts, 0, type, op);
}
int MPI_Reduce_scatter_init(const void* sendbuf, void* recvbuf, const int* counts, MPI_Datatype type, MPI_Op op,
                            MPI_Comm comm, MPI_Info, MPI_Request* request)
{
    return reduce_scatter({"MPI_Reduce_scatter_init", comm, kNoRoot, request, true}, sendbuf, recvbuf, counts, 0, type,
                          op);
}
int MPI_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return reduce_scatter({"MPI_Reduce_scatter_block", comm}, sendbuf, recvbuf, nullptr, count, type, op);
}
int MPI_Ireduce_scatter_block(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                              MPI_Comm comm, MPI_Request* request)
{
    return reduce_scatter({"MPI_Ireduce_scatter_block", comm, kNoRoot, request}, sendbuf, recvbuf, nullptr, count, type,
                          op);
}
int MPI_Reduce_scatter_block_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                                  MPI_Comm comm, MPI_Info, MPI_Request* request)
{
    return reduce_scatter({"MPI_Reduce_scatter_block_init", comm, kNoRoot, request, true}, sendbuf, recvbuf, nullptr,
                          count, type, op);
}
int MPI_Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return scan({"MPI_Scan", comm}, sendbuf, recvbuf, count, type, op, false);
}
int MPI_Iscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
              MPI_Request* request)
{
    return scan({"MPI_Iscan", comm, kNoRoot, request}, sendbuf, recvbuf, count, type, op, false);
}
int MPI_Scan_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Info,
                  MPI_Request* request)
{
    return scan({"MPI_Scan_init", comm, kNoRoot, request, true}, sendbuf, recvbuf, count, type, op, false);
}
int MPI_Exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return scan({"MPI_Exscan", comm}, sendbuf, recvbuf, count, type, op, true);
}
int MPI_Iexscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                MPI_Request* request)
{
    return scan({"MPI_Iexscan", comm, kNoRoot, request}, sendbuf, recvbuf, count, type, op, true);
}
int MPI_Exscan_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                    MPI_Info, MPI_Request* request)
{
    return scan({"MPI_Exscan_init", comm, kNoRoot, request, true}, sendbuf, recvbuf, count, type, op, true);
}
int MPI_Neighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype, MPI_Comm comm)
{
    return neighbours_gather({"MPI_Neighbor_allgather", comm}, sendbuf, sendcount, sendtype,
                             {recvbuf, nullptr, recvcount, nullptr, recvtype});
}
int MPI_Ineighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request)
{
    return neighbours_gather({"MPI_Ineighbor_allgather", comm, kNoRoot, request}, sendbuf, sendcount, sendtype,
                             {recvbuf, nullptr, recvcount, nullptr, recvtype});
}
int MPI_Neighbor_allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                                MPI_Datatype recvtype, MPI_Comm comm, MPI_Info, MPI_Request* request)
{
    return neighbours_gather({"MPI_Neighbor_allgather_init", comm, kNoRoot, request, true}, sendbuf, sendcount,
                             sendtype, {recvbuf, nullptr, recvcount, nullptr, recvtype});
}
int MPI_Neighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                            const int* recvcounts, const int* places, MPI_Datatype recvtype, MPI_Comm comm)
{
    return neighbours_gather({"MPI_Neighbor_allgatherv", comm}, sendbuf, sendcount, sendtype,
                             {recvbuf, recvcounts, 0, places, recvtype});
}
int MPI_Ineighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                             const int* recvcounts, const int* places, MPI_Datatype recvtype, MPI_Comm comm,
                             MPI_Request* request)
{
    return neighbours_gather({"MPI_Ineighbor_allgatherv", comm, kNoRoot, request}, sendbuf, sendcount, sendtype,
                             {recvbuf, recvcounts, 0, places, recvtype});
}
int MPI_Neighbor_allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                 const int* recvcounts, const int* places, MPI_Datatype recvtype, MPI_Comm comm,
                                 MPI_Info, MPI_Request* request)
{
    return neighbours_gather({"MPI_Neighbor_allgatherv_init", comm, kNoRoot, request, true}, sendbuf, sendcount,
                             sendtype, {recvbuf, recvcounts, 0, places, recvtype});
}
int MPI_Neighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                          MPI_Datatype recvtype, MPI_Comm comm)
{
    return neighbours_alltoall({"MPI_Neighbor_alltoall", comm}, {sendbuf, nullptr, sendcount, nullptr, sendtype},
                               {recvbuf, nullptr, recvcount, nullptr, recvtype});
}
int MPI_Ineighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request)
{
    return neighbours_alltoall({"MPI_Ineighbor_alltoall", comm, kNoRoot, request},
                               {sendbuf, nullptr, sendcount, nullptr, sendtype},
                               {recvbuf, nullptr, recvcount, nullptr, recvtype});
}
int MPI_Neighbor_alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                               MPI_Datatype recvtype, MPI_Comm comm, MPI_Info, MPI_Request* request)
{
    return neighbours_alltoall({"MPI_Neighbor_alltoall_init", comm, kNoRoot, request, true},
                               {sendbuf, nullptr, sendcount, nullptr, sendtype},
                               {recvbuf, nullptr, recvcount, nullptr, recvtype});
}
int MPI_Neighbor_alltoallv(const void* sendbuf, const int* sendcounts, const int* sendplaces, MPI_Datatype sendtype,
                           void* recvbuf, const int* recvcounts, const int* recvplaces, MPI_Datatype recvtype,
                           MPI_Comm comm)
{
    return neighbours_alltoall({"MPI_Neighbor_alltoallv", comm}, {sendbuf, sendcounts, 0, sendplaces, sendtype},
                               {recvbuf, recvcounts, 0, recvplaces, recvtype});
}
int MPI_Ineighbor_alltoallv(const void* sendbuf, const int* sendcounts, const int* sendplaces, MPI_Datatype sendtype,
                            void* recvbuf, const int* recvcounts, const int* recvplaces, MPI_Datatype recvtype,
                            MPI_Comm comm, MPI_Request* request)
{
    return neighbours_alltoall({"MPI_Ineighbor_alltoallv", comm, kNoRoot, request},
                               {sendbuf, sendcounts, 0, sendplaces, sendtype},
                               {recvbuf, recvcounts, 0, recvplaces, recvtype});
}
int MPI_Neighbor_alltoallv_init(const void* sendbuf, const int* sendcounts, const int* sendplaces,
                                MPI_Datatype sendtype, void* recvbuf, const int* recvcounts, const int* recvplaces,
                                MPI_Datatype recvtype, MPI_Comm comm, MPI_Info, MPI_Request* request)
{
    return neighbours_alltoall({"MPI_Neighbor_alltoallv_init", comm, kNoRoot, request, true},
                               {sendbuf, sendcounts, 0, sendplaces, sendtype},
                               {recvbuf, recvcounts, 0, recvplaces, recvtype});
}
int MPI_Neighbor_alltoallw(const void* sendbuf, const int* sendcounts, const MPI_Aint* sendplaces,
                           const MPI_Datatype* sendtypes, void* recvbuf, const int* recvcounts,
                           const MPI_Aint* recvplaces, const MPI_Datatype* recvtypes, MPI_Comm comm)
{
    return neighbours_alltoallw({"MPI_Neighbor_alltoallw", comm}, {sendbuf, sendcounts, sendplaces, sendtypes},
                                {recvbuf, recvcounts, recvplaces, recvtypes});
}
int MPI_Ineighbor_alltoallw(const void* sendbuf, const int* sendcounts, const MPI_Aint* sendplaces,
                            const MPI_Datatype* sendtypes, void* recvbuf, const int* recvcounts,
                            const MPI_Aint* recvplaces, const MPI_Datatype* recvtypes, MPI_Comm comm,
                            MPI_Request* request)
{
    return neighbours_alltoallw({"MPI_Ineighbor_alltoallw", comm, kNoRoot, request},
                                {sendbuf, sendcounts, sendplaces, sendtypes},
                                {recvbuf, recvcounts, recvplaces, recvtypes});
}
int MPI_Neighbor_alltoallw_init(const void* sendbuf, const int* sendcounts, const MPI_Aint* sendplaces,
                                const MPI_Datatype* sendtypes, void* recvbuf, const int* recvcounts,
                                const MPI_Aint* recvplaces, const MPI_Datatype* recvtypes, MPI_Comm comm, MPI_Info,
                                MPI_Request* request)
{
    return neighbours_alltoallw({"MPI_Neighbor_alltoallw_init", comm, kNoRoot, request, true},
                                {sendbuf, sendcounts, sendplaces, sendtypes},
                                {recvbuf, recvcounts, recvplaces, recvtypes});
}
int MPI_Reduce_local(const void* in, void* inout, int count, MPI_Datatype type, MPI_Op op)
{
    return call("MPI_Reduce_local", [&](Process& process) {
        const Process::Reduction how = reduction_of(process, type, op);
        Elements copy(*how.type, count_of(count), in);
        process.combine(how, count_of(count), copy.place(), inout);
    });
}
int MPI_Op_create(MPI_User_function* function, int commutes, MPI_Op* op)
{
    return call("MPI_Op_create", [&](Process& process) {
        *op = process.operations.add(
            std::make_shared<Operation>(Operation{.function = function, .commutes = commutes != 0}));
    });
}
int MPI_Op_free(MPI_Op* op)
{
    return call("MPI_Op_free", [&](Process& process) {
        if (!process.operations.find(*op)) throw Failure{MPI_ERR_OP, "no operation of the program's own"};
        process.operations.remove(*op);
        *op = MPI_OP_NULL;
    });
}
int MPI_Op_commutative(MPI_Op op, int* commutes)
{
    return call("MPI_Op_commutative",
                [&](Process& process) { *commutes = operation_of(process, op)->commutes ? 1 : 0; });
}

}  // namespace calls
}  // namespace ringmesh::workloads::foreign
