// SPDX-License-Identifier: Apache-2.0
#include "workloads/foreign/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "tlm/error.h"
#include "workloads/foreign/guest.h"
#include "workloads/mpi_api/process.h"

/// The calls of MPI as C knows them: arguments checked and handles found, then the semantics of mpi_api.
namespace ringmesh::workloads::foreign {
namespace {

using namespace mpi_api;

constexpr int kHighestTag = 0x7fffffff;

struct ErrorName {
    int code;
    const char* name;
    const char* meaning;
};
constexpr ErrorName kErrors[] = {{MPI_SUCCESS, "MPI_SUCCESS", "no error"},
                                 {MPI_ERR_BUFFER, "MPI_ERR_BUFFER", "invalid buffer"},
                                 {MPI_ERR_COUNT, "MPI_ERR_COUNT", "invalid count"},
                                 {MPI_ERR_TYPE, "MPI_ERR_TYPE", "invalid datatype"},
                                 {MPI_ERR_TAG, "MPI_ERR_TAG", "invalid tag"},
                                 {MPI_ERR_COMM, "MPI_ERR_COMM", "invalid communicator"},
                                 {MPI_ERR_RANK, "MPI_ERR_RANK", "invalid rank"},
                                 {MPI_ERR_REQUEST, "MPI_ERR_REQUEST", "invalid request"},
                                 {MPI_ERR_ROOT, "MPI_ERR_ROOT", "invalid root"},
                                 {MPI_ERR_GROUP, "MPI_ERR_GROUP", "invalid group"},
                                 {MPI_ERR_OP, "MPI_ERR_OP", "invalid operation"},
                                 {MPI_ERR_TOPOLOGY, "MPI_ERR_TOPOLOGY", "invalid topology"},
                                 {MPI_ERR_DIMS, "MPI_ERR_DIMS", "invalid dimensions"},
                                 {MPI_ERR_ARG, "MPI_ERR_ARG", "invalid argument"},
                                 {MPI_ERR_TRUNCATE, "MPI_ERR_TRUNCATE", "message truncated"},
                                 {MPI_ERR_OTHER, "MPI_ERR_OTHER", "error"},
                                 {MPI_ERR_INTERN, "MPI_ERR_INTERN", "internal error"},
                                 {MPI_ERR_IN_STATUS, "MPI_ERR_IN_STATUS", "the error is in the status"},
                                 {MPI_ERR_PENDING, "MPI_ERR_PENDING", "pending request"},
                                 {MPI_ERR_KEYVAL, "MPI_ERR_KEYVAL", "invalid key of an attribute"}};

const ErrorName& error_of(int code)
{
    for (const ErrorName& each : kErrors) {
        if (each.code == code) return each;
    }
    static constexpr ErrorName kUnknown{MPI_ERR_UNKNOWN, "MPI_ERR_UNKNOWN", "unknown error"};
    return kUnknown;
}

/// What the error handler of the communicator says.
int handled(Guest& guest, const GuestCall& now, MPI_Comm handle, const Failure& failure)
{
    Process& process = guest.process();
    auto comm = process.communicators.find(handle);
    if (!comm) comm = process.communicators.find(MPI_COMM_WORLD);
    if (comm->handler == MPI_ERRORS_RETURN) return failure.error_class;
    if (const auto function = process.error_handlers.find(comm->handler); function && *function != nullptr) {
        int code = failure.error_class;
        (*function)(&handle, &code);
        return failure.error_class;
    }
    guest.fail(std::make_exception_ptr(UserError(fmt::format("rank {}: {}: {} ({})", process.rank(), now.name,
                                                             failure.text, error_of(failure.error_class).name))));
}

template <class Work>
int call(const GuestCall& now, MPI_Comm comm, const Work& work)
{
    Guest& guest = Guest::current();
    const GuestCall before = guest.enter(now);
    int code = MPI_SUCCESS;
    try {
        if (!guest.process().initialized() || guest.process().finalized()) {
            throw UserError(fmt::format("rank {}: {} {}", guest.process().rank(), now.name,
                                        guest.process().finalized() ? "after MPI_Finalize" : "before MPI_Init"));
        }
        work(guest.process());
    } catch (const Failure& failure) {
        code = handled(guest, now, comm, failure);
    } catch (...) {
        guest.fail(std::current_exception());
    }
    guest.leave(before);
    return code;
}

template <class Work>
int call(std::string_view name, MPI_Comm comm, const Work& work)
{
    return call(GuestCall{.name = name}, comm, work);
}

/// A call that needs no communicator.
template <class Work>
int call(std::string_view name, const Work& work)
{
    return call(GuestCall{.name = name}, MPI_COMM_WORLD, work);
}

Comm comm_of(Process& process, MPI_Comm handle)
{
    auto comm = process.communicators.find(handle);
    if (!comm) throw Failure{MPI_ERR_COMM, "no such communicator"};
    return comm;
}

TypePointer type_of(Process& process, MPI_Datatype handle)
{
    auto type = predefined_type(handle);
    if (!type) type = process.types.find(handle);
    if (!type) throw Failure{MPI_ERR_TYPE, "no such datatype"};
    return type;
}

std::size_t count_of(int count)
{
    if (count < 0) throw Failure{MPI_ERR_COUNT, fmt::format("a count of {}", count)};
    return static_cast<std::size_t>(count);
}

void require_rank(const Communicator& comm, int rank, int error_class = MPI_ERR_RANK)
{
    if (rank >= 0 && rank < comm.size()) return;
    throw Failure{error_class, fmt::format("rank {} of a communicator of {}", rank, comm.size())};
}

std::shared_ptr<Members> group_of(Process& process, MPI_Group handle)
{
    auto group = process.groups.find(handle);
    if (!group) throw Failure{MPI_ERR_GROUP, "no such group"};
    return group;
}

std::shared_ptr<const Operation> operation_of(Process& process, MPI_Op handle)
{
    static const std::vector<std::shared_ptr<const Operation>> predefined = [] {
        std::vector<std::shared_ptr<const Operation>> all;
        for (MPI_Op op = 0; op <= MPI_REPLACE; ++op) {
            all.push_back(std::make_shared<const Operation>(Operation{.predefined = op}));
        }
        return all;
    }();
    if (handle > MPI_OP_NULL && handle <= MPI_REPLACE) return predefined[static_cast<std::size_t>(handle)];
    auto own = process.operations.find(handle);
    if (!own) throw Failure{MPI_ERR_OP, "no such operation"};
    return own;
}

MPI_Status empty_status() { return {MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS, 0, 0}; }

void put(MPI_Status* to, MPI_Status status)
{
    if (to == MPI_STATUS_IGNORE) return;
    status.MPI_ERROR = to->MPI_ERROR;  // only calls for several set it
    *to = status;
}

struct Envelope {
    bool is_send = false;
    const void* from = nullptr;
    void* into = nullptr;
    int count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int peer = 0;
    int tag = 0;
    MPI_Comm comm = MPI_COMM_NULL;
    bool synchronous = false;
    bool buffered = false;
};

Request request_of(Process& process, const Envelope& envelope)
{
    Request request;
    request.is_send = envelope.is_send;
    request.synchronous = envelope.synchronous;
    request.buffered = envelope.buffered;
    request.comm = comm_of(process, envelope.comm);
    request.context = request.comm->context;
    // Nobody looks at what goes nowhere
    request.type = envelope.peer == MPI_PROC_NULL ? predefined_type(MPI_BYTE) : type_of(process, envelope.type);
    request.count = count_of(envelope.count);
    request.from = envelope.from;
    request.into = envelope.into;
    request.peer = envelope.peer;
    request.tag = envelope.tag;
    const bool any_source = !envelope.is_send && envelope.peer == MPI_ANY_SOURCE;
    const bool any_tag = !envelope.is_send && envelope.tag == MPI_ANY_TAG;
    if (envelope.peer != MPI_PROC_NULL && !any_source) require_rank(*request.comm, envelope.peer);
    if (!any_tag && envelope.tag < 0) throw Failure{MPI_ERR_TAG, fmt::format("a tag of {}", envelope.tag)};
    return request;
}

GuestCall shown(std::string_view name, const Envelope& envelope)
{
    const auto type = predefined_type(envelope.type);
    const auto each = static_cast<std::uint64_t>(type ? type->size : 0);
    return {.name = name,
            .peer = envelope.peer,
            .tag = envelope.tag,
            .bytes = each * static_cast<std::uint64_t>(std::max(envelope.count, 0))};
}

void require_whole(const Request& request)
{
    if (!request.error.empty()) throw Failure{MPI_ERR_TRUNCATE, request.error};
}

int blocking(std::string_view name, const Envelope& envelope, MPI_Status* status = MPI_STATUS_IGNORE)
{
    return call(shown(name, envelope), envelope.comm, [&](Process& process) {
        Request request = request_of(process, envelope);
        process.start(request);
        process.wait(request);
        put(status, request.status);
        require_whole(request);
    });
}

int nonblocking(std::string_view name, const Envelope& envelope, MPI_Request* handle, bool begins = true)
{
    return call(shown(name, envelope), envelope.comm, [&](Process& process) {
        auto request = std::make_shared<Request>(request_of(process, envelope));
        request->persistent = !begins;
        request->active = false;
        if (begins) process.start(*request);
        *handle = process.requests.add(request);
    });
}

Envelope outgoing(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    return {.is_send = true, .from = buf, .count = count, .type = type, .peer = dest, .tag = tag, .comm = comm};
}

Envelope outgoing_sync(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    Envelope envelope = outgoing(buf, count, type, dest, tag, comm);
    envelope.synchronous = true;
    return envelope;
}

Envelope outgoing_buffered(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    Envelope envelope = outgoing(buf, count, type, dest, tag, comm);
    envelope.buffered = true;
    return envelope;
}

Envelope incoming(void* buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm)
{
    return {.into = buf, .count = count, .type = type, .peer = source, .tag = tag, .comm = comm};
}

/// Requests of an array of handles; null for MPI_REQUEST_NULL.
std::vector<std::shared_ptr<Request>> requests_of(Process& process, int count, const MPI_Request* handles)
{
    std::vector<std::shared_ptr<Request>> all;
    for (int i = 0; i < count; ++i) {
        all.push_back(process.requests.find(handles[i]));
        if (!all.back() && handles[i] != MPI_REQUEST_NULL) throw Failure{MPI_ERR_REQUEST, "no such request"};
    }
    return all;
}

bool is_pending(const std::shared_ptr<Request>& request) { return request && request->active; }

/// Gives status and handle back.
MPI_Status finish(Process& process, const std::shared_ptr<Request>& request, MPI_Request& handle)
{
    if (!is_pending(request)) return empty_status();
    const MPI_Status status = request->status;
    request->active = false;
    if (!request->persistent) {
        process.requests.remove(handle);
        handle = MPI_REQUEST_NULL;
    }
    return status;
}

using RequestList = std::vector<std::shared_ptr<Request>>;

bool all_settled(Process& process, const RequestList& all)
{
    return std::all_of(all.begin(), all.end(), [&](const auto& each) { return !each || process.settled(*each); });
}

void finish_all(Process& process, const RequestList& all, MPI_Request* handles, MPI_Status* statuses)
{
    bool failed = false;
    std::string why;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (is_pending(all[i]) && !all[i]->error.empty()) {
            failed = true;
            why = all[i]->error;
        }
        const MPI_Status status = finish(process, all[i], handles[i]);
        if (statuses != MPI_STATUSES_IGNORE) statuses[i] = status;
    }
    if (failed) throw Failure{statuses == MPI_STATUSES_IGNORE ? MPI_ERR_TRUNCATE : MPI_ERR_IN_STATUS, why};
}

/// The first that is done among those that are under way; -1: none is, MPI_UNDEFINED: none is under way.
int find_settled(Process& process, const RequestList& all)
{
    bool any = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!is_pending(all[i])) continue;
        any = true;
        if (process.settled(*all[i])) return static_cast<int>(i);
    }
    return any ? -1 : MPI_UNDEFINED;
}

void finish_one(Process& process, const RequestList& all, int index, MPI_Request* handles, MPI_Status* status)
{
    const auto& request = all[static_cast<std::size_t>(index)];
    const std::string error = request->error;
    put(status, finish(process, request, handles[index]));
    if (!error.empty()) throw Failure{MPI_ERR_TRUNCATE, error};
}

int finish_some(Process& process, const RequestList& all, MPI_Request* handles, int* indices, MPI_Status* statuses)
{
    int done = 0;
    std::string error;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!is_pending(all[i]) || !process.settled(*all[i])) continue;
        if (!all[i]->error.empty()) error = all[i]->error;
        const MPI_Status status = finish(process, all[i], handles[i]);
        if (statuses != MPI_STATUSES_IGNORE) statuses[done] = status;
        indices[done++] = static_cast<int>(i);
    }
    if (!error.empty()) throw Failure{MPI_ERR_IN_STATUS, error};
    return done;
}

GuestCall waiting(std::string_view name, int count)
{
    return {.name = name, .requests = static_cast<std::size_t>(std::max(count, 0))};
}

void* at(void* buffer, std::ptrdiff_t elements, const Type& type)
{
    return static_cast<std::byte*>(buffer) + elements * type.extent();
}
const void* at(const void* buffer, std::ptrdiff_t elements, const Type& type)
{
    return static_cast<const std::byte*>(buffer) + elements * type.extent();
}

template <class PlaceType, class Buffer>
std::vector<PlaceType> places_of(const Communicator& comm, Buffer* buffer, const int* counts, int count,
                                 const int* begins, const Type& type)
{
    std::vector<PlaceType> all;
    for (int i = 0; i < comm.size(); ++i) {
        const int elements = counts == nullptr ? count : counts[i];
        const std::ptrdiff_t begin =
            begins == nullptr ? static_cast<std::ptrdiff_t>(i) * count : static_cast<std::ptrdiff_t>(begins[i]);
        all.push_back({at(buffer, begin, type), count_of(elements)});
    }
    return all;
}

struct Collective {
    std::string_view name;
    MPI_Comm comm;
    int root = -1;
    MPI_Request* request = nullptr;  ///< of a call that returns before it is done
};

/// Checks communicator and root. @param work refers to nothing that ends with the call
template <class Work>
int collective(const Collective& what, const Work& work)
{
    return call(GuestCall{.name = what.name, .peer = what.root < 0 ? MPI_UNDEFINED : what.root}, what.comm,
                [&](Process& process) {
                    const Comm comm = comm_of(process, what.comm);
                    if (what.root != -1) require_rank(*comm, what.root, MPI_ERR_ROOT);
                    if (what.request == nullptr) {
                        process.begin_collective(*comm);
                        work(process, comm);
                        return;
                    }
                    const auto request = process.in_background(comm, [work, comm, &process] { work(process, comm); });
                    *what.request = process.requests.add(request);
                });
}

Process::Reduction reduction_of(Process& process, MPI_Datatype type, MPI_Op op)
{
    return {.handle = type, .type = type_of(process, type), .op = operation_of(process, op)};
}

int gather(const Collective& what, const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
           const int* counts, int count, const int* begins, MPI_Datatype recvtype)
{
    return collective(what, [=](Process& process, const Comm& comm) {
        const bool is_root = comm->rank == what.root;
        const TypePointer to = is_root ? type_of(process, recvtype) : nullptr;
        const TypePointer type = sendbuf == MPI_IN_PLACE ? to : type_of(process, sendtype);
        std::vector<Process::Place> places;
        if (is_root) places = places_of<Process::Place>(*comm, recvbuf, counts, count, begins, *to);
        process.gather({sendbuf, sendbuf == MPI_IN_PLACE ? 0 : count_of(sendcount)}, type, places, to, what.root, comm,
                       counts == nullptr);
    });
}

int scatter(const Collective& what, const void* sendbuf, const int* counts, int count, const int* begins,
            MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype)
{
    return collective(what, [=](Process& process, const Comm& comm) {
        const bool is_root = comm->rank == what.root;
        const TypePointer type = is_root ? type_of(process, sendtype) : nullptr;
        const TypePointer to = recvbuf == MPI_IN_PLACE ? type : type_of(process, recvtype);
        std::vector<Process::ConstPlace> places;
        if (is_root) places = places_of<Process::ConstPlace>(*comm, sendbuf, counts, count, begins, *type);
        process.scatter(places, type, {recvbuf, recvbuf == MPI_IN_PLACE ? 0 : count_of(recvcount)}, to, what.root, comm,
                        counts == nullptr);
    });
}

int allgather(const Collective& what, const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              const int* counts, int count, const int* begins, MPI_Datatype recvtype)
{
    return collective(what, [=](Process& process, const Comm& comm) {
        const TypePointer to = type_of(process, recvtype);
        const TypePointer type = sendbuf == MPI_IN_PLACE ? to : type_of(process, sendtype);
        process.allgather({sendbuf, sendbuf == MPI_IN_PLACE ? 0 : count_of(sendcount)}, type,
                          places_of<Process::Place>(*comm, recvbuf, counts, count, begins, *to), to, comm,
                          counts == nullptr);
    });
}

/// What one rank has for the others, and gets of them.
struct Pieces {
    const void* from;
    const int* counts;
    int count;
    const int* begins;
    MPI_Datatype type;
};
struct Places {
    void* into;
    const int* counts;
    int count;
    const int* begins;
    MPI_Datatype type;
};

int alltoall(const Collective& what, const Pieces& out, const Places& in)
{
    return collective(what, [=](Process& process, const Comm& comm) {
        const TypePointer to = type_of(process, in.type);
        const auto places = places_of<Process::Place>(*comm, in.into, in.counts, in.count, in.begins, *to);
        if (out.from != MPI_IN_PLACE) {
            const TypePointer type = type_of(process, out.type);
            process.alltoall(places_of<Process::ConstPlace>(*comm, out.from, out.counts, out.count, out.begins, *type),
                             type, places, to, comm);
            return;
        }
        // What is there goes out from a copy
        std::vector<std::unique_ptr<Elements>> copies;
        std::vector<Process::ConstPlace> pieces;
        for (const Process::Place& place : places) {
            copies.push_back(std::make_unique<Elements>(*to, place.count, place.at));
            pieces.push_back({copies.back()->place(), place.count});
        }
        process.alltoall(pieces, to, places, to, comm);
    });
}

int make(std::string_view name, MPI_Datatype* made, bool pad,
         const std::function<std::vector<TypeBlock>(Process&)>& blocks)
{
    return call(name, [&](Process& process) { *made = process.types.add(make_type(blocks(process), pad)); });
}

std::vector<TypeBlock> strided(const TypePointer& type, int count, int length, MPI_Aint stride)
{
    count_of(count);
    count_of(length);
    std::vector<TypeBlock> all;
    for (int i = 0; i < count; ++i) all.push_back({i * stride, length, type});
    return all;
}

template <class Index>
std::vector<TypeBlock> indexed(const TypePointer& type, int count, const int* lengths, int length, const Index* places,
                               MPI_Aint unit)
{
    count_of(count);
    std::vector<TypeBlock> all;
    for (int i = 0; i < count; ++i) all.push_back({places[i] * unit, lengths == nullptr ? length : lengths[i], type});
    return all;
}

std::vector<TypeBlock> structure(Process& process, int count, const int* lengths, const MPI_Aint* places,
                                 const MPI_Datatype* types)
{
    count_of(count);
    std::vector<TypeBlock> all;
    for (int i = 0; i < count; ++i) all.push_back({places[i], lengths[i], type_of(process, types[i])});
    return all;
}

int put_group(std::string_view name, MPI_Group* made, const std::function<Members(Process&)>& members)
{
    return call(name, [&](Process& process) {
        Members all = members(process);
        *made = all.empty() ? MPI_GROUP_EMPTY : process.groups.add(std::make_shared<Members>(std::move(all)));
    });
}

bool has(const Members& members, unsigned rank)
{
    return std::find(members.begin(), members.end(), rank) != members.end();
}

int compare_members(const Members& one, const Members& other)
{
    if (one == other) return MPI_IDENT;
    const bool is_permuted = one.size() == other.size() && std::is_permutation(one.begin(), one.end(), other.begin());
    return is_permuted ? MPI_SIMILAR : MPI_UNEQUAL;
}

std::vector<int> ranks_in(const int (*ranges)[3], int count, std::size_t size)
{
    std::vector<int> all;
    for (int i = 0; i < count; ++i) {
        const int step = ranges[i][2];
        if (step == 0) throw Failure{MPI_ERR_ARG, "a stride of 0"};
        for (int rank = ranges[i][0]; step > 0 ? rank <= ranges[i][1] : rank >= ranges[i][1]; rank += step) {
            if (rank < 0 || static_cast<std::size_t>(rank) >= size) throw Failure{MPI_ERR_RANK, "a rank out of range"};
            all.push_back(rank);
        }
    }
    return all;
}

Members chosen(const Members& group, const std::vector<int>& ranks, bool are_left_out)
{
    Members all;
    for (const int rank : ranks) {
        if (rank < 0 || static_cast<std::size_t>(rank) >= group.size()) {
            throw Failure{MPI_ERR_RANK, fmt::format("rank {} of a group of {}", rank, group.size())};
        }
        if (!are_left_out) all.push_back(group[static_cast<std::size_t>(rank)]);
    }
    if (!are_left_out) return all;
    for (std::size_t i = 0; i < group.size(); ++i) {
        if (std::find(ranks.begin(), ranks.end(), static_cast<int>(i)) == ranks.end()) all.push_back(group[i]);
    }
    return all;
}

void put_comm(Process& process, MPI_Comm* made, Comm comm)
{
    *made = comm ? process.communicators.add(std::move(comm)) : MPI_COMM_NULL;
}

const Cartesian& cartesian_of(const Communicator& comm)
{
    if (!comm.cartesian) throw Failure{MPI_ERR_TOPOLOGY, "no Cartesian topology"};
    return *comm.cartesian;
}

int set_attribute(std::string_view name, MPI_Comm handle, int key, void* value)
{
    return call(name, handle, [&](Process& process) {
        const Comm comm = comm_of(process, handle);
        if (!process.keyvals.find(key)) throw Failure{MPI_ERR_KEYVAL, "no such key"};
        process.delete_attribute(*comm, handle, key);
        comm->attributes.emplace_back(key, value);
    });
}

int get_attribute(std::string_view name, MPI_Comm handle, int key, void* value, int* flag)
{
    return call(name, handle, [&](Process& process) {
        static int highest = kHighestTag;
        static int nobody = MPI_PROC_NULL;
        static int anybody = MPI_ANY_SOURCE;
        static int yes = 1;
        const Comm comm = comm_of(process, handle);
        void* found = nullptr;
        *flag = 1;
        switch (key) {
            case MPI_TAG_UB: found = &highest; break;
            case MPI_HOST: found = &nobody; break;
            case MPI_IO: found = &anybody; break;
            case MPI_WTIME_IS_GLOBAL: found = &yes; break;
            default: {
                void* const* const place = comm->attribute(key);
                if (place == nullptr) {
                    *flag = 0;
                    return;
                }
                found = *place;
            }
        }
        *static_cast<void**>(value) = found;
    });
}

int delete_attribute(std::string_view name, MPI_Comm handle, int key)
{
    return call(name, handle,
                [&](Process& process) { process.delete_attribute(*comm_of(process, handle), handle, key); });
}

int create_keyval(std::string_view name, MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* remove,
                  int* key, void* extra)
{
    return call(name, [&](Process& process) {
        *key = process.keyvals.add(std::make_shared<Keyval>(Keyval{.copy = copy, .remove = remove, .extra = extra}));
    });
}

/// What has it keeps it.
int free_keyval(std::string_view name, int* key)
{
    return call(name, [&](Process& process) {
        const auto keyval = process.keyvals.find(*key);
        if (!keyval) throw Failure{MPI_ERR_KEYVAL, "no such key"};
        keyval->is_freed = true;
        *key = MPI_KEYVAL_INVALID;
    });
}

int set_handler(std::string_view name, MPI_Comm handle, MPI_Errhandler handler)
{
    return call(name, handle, [&](Process& process) {
        if (handler != MPI_ERRORS_ARE_FATAL && handler != MPI_ERRORS_RETURN && !process.error_handlers.find(handler)) {
            throw Failure{MPI_ERR_ARG, "no such error handler"};
        }
        comm_of(process, handle)->handler = handler;
    });
}

int create_handler(std::string_view name, MPI_Comm_errhandler_function* function, MPI_Errhandler* handler)
{
    return call(name, [&](Process& process) {
        *handler = process.error_handlers.add(std::make_shared<MPI_Comm_errhandler_function*>(function));
    });
}

/// The factors of a number, in falling order, whose largest and least differ least.
void divide(int number, std::size_t parts, int most, std::vector<int>& factors, std::vector<int>& best)
{
    if (parts == 1) {
        if (number > most) return;
        factors.push_back(number);
        if (best.empty() || factors.front() - factors.back() < best.front() - best.back()) best = factors;
        factors.pop_back();
        return;
    }
    for (int small = 1; small <= number / small; ++small) {
        if (number % small != 0) continue;
        for (const int factor : {small, number / small}) {
            if (factor > most) continue;
            factors.push_back(factor);
            divide(number / factor, parts - 1, factor, factors, best);
            factors.pop_back();
            if (small == number / small) break;
        }
    }
}

/// What may be called at any time, before MPI_Init and after MPI_Finalize too.
template <class Work>
void at_any_time(std::string_view name, const Work& work)
{
    Guest& guest = Guest::current();
    const GuestCall before = guest.enter({.name = name});
    try {
        work(guest.process());
    } catch (...) {
        guest.fail(std::current_exception());
    }
    guest.leave(before);
}

/// The functions of the table, by their names in C.
struct Calls {
    static int MPI_Init(int* argc, char*** argv)
    {
        static_cast<void>(argc);
        static_cast<void>(argv);
        at_any_time("MPI_Init", [](Process& process) {
            if (process.initialized()) throw UserError(fmt::format("rank {}: a second MPI_Init", process.rank()));
            process.initialize();
        });
        return MPI_SUCCESS;
    }
    static int MPI_Init_thread(int* argc, char*** argv, int required, int* provided)
    {
        *provided = std::min(required, MPI_THREAD_FUNNELED);
        return MPI_Init(argc, argv);
    }
    static int MPI_Initialized(int* flag)
    {
        *flag = Guest::current().process().initialized() ? 1 : 0;
        return MPI_SUCCESS;
    }
    static int MPI_Finalized(int* flag)
    {
        *flag = Guest::current().process().finalized() ? 1 : 0;
        return MPI_SUCCESS;
    }
    static int MPI_Finalize()
    {
        return call("MPI_Finalize", [](Process& process) { process.finalize(); });
    }
    static int MPI_Query_thread(int* provided)
    {
        *provided = MPI_THREAD_FUNNELED;
        return MPI_SUCCESS;
    }
    static int MPI_Is_thread_main(int* flag)
    {
        *flag = 1;
        return MPI_SUCCESS;
    }
    static int MPI_Abort(MPI_Comm, int code)
    {
        Guest& guest = Guest::current();
        guest.enter({.name = "MPI_Abort"});
        guest.fail(std::make_exception_ptr(
            ProgramError(fmt::format("rank {} called MPI_Abort with error code {}", guest.process().rank(), code),
                         (code & 0xff) == 0 ? 1 : code & 0xff)));
    }
    static int MPI_Get_version(int* version, int* subversion)
    {
        *version = MPI_VERSION;
        *subversion = MPI_SUBVERSION;
        return MPI_SUCCESS;
    }
    static int MPI_Get_library_version(char* version, int* length)
    {
        *length = static_cast<int>(std::strlen(std::strcpy(version, "Ringmesh")));
        return MPI_SUCCESS;
    }
    static int MPI_Get_processor_name(char* name, int* length)
    {
        return call("MPI_Get_processor_name", [&](Process& process) {
            const std::string text = fmt::format("node{}", process.node());
            *length = static_cast<int>(std::strlen(std::strcpy(name, text.c_str())));
        });
    }
    static double MPI_Wtime()
    {
        double seconds = 0;
        at_any_time("MPI_Wtime", [&](Process& process) { seconds = process.clock().us() / 1e6; });
        return seconds;
    }
    static double MPI_Wtick() { return 1e-12; }

    static int MPI_Send(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
    {
        return blocking("MPI_Send", outgoing(buf, count, type, dest, tag, comm));
    }
    static int MPI_Ssend(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
    {
        return blocking("MPI_Ssend", outgoing_sync(buf, count, type, dest, tag, comm));
    }
    static int MPI_Bsend(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
    {
        return blocking("MPI_Bsend", outgoing_buffered(buf, count, type, dest, tag, comm));
    }
    static int MPI_Rsend(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
    {
        return blocking("MPI_Rsend", outgoing(buf, count, type, dest, tag, comm));
    }
    static int MPI_Isend(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                         MPI_Request* request)
    {
        return nonblocking("MPI_Isend", outgoing(buf, count, type, dest, tag, comm), request);
    }
    static int MPI_Issend(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                          MPI_Request* request)
    {
        return nonblocking("MPI_Issend", outgoing_sync(buf, count, type, dest, tag, comm), request);
    }
    static int MPI_Ibsend(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                          MPI_Request* request)
    {
        return nonblocking("MPI_Ibsend", outgoing_buffered(buf, count, type, dest, tag, comm), request);
    }
    static int MPI_Irsend(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                          MPI_Request* request)
    {
        return nonblocking("MPI_Irsend", outgoing(buf, count, type, dest, tag, comm), request);
    }
    static int MPI_Send_init(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                             MPI_Request* request)
    {
        return nonblocking("MPI_Send_init", outgoing(buf, count, type, dest, tag, comm), request, false);
    }
    static int MPI_Ssend_init(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                              MPI_Request* request)
    {
        return nonblocking("MPI_Ssend_init", outgoing_sync(buf, count, type, dest, tag, comm), request, false);
    }
    static int MPI_Bsend_init(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                              MPI_Request* request)
    {
        return nonblocking("MPI_Bsend_init", outgoing_buffered(buf, count, type, dest, tag, comm), request, false);
    }
    static int MPI_Rsend_init(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                              MPI_Request* request)
    {
        return nonblocking("MPI_Rsend_init", outgoing(buf, count, type, dest, tag, comm), request, false);
    }
    static int MPI_Recv(void* buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status* status)
    {
        return blocking("MPI_Recv", incoming(buf, count, type, source, tag, comm), status);
    }
    static int MPI_Irecv(void* buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                         MPI_Request* request)
    {
        return nonblocking("MPI_Irecv", incoming(buf, count, type, source, tag, comm), request);
    }
    static int MPI_Recv_init(void* buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                             MPI_Request* request)
    {
        return nonblocking("MPI_Recv_init", incoming(buf, count, type, source, tag, comm), request, false);
    }
    static int MPI_Sendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                            void* recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                            MPI_Status* status)
    {
        const Envelope in = incoming(recvbuf, recvcount, recvtype, source, recvtag, comm);
        return call(shown("MPI_Sendrecv", in), comm, [&](Process& process) {
            Request coming = request_of(process, in);
            Request going = request_of(process, outgoing(sendbuf, sendcount, sendtype, dest, sendtag, comm));
            process.start(coming);
            process.start(going);
            process.wait_until([&] { return process.settled(going) && process.settled(coming); });
            put(status, coming.status);
            require_whole(coming);
        });
    }
    static int MPI_Sendrecv_replace(void* buf, int count, MPI_Datatype type, int dest, int sendtag, int source,
                                    int recvtag, MPI_Comm comm, MPI_Status* status)
    {
        const Envelope in = incoming(buf, count, type, source, recvtag, comm);
        return call(shown("MPI_Sendrecv_replace", in), comm, [&](Process& process) {
            const TypePointer elements = type_of(process, type);
            Elements copy(*elements, count_of(count), buf);
            Request coming = request_of(process, in);
            Request going = request_of(process, outgoing(copy.place(), count, type, dest, sendtag, comm));
            process.start(coming);
            process.start(going);
            process.wait_until([&] { return process.settled(going) && process.settled(coming); });
            put(status, coming.status);
            require_whole(coming);
        });
    }
    static int MPI_Start(MPI_Request* request) { return start("MPI_Start", 1, request); }
    static int MPI_Startall(int count, MPI_Request* requests) { return start("MPI_Startall", count, requests); }
    static int start(std::string_view name, int count, MPI_Request* handles)
    {
        return call(name, [&](Process& process) {
            for (const auto& each : requests_of(process, count, handles)) {
                if (!each || !each->persistent || each->active) {
                    throw Failure{MPI_ERR_REQUEST, "no persistent request that is inactive"};
                }
                process.start(*each);
            }
        });
    }
    static int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status* status)
    {
        return probe("MPI_Probe", source, tag, comm, nullptr, status);
    }
    static int MPI_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status)
    {
        return probe("MPI_Iprobe", source, tag, comm, flag, status);
    }
    static int probe(std::string_view name, int source, int tag, MPI_Comm handle, int* flag, MPI_Status* status)
    {
        return call(GuestCall{.name = name, .peer = source, .tag = tag}, handle, [&](Process& process) {
            const Comm comm = comm_of(process, handle);
            MPI_Status found{MPI_PROC_NULL, MPI_ANY_TAG, MPI_SUCCESS, 0, 0};
            bool is_there = true;
            if (source != MPI_PROC_NULL) {
                if (source != MPI_ANY_SOURCE) require_rank(*comm, source);
                if (flag == nullptr) {
                    process.probe(comm, source, tag, found);
                } else {
                    is_there = process.iprobe(comm, source, tag, found);
                }
            }
            if (flag != nullptr) *flag = is_there ? 1 : 0;
            if (is_there) put(status, found);
        });
    }
    static int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count)
    {
        return call("MPI_Get_count", [&](Process& process) {
            const std::size_t each = type_of(process, type)->size;
            const std::size_t bytes = status->ringmesh_bytes;
            if (each == 0) {
                *count = 0;
            } else {
                *count = bytes % each == 0 ? static_cast<int>(bytes / each) : MPI_UNDEFINED;
            }
        });
    }
    static int MPI_Get_elements(const MPI_Status* status, MPI_Datatype type, int* count)
    {
        return call("MPI_Get_elements", [&](Process& process) {
            const TypePointer elements = type_of(process, type);
            std::size_t left = status->ringmesh_bytes;
            std::size_t all = 0;
            while (left > 0 && elements->size > 0) {
                for (const auto& [bytes, number] : elements->basics) {
                    const std::size_t here = std::min<std::size_t>(number, left / bytes);
                    all += here;
                    left -= here * bytes;
                    if (here < number) {
                        *count = left == 0 ? static_cast<int>(all) : MPI_UNDEFINED;
                        return;
                    }
                }
            }
            *count = static_cast<int>(all);
        });
    }
    static int MPI_Test_cancelled(const MPI_Status* status, int* flag)
    {
        *flag = status->ringmesh_cancelled;
        return MPI_SUCCESS;
    }
    static int MPI_Cancel(MPI_Request* handle)
    {
        return call("MPI_Cancel", [&](Process& process) {
            const auto request = requests_of(process, 1, handle).front();
            if (!request) throw Failure{MPI_ERR_REQUEST, "no request"};
            process.cancel(*request);
        });
    }
    static int MPI_Request_free(MPI_Request* handle)
    {
        return call("MPI_Request_free", [&](Process& process) {
            const auto request = requests_of(process, 1, handle).front();
            if (!request) throw Failure{MPI_ERR_REQUEST, "no request"};
            process.requests.remove(*handle);
            *handle = MPI_REQUEST_NULL;
            process.abandon(request);
        });
    }
    static int MPI_Request_get_status(MPI_Request handle, int* flag, MPI_Status* status)
    {
        return call("MPI_Request_get_status", [&](Process& process) {
            const auto request = requests_of(process, 1, &handle).front();
            if (is_pending(request)) process.look();
            const bool pending = is_pending(request);
            *flag = !pending || process.settled(*request) ? 1 : 0;
            if (*flag != 0) put(status, pending ? request->status : empty_status());
        });
    }
    static int MPI_Wait(MPI_Request* handle, MPI_Status* status)
    {
        return call(waiting("MPI_Wait", 1), MPI_COMM_WORLD, [&](Process& process) {
            const auto all = requests_of(process, 1, handle);
            process.wait_until([&] { return all_settled(process, all); });
            if (is_pending(all.front())) {
                finish_one(process, all, 0, handle, status);
            } else {
                put(status, empty_status());
            }
        });
    }
    static int MPI_Test(MPI_Request* handle, int* flag, MPI_Status* status)
    {
        return call("MPI_Test", [&](Process& process) {
            const auto all = requests_of(process, 1, handle);
            process.look();
            *flag = all_settled(process, all) ? 1 : 0;
            if (*flag == 0) return;
            if (is_pending(all.front())) {
                finish_one(process, all, 0, handle, status);
            } else {
                put(status, empty_status());
            }
        });
    }
    static int MPI_Waitall(int count, MPI_Request* handles, MPI_Status* statuses)
    {
        return call(waiting("MPI_Waitall", count), MPI_COMM_WORLD, [&](Process& process) {
            const auto all = requests_of(process, count, handles);
            process.wait_until([&] { return all_settled(process, all); });
            finish_all(process, all, handles, statuses);
        });
    }
    static int MPI_Testall(int count, MPI_Request* handles, int* flag, MPI_Status* statuses)
    {
        return call("MPI_Testall", [&](Process& process) {
            const auto all = requests_of(process, count, handles);
            process.look();
            *flag = all_settled(process, all) ? 1 : 0;
            if (*flag != 0) finish_all(process, all, handles, statuses);
        });
    }
    static int MPI_Waitany(int count, MPI_Request* handles, int* index, MPI_Status* status)
    {
        return call(waiting("MPI_Waitany", count), MPI_COMM_WORLD, [&](Process& process) {
            const auto all = requests_of(process, count, handles);
            process.wait_until([&] { return (*index = find_settled(process, all)) != -1; });
            if (*index == MPI_UNDEFINED) {
                put(status, empty_status());
            } else {
                finish_one(process, all, *index, handles, status);
            }
        });
    }
    static int MPI_Testany(int count, MPI_Request* handles, int* index, int* flag, MPI_Status* status)
    {
        return call("MPI_Testany", [&](Process& process) {
            const auto all = requests_of(process, count, handles);
            process.look();
            const int found = find_settled(process, all);
            *flag = found == -1 ? 0 : 1;
            *index = found == -1 ? MPI_UNDEFINED : found;
            if (found == MPI_UNDEFINED) put(status, empty_status());
            if (found >= 0) finish_one(process, all, found, handles, status);
        });
    }
    static int MPI_Waitsome(int count, MPI_Request* handles, int* done, int* indices, MPI_Status* statuses)
    {
        return call(waiting("MPI_Waitsome", count), MPI_COMM_WORLD, [&](Process& process) {
            const auto all = requests_of(process, count, handles);
            int found = -1;
            process.wait_until([&] { return (found = find_settled(process, all)) != -1; });
            *done = found == MPI_UNDEFINED ? found : finish_some(process, all, handles, indices, statuses);
        });
    }
    static int MPI_Testsome(int count, MPI_Request* handles, int* done, int* indices, MPI_Status* statuses)
    {
        return call("MPI_Testsome", [&](Process& process) {
            const auto all = requests_of(process, count, handles);
            process.look();
            const int found = find_settled(process, all);
            *done = found == MPI_UNDEFINED ? found : finish_some(process, all, handles, indices, statuses);
        });
    }
    static int MPI_Buffer_attach(void* buffer, int size)
    {
        return call("MPI_Buffer_attach", [&](Process& process) { process.attach_buffer(buffer, size); });
    }
    static int MPI_Buffer_detach(void* buffer, int* size)
    {
        return call("MPI_Buffer_detach",
                    [&](Process& process) { *static_cast<void**>(buffer) = process.detach_buffer(*size); });
    }

    static int MPI_Type_contiguous(int count, MPI_Datatype type, MPI_Datatype* made)
    {
        return make("MPI_Type_contiguous", made, false, [&](Process& process) -> std::vector<TypeBlock> {
            count_of(count);
            return {{0, count, type_of(process, type)}};
        });
    }
    static int MPI_Type_vector(int count, int length, int stride, MPI_Datatype type, MPI_Datatype* made)
    {
        return make("MPI_Type_vector", made, false, [&](Process& process) {
            const TypePointer elements = type_of(process, type);
            return strided(elements, count, length, stride * elements->extent());
        });
    }
    static int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype type, MPI_Datatype* made)
    {
        return make("MPI_Type_create_hvector", made, false,
                    [&](Process& process) { return strided(type_of(process, type), count, length, stride); });
    }
    static int MPI_Type_hvector(int count, int length, MPI_Aint stride, MPI_Datatype type, MPI_Datatype* made)
    {
        return MPI_Type_create_hvector(count, length, stride, type, made);
    }
    static int MPI_Type_indexed(int count, const int* lengths, const int* places, MPI_Datatype type, MPI_Datatype* made)
    {
        return make("MPI_Type_indexed", made, false, [&](Process& process) {
            const TypePointer elements = type_of(process, type);
            return indexed(elements, count, lengths, 0, places, elements->extent());
        });
    }
    static int MPI_Type_create_hindexed(int count, const int* lengths, const MPI_Aint* places, MPI_Datatype type,
                                        MPI_Datatype* made)
    {
        return make("MPI_Type_create_hindexed", made, false,
                    [&](Process& process) { return indexed(type_of(process, type), count, lengths, 0, places, 1); });
    }
    static int MPI_Type_hindexed(int count, int* lengths, MPI_Aint* places, MPI_Datatype type, MPI_Datatype* made)
    {
        return MPI_Type_create_hindexed(count, lengths, places, type, made);
    }
    static int MPI_Type_create_indexed_block(int count, int length, const int* places, MPI_Datatype type,
                                             MPI_Datatype* made)
    {
        return make("MPI_Type_create_indexed_block", made, false, [&](Process& process) {
            const TypePointer elements = type_of(process, type);
            return indexed(elements, count, nullptr, length, places, elements->extent());
        });
    }
    static int MPI_Type_create_struct(int count, const int* lengths, const MPI_Aint* places, const MPI_Datatype* types,
                                      MPI_Datatype* made)
    {
        return make("MPI_Type_create_struct", made, true,
                    [&](Process& process) { return structure(process, count, lengths, places, types); });
    }
    static int MPI_Type_struct(int count, int* lengths, MPI_Aint* places, MPI_Datatype* types, MPI_Datatype* made)
    {
        return MPI_Type_create_struct(count, lengths, places, types, made);
    }
    static int MPI_Type_create_subarray(int dimensions, const int* sizes, const int* subsizes, const int* starts,
                                        int order, MPI_Datatype type, MPI_Datatype* made)
    {
        return call("MPI_Type_create_subarray", [&](Process& process) {
            TypePointer part = type_of(process, type);
            const MPI_Aint extent = part->extent();
            MPI_Aint whole = 1;  // elements of the dimensions so far
            MPI_Aint begin = 0;
            for (int i = 0; i < dimensions; ++i) {
                const int d = order == MPI_ORDER_C ? dimensions - 1 - i : i;
                if (subsizes[d] < 1 || starts[d] < 0 || starts[d] > sizes[d] - subsizes[d]) {
                    throw Failure{MPI_ERR_ARG, fmt::format("dimension {} of the part is not inside the array", d)};
                }
                part = make_type(strided(part, subsizes[d], 1, whole * extent), false);
                begin += starts[d] * whole;
                whole *= sizes[d];
            }
            const TypePointer moved = make_type({{begin * extent, 1, part}}, false);
            *made = process.types.add(resized(*moved, 0, whole * extent));
        });
    }
    static int MPI_Type_create_resized(MPI_Datatype type, MPI_Aint lb, MPI_Aint extent, MPI_Datatype* made)
    {
        return call("MPI_Type_create_resized",
                    [&](Process& process) { *made = process.types.add(resized(*type_of(process, type), lb, extent)); });
    }
    static int MPI_Type_dup(MPI_Datatype type, MPI_Datatype* made)
    {
        return call("MPI_Type_dup", [&](Process& process) { *made = process.types.add(type_of(process, type)); });
    }
    static int MPI_Type_commit(MPI_Datatype* type)
    {
        return call("MPI_Type_commit", [&](Process& process) { type_of(process, *type); });
    }
    static int MPI_Type_free(MPI_Datatype* type)
    {
        return call("MPI_Type_free", [&](Process& process) {
            if (!process.types.find(*type)) throw Failure{MPI_ERR_TYPE, "no datatype of the program's own"};
            process.types.remove(*type);
            *type = MPI_DATATYPE_NULL;
        });
    }
    static int MPI_Type_size(MPI_Datatype type, int* size)
    {
        return call("MPI_Type_size", [&](Process& process) { *size = static_cast<int>(type_of(process, type)->size); });
    }
    static int MPI_Type_extent(MPI_Datatype type, MPI_Aint* extent)
    {
        return call("MPI_Type_extent", [&](Process& process) { *extent = type_of(process, type)->extent(); });
    }
    static int MPI_Type_lb(MPI_Datatype type, MPI_Aint* lb)
    {
        return call("MPI_Type_lb", [&](Process& process) { *lb = type_of(process, type)->lb; });
    }
    static int MPI_Type_ub(MPI_Datatype type, MPI_Aint* ub)
    {
        return call("MPI_Type_ub", [&](Process& process) { *ub = type_of(process, type)->ub; });
    }
    static int MPI_Type_get_extent(MPI_Datatype type, MPI_Aint* lb, MPI_Aint* extent)
    {
        return call("MPI_Type_get_extent", [&](Process& process) {
            const TypePointer found = type_of(process, type);
            *lb = found->lb;
            *extent = found->extent();
        });
    }
    static int MPI_Type_get_true_extent(MPI_Datatype type, MPI_Aint* lb, MPI_Aint* extent)
    {
        return call("MPI_Type_get_true_extent", [&](Process& process) {
            const TypePointer found = type_of(process, type);
            *lb = found->true_lb;
            *extent = found->true_ub - found->true_lb;
        });
    }
    static int MPI_Address(void* location, MPI_Aint* address) { return MPI_Get_address(location, address); }
    static int MPI_Get_address(const void* location, MPI_Aint* address)
    {
        *address = reinterpret_cast<MPI_Aint>(location);
        return MPI_SUCCESS;
    }
    static int MPI_Pack(const void* in, int count, MPI_Datatype type, void* out, int size, int* position, MPI_Comm comm)
    {
        return call("MPI_Pack", comm, [&](Process& process) {
            const TypePointer elements = type_of(process, type);
            const std::size_t bytes = elements->size * count_of(count);
            if (static_cast<std::size_t>(*position) + bytes > static_cast<std::size_t>(size)) {
                throw Failure{MPI_ERR_TRUNCATE,
                              fmt::format("{} bytes at {} of a buffer of {}", bytes, *position, size)};
            }
            pack(*elements, count_of(count), in, static_cast<std::byte*>(out) + *position);
            *position += static_cast<int>(bytes);
        });
    }
    static int MPI_Unpack(const void* in, int size, int* position, void* out, int count, MPI_Datatype type,
                          MPI_Comm comm)
    {
        return call("MPI_Unpack", comm, [&](Process& process) {
            const TypePointer elements = type_of(process, type);
            const std::size_t bytes = elements->size * count_of(count);
            if (static_cast<std::size_t>(*position) + bytes > static_cast<std::size_t>(size)) {
                throw Failure{MPI_ERR_TRUNCATE,
                              fmt::format("{} bytes at {} of a buffer of {}", bytes, *position, size)};
            }
            unpack(*elements, {static_cast<const std::byte*>(in) + *position, bytes}, out);
            *position += static_cast<int>(bytes);
        });
    }
    static int MPI_Pack_size(int count, MPI_Datatype type, MPI_Comm comm, int* size)
    {
        return call("MPI_Pack_size", comm, [&](Process& process) {
            *size = static_cast<int>(type_of(process, type)->size * count_of(count));
        });
    }

    static int barrier(const Collective& what)
    {
        return collective(what, [](Process& process, const Comm& of) { process.barrier(of); });
    }
    static int MPI_Barrier(MPI_Comm comm) { return barrier({"MPI_Barrier", comm}); }
    static int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request)
    {
        return barrier({"MPI_Ibarrier", comm, -1, request});
    }
    static int bcast(const Collective& what, void* buf, int count, MPI_Datatype type)
    {
        return collective(what, [=](Process& process, const Comm& of) {
            process.bcast(buf, count_of(count), type_of(process, type), what.root, of);
        });
    }
    static int MPI_Bcast(void* buf, int count, MPI_Datatype type, int root, MPI_Comm comm)
    {
        return bcast({"MPI_Bcast", comm, root}, buf, count, type);
    }
    static int MPI_Ibcast(void* buf, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request)
    {
        return bcast({"MPI_Ibcast", comm, root, request}, buf, count, type);
    }
    static int MPI_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                          MPI_Datatype recvtype, int root, MPI_Comm comm)
    {
        return gather({"MPI_Gather", comm, root}, sendbuf, sendcount, sendtype, recvbuf, nullptr, recvcount, nullptr,
                      recvtype);
    }
    static int MPI_Igather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request)
    {
        return gather({"MPI_Igather", comm, root, request}, sendbuf, sendcount, sendtype, recvbuf, nullptr, recvcount,
                      nullptr, recvtype);
    }
    static int MPI_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           const int* recvcounts, const int* places, MPI_Datatype recvtype, int root, MPI_Comm comm)
    {
        static constexpr int kNone = 0;  // where only the root's counts
        return gather({"MPI_Gatherv", comm, root}, sendbuf, sendcount, sendtype, recvbuf,
                      recvcounts == nullptr ? &kNone : recvcounts, 0, places, recvtype);
    }
    static int MPI_Igatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                            const int* recvcounts, const int* places, MPI_Datatype recvtype, int root, MPI_Comm comm,
                            MPI_Request* request)
    {
        static constexpr int kNone = 0;  // where only the root's counts
        return gather({"MPI_Igatherv", comm, root, request}, sendbuf, sendcount, sendtype, recvbuf,
                      recvcounts == nullptr ? &kNone : recvcounts, 0, places, recvtype);
    }
    static int MPI_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype, int root, MPI_Comm comm)
    {
        return scatter({"MPI_Scatter", comm, root}, sendbuf, nullptr, sendcount, nullptr, sendtype, recvbuf, recvcount,
                       recvtype);
    }
    static int MPI_Iscatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                            MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request)
    {
        return scatter({"MPI_Iscatter", comm, root, request}, sendbuf, nullptr, sendcount, nullptr, sendtype, recvbuf,
                       recvcount, recvtype);
    }
    static int MPI_Scatterv(const void* sendbuf, const int* sendcounts, const int* places, MPI_Datatype sendtype,
                            void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
    {
        static constexpr int kNone = 0;
        return scatter({"MPI_Scatterv", comm, root}, sendbuf, sendcounts == nullptr ? &kNone : sendcounts, 0, places,
                       sendtype, recvbuf, recvcount, recvtype);
    }
    static int MPI_Iscatterv(const void* sendbuf, const int* sendcounts, const int* places, MPI_Datatype sendtype,
                             void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                             MPI_Request* request)
    {
        static constexpr int kNone = 0;
        return scatter({"MPI_Iscatterv", comm, root, request}, sendbuf, sendcounts == nullptr ? &kNone : sendcounts, 0,
                       places, sendtype, recvbuf, recvcount, recvtype);
    }
    static int MPI_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                             MPI_Datatype recvtype, MPI_Comm comm)
    {
        return allgather({"MPI_Allgather", comm}, sendbuf, sendcount, sendtype, recvbuf, nullptr, recvcount, nullptr,
                         recvtype);
    }
    static int MPI_Iallgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                              MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request)
    {
        return allgather({"MPI_Iallgather", comm, -1, request}, sendbuf, sendcount, sendtype, recvbuf, nullptr,
                         recvcount, nullptr, recvtype);
    }
    static int MPI_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                              const int* recvcounts, const int* places, MPI_Datatype recvtype, MPI_Comm comm)
    {
        return allgather({"MPI_Allgatherv", comm}, sendbuf, sendcount, sendtype, recvbuf, recvcounts, 0, places,
                         recvtype);
    }
    static int MPI_Iallgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                               const int* recvcounts, const int* places, MPI_Datatype recvtype, MPI_Comm comm,
                               MPI_Request* request)
    {
        return allgather({"MPI_Iallgatherv", comm, -1, request}, sendbuf, sendcount, sendtype, recvbuf, recvcounts, 0,
                         places, recvtype);
    }
    static int MPI_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm)
    {
        return alltoall({"MPI_Alltoall", comm}, {sendbuf, nullptr, sendcount, nullptr, sendtype},
                        {recvbuf, nullptr, recvcount, nullptr, recvtype});
    }
    static int MPI_Ialltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                             MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request)
    {
        return alltoall({"MPI_Ialltoall", comm, -1, request}, {sendbuf, nullptr, sendcount, nullptr, sendtype},
                        {recvbuf, nullptr, recvcount, nullptr, recvtype});
    }
    static int MPI_Alltoallv(const void* sendbuf, const int* sendcounts, const int* sendplaces, MPI_Datatype sendtype,
                             void* recvbuf, const int* recvcounts, const int* recvplaces, MPI_Datatype recvtype,
                             MPI_Comm comm)
    {
        return alltoall({"MPI_Alltoallv", comm}, {sendbuf, sendcounts, 0, sendplaces, sendtype},
                        {recvbuf, recvcounts, 0, recvplaces, recvtype});
    }
    static int MPI_Ialltoallv(const void* sendbuf, const int* sendcounts, const int* sendplaces, MPI_Datatype sendtype,
                              void* recvbuf, const int* recvcounts, const int* recvplaces, MPI_Datatype recvtype,
                              MPI_Comm comm, MPI_Request* request)
    {
        return alltoall({"MPI_Ialltoallv", comm, -1, request}, {sendbuf, sendcounts, 0, sendplaces, sendtype},
                        {recvbuf, recvcounts, 0, recvplaces, recvtype});
    }
    static int reduce(const Collective& what, const void* sendbuf, void* recvbuf, int count, MPI_Datatype type,
                      MPI_Op op)
    {
        return collective(what, [=](Process& process, const Comm& of) {
            process.reduce(sendbuf, recvbuf, count_of(count), reduction_of(process, type, op), what.root, of);
        });
    }
    static int MPI_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, int root,
                          MPI_Comm comm)
    {
        return reduce({"MPI_Reduce", comm, root}, sendbuf, recvbuf, count, type, op);
    }
    static int MPI_Ireduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, int root,
                           MPI_Comm comm, MPI_Request* request)
    {
        return reduce({"MPI_Ireduce", comm, root, request}, sendbuf, recvbuf, count, type, op);
    }
    static int allreduce(const Collective& what, const void* sendbuf, void* recvbuf, int count, MPI_Datatype type,
                         MPI_Op op)
    {
        return collective(what, [=](Process& process, const Comm& of) {
            process.allreduce(sendbuf, recvbuf, count_of(count), reduction_of(process, type, op), of);
        });
    }
    static int MPI_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
    {
        return allreduce({"MPI_Allreduce", comm}, sendbuf, recvbuf, count, type, op);
    }
    static int MPI_Iallreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                              MPI_Comm comm, MPI_Request* request)
    {
        return allreduce({"MPI_Iallreduce", comm, -1, request}, sendbuf, recvbuf, count, type, op);
    }
    static int reduce_scatter(const Collective& what, const void* sendbuf, void* recvbuf, const int* counts,
                              MPI_Datatype type, MPI_Op op)
    {
        return collective(what, [=](Process& process, const Comm& of) {
            std::vector<std::size_t> all;
            for (int i = 0; i < of->size(); ++i) all.push_back(count_of(counts[i]));
            process.reduce_scatter(sendbuf, recvbuf, all, reduction_of(process, type, op), of);
        });
    }
    static int MPI_Reduce_scatter(const void* sendbuf, void* recvbuf, const int* counts, MPI_Datatype type, MPI_Op op,
                                  MPI_Comm comm)
    {
        return reduce_scatter({"MPI_Reduce_scatter", comm}, sendbuf, recvbuf, counts, type, op);
    }
    static int MPI_Ireduce_scatter(const void* sendbuf, void* recvbuf, const int* counts, MPI_Datatype type, MPI_Op op,
                                   MPI_Comm comm, MPI_Request* request)
    {
        return reduce_scatter({"MPI_Ireduce_scatter", comm, -1, request}, sendbuf, recvbuf, counts, type, op);
    }
    static int reduce_scatter_block(const Collective& what, const void* sendbuf, void* recvbuf, int count,
                                    MPI_Datatype type, MPI_Op op)
    {
        return collective(what, [=](Process& process, const Comm& of) {
            const std::vector<std::size_t> all(of->members.size(), count_of(count));
            process.reduce_scatter(sendbuf, recvbuf, all, reduction_of(process, type, op), of);
        });
    }
    static int MPI_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                                        MPI_Comm comm)
    {
        return reduce_scatter_block({"MPI_Reduce_scatter_block", comm}, sendbuf, recvbuf, count, type, op);
    }
    static int MPI_Ireduce_scatter_block(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                                         MPI_Comm comm, MPI_Request* request)
    {
        return reduce_scatter_block({"MPI_Ireduce_scatter_block", comm, -1, request}, sendbuf, recvbuf, count, type,
                                    op);
    }
    static int scan(const Collective& what, const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op)
    {
        return collective(what, [=](Process& process, const Comm& of) {
            process.scan(sendbuf, recvbuf, count_of(count), reduction_of(process, type, op), of, false);
        });
    }
    static int MPI_Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
    {
        return scan({"MPI_Scan", comm}, sendbuf, recvbuf, count, type, op);
    }
    static int MPI_Iscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                         MPI_Request* request)
    {
        return scan({"MPI_Iscan", comm, -1, request}, sendbuf, recvbuf, count, type, op);
    }
    static int exscan(const Collective& what, const void* sendbuf, void* recvbuf, int count, MPI_Datatype type,
                      MPI_Op op)
    {
        return collective(what, [=](Process& process, const Comm& of) {
            process.scan(sendbuf, recvbuf, count_of(count), reduction_of(process, type, op), of, true);
        });
    }
    static int MPI_Exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
    {
        return exscan({"MPI_Exscan", comm}, sendbuf, recvbuf, count, type, op);
    }
    static int MPI_Iexscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                           MPI_Request* request)
    {
        return exscan({"MPI_Iexscan", comm, -1, request}, sendbuf, recvbuf, count, type, op);
    }
    static int MPI_Reduce_local(const void* in, void* inout, int count, MPI_Datatype type, MPI_Op op)
    {
        return call("MPI_Reduce_local", [&](Process& process) {
            const Process::Reduction how = reduction_of(process, type, op);
            Elements copy(*how.type, count_of(count), in);
            process.combine(how, count_of(count), copy.place(), inout);
        });
    }
    static int MPI_Op_create(MPI_User_function* function, int commutes, MPI_Op* op)
    {
        return call("MPI_Op_create", [&](Process& process) {
            *op = process.operations.add(
                std::make_shared<Operation>(Operation{.function = function, .commutes = commutes != 0}));
        });
    }
    static int MPI_Op_free(MPI_Op* op)
    {
        return call("MPI_Op_free", [&](Process& process) {
            if (!process.operations.find(*op)) throw Failure{MPI_ERR_OP, "no operation of the program's own"};
            process.operations.remove(*op);
            *op = MPI_OP_NULL;
        });
    }
    static int MPI_Op_commutative(MPI_Op op, int* commutes)
    {
        return call("MPI_Op_commutative",
                    [&](Process& process) { *commutes = operation_of(process, op)->commutes ? 1 : 0; });
    }

    static int MPI_Comm_size(MPI_Comm comm, int* size)
    {
        return call("MPI_Comm_size", comm, [&](Process& process) { *size = comm_of(process, comm)->size(); });
    }
    static int MPI_Comm_rank(MPI_Comm comm, int* rank)
    {
        return call("MPI_Comm_rank", comm, [&](Process& process) { *rank = comm_of(process, comm)->rank; });
    }
    static int MPI_Comm_compare(MPI_Comm one, MPI_Comm other, int* result)
    {
        return call("MPI_Comm_compare", one, [&](Process& process) {
            *result = compare_members(comm_of(process, one)->members, comm_of(process, other)->members);
            if (*result == MPI_IDENT && one != other) *result = MPI_CONGRUENT;
        });
    }
    static int MPI_Comm_dup(MPI_Comm handle, MPI_Comm* made)
    {
        return collective({"MPI_Comm_dup", handle}, [=](Process& process, const Comm& comm) {
            put_comm(process, made, process.duplicate(comm, handle));
        });
    }
    static int MPI_Comm_create(MPI_Comm handle, MPI_Group group, MPI_Comm* made)
    {
        return collective({"MPI_Comm_create", handle}, [=](Process& process, const Comm& comm) {
            const auto members = group_of(process, group);
            put_comm(process, made, process.make_communicator(*comm, comm, *members));
        });
    }
    static int MPI_Comm_split(MPI_Comm handle, int color, int key, MPI_Comm* made)
    {
        return collective({"MPI_Comm_split", handle}, [=](Process& process, const Comm& comm) {
            put_comm(process, made, process.split(comm, color, key));
        });
    }
    static int MPI_Comm_free(MPI_Comm* handle)
    {
        return call("MPI_Comm_free", *handle, [&](Process& process) {
            const Comm comm = comm_of(process, *handle);
            if (*handle == MPI_COMM_WORLD || *handle == MPI_COMM_SELF) {
                throw Failure{MPI_ERR_COMM, "a communicator that stays"};
            }
            process.free(comm, *handle);
            *handle = MPI_COMM_NULL;
        });
    }
    static int MPI_Comm_group(MPI_Comm comm, MPI_Group* group)
    {
        return call("MPI_Comm_group", comm, [&](Process& process) {
            *group = process.groups.add(std::make_shared<Members>(comm_of(process, comm)->members));
        });
    }
    static int MPI_Comm_test_inter(MPI_Comm comm, int* flag)
    {
        return call("MPI_Comm_test_inter", comm, [&](Process& process) {
            comm_of(process, comm);
            *flag = 0;
        });
    }
    static int MPI_Comm_set_name(MPI_Comm comm, const char* name)
    {
        return call("MPI_Comm_set_name", comm, [&](Process& process) {
            comm_of(process, comm)->name = std::string(name).substr(0, MPI_MAX_OBJECT_NAME - 1);
        });
    }
    static int MPI_Comm_get_name(MPI_Comm comm, char* name, int* length)
    {
        return call("MPI_Comm_get_name", comm, [&](Process& process) {
            *length = static_cast<int>(std::strlen(std::strcpy(name, comm_of(process, comm)->name.c_str())));
        });
    }
    static int MPI_Group_size(MPI_Group group, int* size)
    {
        return call("MPI_Group_size",
                    [&](Process& process) { *size = static_cast<int>(group_of(process, group)->size()); });
    }
    static int MPI_Group_rank(MPI_Group group, int* rank)
    {
        return call("MPI_Group_rank", [&](Process& process) {
            const auto members = group_of(process, group);
            const auto found = std::find(members->begin(), members->end(), static_cast<unsigned>(process.rank()));
            *rank = found == members->end() ? MPI_UNDEFINED : static_cast<int>(found - members->begin());
        });
    }
    static int MPI_Group_translate_ranks(MPI_Group one, int count, const int* ranks, MPI_Group other, int* others)
    {
        return call("MPI_Group_translate_ranks", [&](Process& process) {
            const auto from = group_of(process, one);
            const auto to = group_of(process, other);
            for (int i = 0; i < count; ++i) {
                if (ranks[i] == MPI_PROC_NULL) {
                    others[i] = MPI_PROC_NULL;
                    continue;
                }
                const unsigned world = chosen(*from, {ranks[i]}, false).front();
                const auto found = std::find(to->begin(), to->end(), world);
                others[i] = found == to->end() ? MPI_UNDEFINED : static_cast<int>(found - to->begin());
            }
        });
    }
    static int MPI_Group_compare(MPI_Group one, MPI_Group other, int* result)
    {
        return call("MPI_Group_compare", [&](Process& process) {
            *result = compare_members(*group_of(process, one), *group_of(process, other));
        });
    }
    static int MPI_Group_union(MPI_Group one, MPI_Group other, MPI_Group* made)
    {
        return put_group("MPI_Group_union", made, [&](Process& process) {
            Members all = *group_of(process, one);
            for (const unsigned rank : *group_of(process, other)) {
                if (!has(all, rank)) all.push_back(rank);
            }
            return all;
        });
    }
    static int MPI_Group_intersection(MPI_Group one, MPI_Group other, MPI_Group* made)
    {
        return put_group("MPI_Group_intersection", made, [&](Process& process) {
            Members all = *group_of(process, one);
            const auto others = group_of(process, other);
            std::erase_if(all, [&](unsigned rank) { return !has(*others, rank); });
            return all;
        });
    }
    static int MPI_Group_difference(MPI_Group one, MPI_Group other, MPI_Group* made)
    {
        return put_group("MPI_Group_difference", made, [&](Process& process) {
            Members all = *group_of(process, one);
            const auto others = group_of(process, other);
            std::erase_if(all, [&](unsigned rank) { return has(*others, rank); });
            return all;
        });
    }
    static int MPI_Group_incl(MPI_Group group, int count, const int* ranks, MPI_Group* made)
    {
        return put_group("MPI_Group_incl", made, [&](Process& process) {
            return chosen(*group_of(process, group), std::vector<int>(ranks, ranks + count), false);
        });
    }
    static int MPI_Group_excl(MPI_Group group, int count, const int* ranks, MPI_Group* made)
    {
        return put_group("MPI_Group_excl", made, [&](Process& process) {
            return chosen(*group_of(process, group), std::vector<int>(ranks, ranks + count), true);
        });
    }
    static int MPI_Group_range_incl(MPI_Group group, int count, int ranges[][3], MPI_Group* made)
    {
        return put_group("MPI_Group_range_incl", made, [&](Process& process) {
            const auto members = group_of(process, group);
            return chosen(*members, ranks_in(ranges, count, members->size()), false);
        });
    }
    static int MPI_Group_range_excl(MPI_Group group, int count, int ranges[][3], MPI_Group* made)
    {
        return put_group("MPI_Group_range_excl", made, [&](Process& process) {
            const auto members = group_of(process, group);
            return chosen(*members, ranks_in(ranges, count, members->size()), true);
        });
    }
    static int MPI_Group_free(MPI_Group* group)
    {
        return call("MPI_Group_free", [&](Process& process) {
            group_of(process, *group);
            if (*group != MPI_GROUP_EMPTY) process.groups.remove(*group);
            *group = MPI_GROUP_NULL;
        });
    }

    static int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* remove,
                                      int* key, void* extra)
    {
        return create_keyval("MPI_Comm_create_keyval", copy, remove, key, extra);
    }
    static int MPI_Keyval_create(MPI_Copy_function* copy, MPI_Delete_function* remove, int* key, void* extra)
    {
        return create_keyval("MPI_Keyval_create", copy, remove, key, extra);
    }
    static int MPI_Comm_free_keyval(int* key) { return free_keyval("MPI_Comm_free_keyval", key); }
    static int MPI_Keyval_free(int* key) { return free_keyval("MPI_Keyval_free", key); }
    static int MPI_Comm_set_attr(MPI_Comm comm, int key, void* value)
    {
        return set_attribute("MPI_Comm_set_attr", comm, key, value);
    }
    static int MPI_Attr_put(MPI_Comm comm, int key, void* value)
    {
        return set_attribute("MPI_Attr_put", comm, key, value);
    }
    static int MPI_Comm_get_attr(MPI_Comm comm, int key, void* value, int* flag)
    {
        return get_attribute("MPI_Comm_get_attr", comm, key, value, flag);
    }
    static int MPI_Attr_get(MPI_Comm comm, int key, void* value, int* flag)
    {
        return get_attribute("MPI_Attr_get", comm, key, value, flag);
    }
    static int MPI_Comm_delete_attr(MPI_Comm comm, int key)
    {
        return delete_attribute("MPI_Comm_delete_attr", comm, key);
    }
    static int MPI_Attr_delete(MPI_Comm comm, int key) { return delete_attribute("MPI_Attr_delete", comm, key); }

    static int MPI_Dims_create(int nodes, int dimensions, int* dims)
    {
        return call("MPI_Dims_create", [&](Process&) {
            int left = nodes;
            std::vector<int> open;
            for (int i = 0; i < dimensions; ++i) {
                if (dims[i] < 0 || (dims[i] > 0 && left % dims[i] != 0)) {
                    throw Failure{MPI_ERR_DIMS, fmt::format("{} nodes in a dimension of {}", nodes, dims[i])};
                }
                if (dims[i] > 0) left /= dims[i];
                if (dims[i] == 0) open.push_back(i);
            }
            if (open.empty()) {
                if (left != 1) throw Failure{MPI_ERR_DIMS, "the dimensions hold another number of nodes"};
                return;
            }
            std::vector<int> sizes;
            std::vector<int> best;
            divide(left, open.size(), left, sizes, best);
            for (std::size_t i = 0; i < open.size(); ++i) dims[open[i]] = best[i];
        });
    }
    static int MPI_Cart_create(MPI_Comm handle, int dimensions, const int* dims, const int* periods, int,
                               MPI_Comm* made)
    {
        return collective({"MPI_Cart_create", handle}, [=](Process& process, const Comm& comm) {
            Cartesian cartesian{{dims, dims + dimensions}, {periods, periods + dimensions}};
            for (const int each : cartesian.dims) {
                if (each < 1) throw Failure{MPI_ERR_DIMS, fmt::format("a dimension of {}", each)};
            }
            const int size = cartesian.size();
            if (size > comm->size()) {
                throw Failure{MPI_ERR_DIMS, fmt::format("{} places for {} ranks", size, comm->size())};
            }
            Members members(comm->members.begin(), comm->members.begin() + size);
            Comm grid = process.make_communicator(*comm, comm, std::move(members));
            if (grid) grid->cartesian = std::move(cartesian);
            put_comm(process, made, std::move(grid));
        });
    }
    static int MPI_Cart_map(MPI_Comm handle, int dimensions, const int* dims, const int* periods, int* rank)
    {
        return call("MPI_Cart_map", handle, [&](Process& process) {
            const Comm comm = comm_of(process, handle);
            const Cartesian cartesian{{dims, dims + dimensions}, {periods, periods + dimensions}};
            *rank = comm->rank < cartesian.size() ? comm->rank : MPI_UNDEFINED;
        });
    }
    static int MPI_Cartdim_get(MPI_Comm comm, int* dimensions)
    {
        return call("MPI_Cartdim_get", comm, [&](Process& process) {
            *dimensions = static_cast<int>(cartesian_of(*comm_of(process, comm)).dims.size());
        });
    }
    static int MPI_Cart_get(MPI_Comm handle, int most, int* dims, int* periods, int* coords)
    {
        return call("MPI_Cart_get", handle, [&](Process& process) {
            const Comm comm = comm_of(process, handle);
            const Cartesian& cartesian = cartesian_of(*comm);
            const std::vector<int> mine = cartesian.coords_of(comm->rank);
            for (std::size_t i = 0; i < std::min(mine.size(), count_of(most)); ++i) {
                dims[i] = cartesian.dims[i];
                periods[i] = cartesian.periods[i];
                coords[i] = mine[i];
            }
        });
    }
    static int MPI_Cart_rank(MPI_Comm handle, const int* coords, int* rank)
    {
        return call("MPI_Cart_rank", handle, [&](Process& process) {
            const Comm comm = comm_of(process, handle);
            const Cartesian& cartesian = cartesian_of(*comm);
            *rank = cartesian.rank_of({coords, coords + cartesian.dims.size()});
            if (*rank == MPI_PROC_NULL) throw Failure{MPI_ERR_ARG, "a place outside of the grid"};
        });
    }
    static int MPI_Cart_coords(MPI_Comm handle, int rank, int most, int* coords)
    {
        return call("MPI_Cart_coords", handle, [&](Process& process) {
            const Comm comm = comm_of(process, handle);
            require_rank(*comm, rank);
            const std::vector<int> all = cartesian_of(*comm).coords_of(rank);
            std::copy_n(all.begin(), std::min(all.size(), count_of(most)), coords);
        });
    }
    static int MPI_Cart_shift(MPI_Comm handle, int direction, int by, int* source, int* dest)
    {
        return call("MPI_Cart_shift", handle, [&](Process& process) {
            const Comm comm = comm_of(process, handle);
            const Cartesian& cartesian = cartesian_of(*comm);
            if (direction < 0 || static_cast<std::size_t>(direction) >= cartesian.dims.size()) {
                throw Failure{MPI_ERR_DIMS, fmt::format("no dimension {}", direction)};
            }
            std::vector<int> coords = cartesian.coords_of(comm->rank);
            int& place = coords[static_cast<std::size_t>(direction)];
            const int here = place;
            place = here + by;
            *dest = cartesian.rank_of(coords);
            place = here - by;
            *source = cartesian.rank_of(coords);
        });
    }
    static int MPI_Cart_sub(MPI_Comm handle, const int* remain, MPI_Comm* made)
    {
        return collective({"MPI_Cart_sub", handle}, [=](Process& process, const Comm& comm) {
            const Cartesian& cartesian = cartesian_of(*comm);
            const std::vector<int> coords = cartesian.coords_of(comm->rank);
            Cartesian rest;
            int color = 0;
            for (std::size_t i = 0; i < cartesian.dims.size(); ++i) {
                if (remain[i] != 0) {
                    rest.dims.push_back(cartesian.dims[i]);
                    rest.periods.push_back(cartesian.periods[i]);
                } else {
                    color = color * cartesian.dims[i] + coords[i];
                }
            }
            Comm part = process.split(comm, color, comm->rank);
            part->cartesian = std::move(rest);
            put_comm(process, made, std::move(part));
        });
    }
    static int MPI_Topo_test(MPI_Comm comm, int* kind)
    {
        return call("MPI_Topo_test", comm,
                    [&](Process& process) { *kind = comm_of(process, comm)->cartesian ? MPI_CART : MPI_UNDEFINED; });
    }

    static int MPI_Comm_create_errhandler(MPI_Comm_errhandler_function* function, MPI_Errhandler* handler)
    {
        return create_handler("MPI_Comm_create_errhandler", function, handler);
    }
    static int MPI_Errhandler_create(MPI_Handler_function* function, MPI_Errhandler* handler)
    {
        return create_handler("MPI_Errhandler_create", function, handler);
    }
    static int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler)
    {
        return set_handler("MPI_Comm_set_errhandler", comm, handler);
    }
    static int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler)
    {
        return set_handler("MPI_Errhandler_set", comm, handler);
    }
    static int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* handler)
    {
        return call("MPI_Comm_get_errhandler", comm,
                    [&](Process& process) { *handler = comm_of(process, comm)->handler; });
    }
    static int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler* handler)
    {
        return MPI_Comm_get_errhandler(comm, handler);
    }
    /// A communicator that has it keeps it.
    static int MPI_Errhandler_free(MPI_Errhandler* handler)
    {
        *handler = MPI_ERRHANDLER_NULL;
        return MPI_SUCCESS;
    }
    static int MPI_Comm_call_errhandler(MPI_Comm comm, int code)
    {
        call("MPI_Comm_call_errhandler", comm, [&](Process&) {
            throw Failure{code, "the program calls its error handler"};
        });
        return MPI_SUCCESS;
    }
    static int MPI_Error_class(int code, int* error_class)
    {
        *error_class = error_of(code).code;
        return MPI_SUCCESS;
    }
    static int MPI_Error_string(int code, char* text, int* length)
    {
        const ErrorName& error = error_of(code);
        const std::string words = fmt::format("{}: {}", error.name, error.meaning);
        *length = static_cast<int>(std::strlen(std::strcpy(text, words.c_str())));
        return MPI_SUCCESS;
    }

    static long long ringmesh_clock()
    {
        long long nanoseconds = 0;
        at_any_time("clock", [&](Process& process) { nanoseconds = process.clock().ps() / 1000; });
        return nanoseconds;
    }
    static void ringmesh_compute(double cycles)
    {
        at_any_time("compute", [&](Process& process) { process.compute(cycles); });
    }
    static void ringmesh_sleep(long long nanoseconds)
    {
        at_any_time("sleep", [&](Process& process) { process.sleep(Duration::picoseconds(nanoseconds * 1000)); });
    }
    static void ringmesh_exit(int status, int at_once) { Guest::current().exit(status, at_once != 0); }
    static void ringmesh_refuse(const char* what)
    {
        Guest& guest = Guest::current();
        guest.fail(std::make_exception_ptr(UserError(
            fmt::format("rank {} called {}, which a rank of a simulation cannot do: it is one thread of the simulator; "
                        "leave the call out",
                        guest.process().rank(), what))));
    }
};

}  // namespace

const ringmesh_table* table()
{
    static const ringmesh_table all{
#define CALL(result, name, parameters, arguments) &Calls::name,
#include "workloads/foreign/program/mpi_calls.inc"
#undef CALL
        &Calls::ringmesh_clock, &Calls::ringmesh_compute, &Calls::ringmesh_sleep, &Calls::ringmesh_exit,
        &Calls::ringmesh_refuse};
    return &all;
}

}  // namespace ringmesh::workloads::foreign
