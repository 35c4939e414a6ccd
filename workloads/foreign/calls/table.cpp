// SPDX-License-Identifier: Apache-2.0
#include "workloads/foreign/calls/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "tlm/error.h"
#include "workloads/foreign/calls/calls.h"
#include "workloads/foreign/calls/rcce_calls.h"

namespace ringmesh::workloads::foreign {
namespace {

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
    if (!any_tag) require_tag(envelope.tag);
    return request;
}

GuestCall shown(std::string_view name, const Envelope& envelope)
{
    auto type = predefined_type(envelope.type);
    if (!type) type = Guest::current().process().types.find(envelope.type);
    const auto each = static_cast<std::uint64_t>(type ? type->size : 0);
    const std::uint64_t bytes = each * static_cast<std::uint64_t>(std::max(envelope.count, 0));
    return {.name = name,
            .peer = envelope.peer,
            .tag = envelope.tag,
            .bytes = bytes,
            .moved = envelope.is_send && envelope.peer != MPI_PROC_NULL ? bytes : 0,
            .comm = envelope.comm};
}

void require_whole(const Request& request)
{
    if (!request.error.empty()) throw Failure{request.error_class, request.error, request.comm};
}

std::uint64_t bytes_sent(const Request& request)
{
    return request.peer == MPI_PROC_NULL ? 0 : request.count * static_cast<std::uint64_t>(request.type->size);
}

void exchange(Process& process, Request& coming, Request& going, MPI_Status* status)
{
    process.start(coming);
    process.start(going);
    process.wait_until([&] { return process.settled(going) && process.settled(coming); });
    Guest::current().moved(bytes_sent(going) + coming.status.ringmesh_bytes);
    put(status, coming.status);
    require_whole(coming);
}

int blocking(std::string_view name, const Envelope& envelope, MPI_Status* status = MPI_STATUS_IGNORE)
{
    return call(shown(name, envelope), envelope.comm, [&](Process& process) {
        Request request = request_of(process, envelope);
        process.start(request);
        process.wait(request);
        if (!envelope.is_send) Guest::current().moved(request.status.ringmesh_bytes);
        put(status, request.status);
        require_whole(request);
    });
}

int nonblocking(std::string_view name, const Envelope& envelope, MPI_Request* handle, bool begins = true)
{
    GuestCall now = shown(name, envelope);
    if (!begins) now.moved = 0;
    return call(now, envelope.comm, [&](Process& process) {
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
    all.reserve(count_of(count));
    for (int i = 0; i < count; ++i) {
        all.push_back(process.requests.find(handles[i]));
        if (!all.back() && handles[i] != MPI_REQUEST_NULL) throw Failure{MPI_ERR_REQUEST, "no such request"};
    }
    return all;
}

bool is_pending(const std::shared_ptr<Request>& request) { return request && request->active; }

/// What a program has for its own request is free then.
void release_own(const Request& request)
{
    const OwnRequest& own = *request.own;
    if (own.free != nullptr) own.free(own.extra);
}

MPI_Status told_status(Request& request)
{
    if (request.own && request.own->query != nullptr) {
        const int code = request.own->query(request.own->extra, &request.status);
        if (code != MPI_SUCCESS) {
            request.error = "the function that tells of a request failed";
            request.error_class = request.status.MPI_ERROR = code;
        }
    }
    return request.status;
}

/// Gives status and handle back.
MPI_Status finish(Process& process, const std::shared_ptr<Request>& request, MPI_Request& handle)
{
    if (!is_pending(request)) return empty_status();
    const MPI_Status status = told_status(*request);
    request->active = false;
    if (request->own) release_own(*request);
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

void wait_for_all(Process& process, const RequestList& all)
{
    auto next = all.begin();  // those before it are done
    process.wait_until([&] {
        while (next != all.end() && (!*next || process.settled(**next))) ++next;
        return next == all.end();
    });
}

/// Of the first that failed among those of a call.
void require_all_whole(const RequestList& finished, bool are_told)
{
    for (const auto& each : finished) {
        if (each->error.empty()) continue;
        throw Failure{are_told ? MPI_ERR_IN_STATUS : each->error_class, each->error, each->comm};
    }
}

void finish_all(Process& process, const RequestList& all, MPI_Request* handles, MPI_Status* statuses)
{
    RequestList finished;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (is_pending(all[i])) finished.push_back(all[i]);
        const MPI_Status status = finish(process, all[i], handles[i]);
        if (statuses != MPI_STATUSES_IGNORE) statuses[i] = status;
    }
    require_all_whole(finished, statuses != MPI_STATUSES_IGNORE);
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
    put(status, finish(process, request, handles[index]));
    require_whole(*request);
}

/// @param done how many, also if there was an error
void finish_some(Process& process, const RequestList& all, MPI_Request* handles, int* done, int* indices,
                 MPI_Status* statuses)
{
    *done = 0;
    RequestList finished;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!is_pending(all[i]) || !process.settled(*all[i])) continue;
        finished.push_back(all[i]);
        const MPI_Status status = finish(process, all[i], handles[i]);
        if (statuses != MPI_STATUSES_IGNORE) statuses[*done] = status;
        indices[(*done)++] = static_cast<int>(i);
    }
    require_all_whole(finished, statuses != MPI_STATUSES_IGNORE);
}

GuestCall waiting(std::string_view name, int count)
{
    return {.name = name, .requests = static_cast<std::size_t>(std::max(count, 0))};
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

int start_requests(std::string_view name, int count, MPI_Request* handles)
{
    return call(name, [&](Process& process) {
        std::uint64_t moved = 0;
        for (const auto& each : requests_of(process, count, handles)) {
            if (!each || !each->persistent || each->active) {
                throw Failure{MPI_ERR_REQUEST, "no persistent request that is inactive"};
            }
            if (each->work) {
                process.start_work(each);
            } else {
                process.start(*each);
                if (each->is_send) moved += bytes_sent(*each);
            }
        }
        Guest::current().moved(moved);
    });
}
/// Send and receive of one call; what it keeps lives as long.
void begin_both(Process& process, const Request& coming, const Request& going, const std::shared_ptr<void>& kept,
                MPI_Request* handle)
{
    const auto work = [&process, coming, going, kept](Request& request) {
        Request in = coming;
        Request out = going;
        process.start(in);
        process.start(out);
        process.wait_until([&] { return process.settled(out) && process.settled(in); });
        request.status = in.status;
        require_whole(in);
    };
    begin_work(process, coming.comm, 0, true, work, handle);
}

/// @param flag null: until there is one @param message null: it stays where it is
int probe_message(std::string_view name, int source, int tag, MPI_Comm handle, int* flag, MPI_Message* message,
                  MPI_Status* status)
{
    return call(GuestCall{.name = name, .peer = source, .tag = tag}, handle, [&](Process& process) {
        const Comm comm = comm_of(process, handle);
        MPI_Status found{MPI_PROC_NULL, MPI_ANY_TAG, MPI_SUCCESS, 0, 0};
        bool is_there = true;
        MPI_Message taken = MPI_MESSAGE_NO_PROC;
        if (tag != MPI_ANY_TAG) require_tag(tag);
        if (source != MPI_PROC_NULL) {
            if (source != MPI_ANY_SOURCE) require_rank(*comm, source);
            if (flag == nullptr) {
                process.probe(comm, source, tag, found);
            } else {
                is_there = process.iprobe(comm, source, tag, found);
            }
            taken = is_there && message != nullptr ? process.taken.add(process.take_waiting(comm, source, tag))
                                                   : MPI_MESSAGE_NULL;
        }
        if (message != nullptr) *message = taken;
        if (flag != nullptr) *flag = is_there ? 1 : 0;
        if (is_there) put(status, found);
    });
}

std::shared_ptr<Request> receive_taken(Process& process, void* buf, int count, MPI_Datatype type, MPI_Message* message)
{
    auto request = std::make_shared<Request>();
    request->into = buf;
    request->count = count_of(count);
    request->type = type_of(process, type);
    if (*message == MPI_MESSAGE_NO_PROC) {
        process.start(*request);
    } else {
        const auto taken = process.taken.find(*message);
        if (!taken) throw Failure{MPI_ERR_REQUEST, "no such message"};
        process.taken.remove(*message);
        request->comm = taken->comm;
        process.start(*request, *taken);
    }
    *message = MPI_MESSAGE_NULL;
    return request;
}

}  // namespace

namespace calls {

int MPI_Init(int* argc, char*** argv)
{
    static_cast<void>(argc);
    static_cast<void>(argv);
    at_any_time("MPI_Init", [](Guest& guest) {
        Process& process = guest.process();
        if (process.initialized()) throw UserError(fmt::format("rank {}: a second MPI_Init", process.rank()));
        process.initialize();
    });
    return MPI_SUCCESS;
}
int MPI_Init_thread(int* argc, char*** argv, int required, int* provided)
{
    *provided = std::min(required, MPI_THREAD_FUNNELED);
    return MPI_Init(argc, argv);
}
int MPI_Initialized(int* flag)
{
    *flag = Guest::current().process().initialized() ? 1 : 0;
    return MPI_SUCCESS;
}
int MPI_Finalized(int* flag)
{
    *flag = Guest::current().process().finalized() ? 1 : 0;
    return MPI_SUCCESS;
}
int MPI_Finalize()
{
    return call("MPI_Finalize", [](Process& process) { process.finalize(); });
}
int MPI_Query_thread(int* provided)
{
    *provided = MPI_THREAD_FUNNELED;
    return MPI_SUCCESS;
}
int MPI_Is_thread_main(int* flag)
{
    *flag = 1;
    return MPI_SUCCESS;
}
int MPI_Abort(MPI_Comm, int code)
{
    Guest& guest = Guest::current();
    guest.enter({.name = "MPI_Abort"});
    guest.fail(std::make_exception_ptr(
        ProgramError(fmt::format("rank {} called MPI_Abort with error code {}", guest.process().rank(), code),
                     (code & 0xff) == 0 ? 1 : code & 0xff)));
}
int MPI_Get_version(int* version, int* subversion)
{
    *version = MPI_VERSION;
    *subversion = MPI_SUBVERSION;
    return MPI_SUCCESS;
}
int MPI_Get_library_version(char* version, int* length)
{
    *length = static_cast<int>(std::strlen(std::strcpy(version, "Ringmesh")));
    return MPI_SUCCESS;
}
int MPI_Get_processor_name(char* name, int* length)
{
    return call("MPI_Get_processor_name", [&](Process& process) {
        const std::string text = fmt::format("node{}", process.node());
        *length = static_cast<int>(std::strlen(std::strcpy(name, text.c_str())));
    });
}
double MPI_Wtime()
{
    double seconds = 0;
    at_any_time("MPI_Wtime", [&](Guest& guest) { seconds = guest.clock().us() / 1e6; });
    return seconds;
}
double MPI_Wtick() { return 1e-12; }

int MPI_Send(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    return blocking("MPI_Send", outgoing(buf, count, type, dest, tag, comm));
}
int MPI_Ssend(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    return blocking("MPI_Ssend", outgoing_sync(buf, count, type, dest, tag, comm));
}
int MPI_Bsend(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    return blocking("MPI_Bsend", outgoing_buffered(buf, count, type, dest, tag, comm));
}
int MPI_Rsend(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    return blocking("MPI_Rsend", outgoing(buf, count, type, dest, tag, comm));
}
int MPI_Isend(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request* request)
{
    return nonblocking("MPI_Isend", outgoing(buf, count, type, dest, tag, comm), request);
}
int MPI_Issend(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request* request)
{
    return nonblocking("MPI_Issend", outgoing_sync(buf, count, type, dest, tag, comm), request);
}
int MPI_Ibsend(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request* request)
{
    return nonblocking("MPI_Ibsend", outgoing_buffered(buf, count, type, dest, tag, comm), request);
}
int MPI_Irsend(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request* request)
{
    return nonblocking("MPI_Irsend", outgoing(buf, count, type, dest, tag, comm), request);
}
int MPI_Send_init(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request* request)
{
    return nonblocking("MPI_Send_init", outgoing(buf, count, type, dest, tag, comm), request, false);
}
int MPI_Ssend_init(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                   MPI_Request* request)
{
    return nonblocking("MPI_Ssend_init", outgoing_sync(buf, count, type, dest, tag, comm), request, false);
}
int MPI_Bsend_init(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                   MPI_Request* request)
{
    return nonblocking("MPI_Bsend_init", outgoing_buffered(buf, count, type, dest, tag, comm), request, false);
}
int MPI_Rsend_init(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                   MPI_Request* request)
{
    return nonblocking("MPI_Rsend_init", outgoing(buf, count, type, dest, tag, comm), request, false);
}
int MPI_Recv(void* buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status* status)
{
    return blocking("MPI_Recv", incoming(buf, count, type, source, tag, comm), status);
}
int MPI_Irecv(void* buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request* request)
{
    return nonblocking("MPI_Irecv", incoming(buf, count, type, source, tag, comm), request);
}
int MPI_Recv_init(void* buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request* request)
{
    return nonblocking("MPI_Recv_init", incoming(buf, count, type, source, tag, comm), request, false);
}
int MPI_Sendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status* status)
{
    const Envelope in = incoming(recvbuf, recvcount, recvtype, source, recvtag, comm);
    return call(shown("MPI_Sendrecv", in), comm, [&](Process& process) {
        Request coming = request_of(process, in);
        Request going = request_of(process, outgoing(sendbuf, sendcount, sendtype, dest, sendtag, comm));
        exchange(process, coming, going, status);
    });
}
int MPI_Sendrecv_replace(void* buf, int count, MPI_Datatype type, int dest, int sendtag, int source, int recvtag,
                         MPI_Comm comm, MPI_Status* status)
{
    const Envelope in = incoming(buf, count, type, source, recvtag, comm);
    return call(shown("MPI_Sendrecv_replace", in), comm, [&](Process& process) {
        const TypePointer elements = type_of(process, type);
        Elements copy(*elements, count_of(count), buf);
        Request coming = request_of(process, in);
        Request going = request_of(process, outgoing(copy.place(), count, type, dest, sendtag, comm));
        exchange(process, coming, going, status);
    });
}
int MPI_Start(MPI_Request* request) { return start_requests("MPI_Start", 1, request); }
int MPI_Startall(int count, MPI_Request* requests) { return start_requests("MPI_Startall", count, requests); }
int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status* status)
{
    return probe_message("MPI_Probe", source, tag, comm, nullptr, nullptr, status);
}
int MPI_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status)
{
    return probe_message("MPI_Iprobe", source, tag, comm, flag, nullptr, status);
}
int MPI_Test_cancelled(const MPI_Status* status, int* flag)
{
    *flag = status->ringmesh_cancelled;
    return MPI_SUCCESS;
}
int MPI_Cancel(MPI_Request* handle)
{
    return call("MPI_Cancel", [&](Process& process) {
        const auto request = requests_of(process, 1, handle).front();
        if (!request) throw Failure{MPI_ERR_REQUEST, "no request"};
        if (request->is_send && !request->own) return process.let_go(*handle);
        process.cancel(*request);
    });
}
int MPI_Request_free(MPI_Request* handle)
{
    return call("MPI_Request_free", [&](Process& process) {
        const auto request = requests_of(process, 1, handle).front();
        if (!request) throw Failure{MPI_ERR_REQUEST, "no request"};
        const MPI_Request number = std::exchange(*handle, MPI_REQUEST_NULL);
        if (request->own) {
            request->active = false;  // nobody waits for it any more
            if (!request->complete) return;
            release_own(*request);
        } else {
            process.abandon(request);
        }
        process.requests.remove(number);
    });
}
int MPI_Grequest_start(MPI_Grequest_query_function* query, MPI_Grequest_free_function* release,
                       MPI_Grequest_cancel_function* cancel, void* extra, MPI_Request* handle)
{
    return call("MPI_Grequest_start", [&](Process& process) {
        auto request = std::make_shared<Request>();
        request->own = OwnRequest{query, release, cancel, extra};
        request->status = empty_status();
        *handle = process.requests.add(request);
    });
}
int MPI_Grequest_complete(MPI_Request handle)
{
    return call("MPI_Grequest_complete", [&](Process& process) {
        const auto request = requests_of(process, 1, &handle).front();
        if (!request || !request->own) throw Failure{MPI_ERR_REQUEST, "no request of the program's own"};
        request->complete = true;
        if (request->active) return;
        release_own(*request);
        process.requests.remove(handle);
    });
}
int MPI_Isendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Request* handle)
{
    const Envelope in = incoming(recvbuf, recvcount, recvtype, source, recvtag, comm);
    return call(shown("MPI_Isendrecv", in), comm, [&](Process& process) {
        const Request coming = request_of(process, in);
        const Request going = request_of(process, outgoing(sendbuf, sendcount, sendtype, dest, sendtag, comm));
        begin_both(process, coming, going, nullptr, handle);
    });
}
int MPI_Isendrecv_replace(void* buf, int count, MPI_Datatype type, int dest, int sendtag, int source, int recvtag,
                          MPI_Comm comm, MPI_Request* handle)
{
    const Envelope in = incoming(buf, count, type, source, recvtag, comm);
    return call(shown("MPI_Isendrecv_replace", in), comm, [&](Process& process) {
        const TypePointer elements = type_of(process, type);
        const auto copy = std::make_shared<Elements>(*elements, count_of(count), buf);
        const Request coming = request_of(process, in);
        const Request going = request_of(process, outgoing(copy->place(), count, type, dest, sendtag, comm));
        begin_both(process, coming, going, copy, handle);
    });
}
int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status)
{
    return probe_message("MPI_Mprobe", source, tag, comm, nullptr, message, status);
}
int MPI_Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status)
{
    return probe_message("MPI_Improbe", source, tag, comm, flag, message, status);
}
int MPI_Mrecv(void* buf, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status)
{
    return call("MPI_Mrecv", [&](Process& process) {
        const auto request = receive_taken(process, buf, count, type, message);
        process.wait(*request);
        Guest::current().moved(request->status.ringmesh_bytes);
        put(status, request->status);
        require_whole(*request);
    });
}
int MPI_Imrecv(void* buf, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* handle)
{
    return call("MPI_Imrecv", [&](Process& process) {
        *handle = process.requests.add(receive_taken(process, buf, count, type, message));
    });
}
int MPI_Request_get_status(MPI_Request handle, int* flag, MPI_Status* status)
{
    return call("MPI_Request_get_status", [&](Process& process) {
        const auto request = requests_of(process, 1, &handle).front();
        if (is_pending(request)) process.look();
        const bool pending = is_pending(request);
        *flag = !pending || process.settled(*request) ? 1 : 0;
        if (!pending) put_empty(status);
        if (pending && *flag != 0) put(status, told_status(*request));
    });
}
int MPI_Wait(MPI_Request* handle, MPI_Status* status)
{
    return call(waiting("MPI_Wait", 1), MPI_COMM_WORLD, [&](Process& process) {
        const auto all = requests_of(process, 1, handle);
        process.wait_until([&] { return all_settled(process, all); });
        if (is_pending(all.front())) {
            finish_one(process, all, 0, handle, status);
        } else {
            put_empty(status);
        }
    });
}
int MPI_Test(MPI_Request* handle, int* flag, MPI_Status* status)
{
    return call("MPI_Test", [&](Process& process) {
        const auto all = requests_of(process, 1, handle);
        process.look();
        *flag = all_settled(process, all) ? 1 : 0;
        if (*flag == 0) return;
        if (is_pending(all.front())) {
            finish_one(process, all, 0, handle, status);
        } else {
            put_empty(status);
        }
    });
}
int MPI_Waitall(int count, MPI_Request* handles, MPI_Status* statuses)
{
    return call(waiting("MPI_Waitall", count), MPI_COMM_WORLD, [&](Process& process) {
        const auto all = requests_of(process, count, handles);
        wait_for_all(process, all);
        finish_all(process, all, handles, statuses);
    });
}
int MPI_Testall(int count, MPI_Request* handles, int* flag, MPI_Status* statuses)
{
    return call("MPI_Testall", [&](Process& process) {
        const auto all = requests_of(process, count, handles);
        process.look();
        *flag = all_settled(process, all) ? 1 : 0;
        if (*flag != 0) finish_all(process, all, handles, statuses);
    });
}
int MPI_Waitany(int count, MPI_Request* handles, int* index, MPI_Status* status)
{
    return call(waiting("MPI_Waitany", count), MPI_COMM_WORLD, [&](Process& process) {
        const auto all = requests_of(process, count, handles);
        process.wait_until([&] { return (*index = find_settled(process, all)) != -1; });
        if (*index == MPI_UNDEFINED) {
            put_empty(status);
        } else {
            finish_one(process, all, *index, handles, status);
        }
    });
}
int MPI_Testany(int count, MPI_Request* handles, int* index, int* flag, MPI_Status* status)
{
    return call("MPI_Testany", [&](Process& process) {
        const auto all = requests_of(process, count, handles);
        process.look();
        const int found = find_settled(process, all);
        *flag = found == -1 ? 0 : 1;
        *index = found == -1 ? MPI_UNDEFINED : found;
        if (found == MPI_UNDEFINED) put_empty(status);
        if (found >= 0) finish_one(process, all, found, handles, status);
    });
}
int MPI_Waitsome(int count, MPI_Request* handles, int* done, int* indices, MPI_Status* statuses)
{
    return call(waiting("MPI_Waitsome", count), MPI_COMM_WORLD, [&](Process& process) {
        const auto all = requests_of(process, count, handles);
        int found = -1;
        process.wait_until([&] { return (found = find_settled(process, all)) != -1; });
        *done = MPI_UNDEFINED;
        if (found != MPI_UNDEFINED) finish_some(process, all, handles, done, indices, statuses);
    });
}
int MPI_Testsome(int count, MPI_Request* handles, int* done, int* indices, MPI_Status* statuses)
{
    return call("MPI_Testsome", [&](Process& process) {
        const auto all = requests_of(process, count, handles);
        process.look();
        const int found = find_settled(process, all);
        *done = MPI_UNDEFINED;
        if (found != MPI_UNDEFINED) finish_some(process, all, handles, done, indices, statuses);
    });
}
int MPI_Buffer_attach(void* buffer, int size)
{
    return call("MPI_Buffer_attach", [&](Process& process) {
        if (size < 0) throw Failure{MPI_ERR_BUFFER, fmt::format("a size of {}", size)};
        process.attach_buffer(buffer, size);
    });
}
int MPI_Buffer_detach(void* buffer, int* size)
{
    return call("MPI_Buffer_detach",
                [&](Process& process) { *static_cast<void**>(buffer) = process.detach_buffer(*size); });
}

int MPI_Comm_create_errhandler(MPI_Comm_errhandler_function* function, MPI_Errhandler* handler)
{
    return create_handler("MPI_Comm_create_errhandler", function, handler);
}
int MPI_Errhandler_create(MPI_Handler_function* function, MPI_Errhandler* handler)
{
    return create_handler("MPI_Errhandler_create", function, handler);
}
int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler)
{
    return set_handler("MPI_Comm_set_errhandler", comm, handler);
}
int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler)
{
    return set_handler("MPI_Errhandler_set", comm, handler);
}
int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* handler)
{
    return call("MPI_Comm_get_errhandler", comm, [&](Process& process) { *handler = comm_of(process, comm)->handler; });
}
int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler* handler) { return MPI_Comm_get_errhandler(comm, handler); }
/// A communicator that has it keeps it.
int MPI_Errhandler_free(MPI_Errhandler* handler)
{
    *handler = MPI_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}
int MPI_Comm_call_errhandler(MPI_Comm comm, int code)
{
    call("MPI_Comm_call_errhandler", comm, [&](Process&) {
        throw Failure{code, "the program calls its error handler"};
    });
    return MPI_SUCCESS;
}
int MPI_Add_error_class(int* error_class)
{
    return call("MPI_Add_error_class", [&](Process& process) {
        *error_class = ++process.last_code;
        process.own_errors.push_back({.error_class = *error_class});
    });
}
int MPI_Add_error_code(int error_class, int* code)
{
    return call("MPI_Add_error_code", [&](Process& process) {
        const auto* const own = process.own_error(error_class);
        const bool is_class =
            own != nullptr ? own->error_class == error_class : error_of(error_class).code == error_class;
        if (!is_class) throw Failure{MPI_ERR_ARG, fmt::format("no class of errors {}", error_class)};
        *code = ++process.last_code;
        process.own_errors.push_back({.error_class = error_class});
    });
}
int MPI_Add_error_string(int code, const char* text)
{
    return call("MPI_Add_error_string", [&](Process& process) {
        auto* const own = process.own_error(code);
        if (own == nullptr) throw Failure{MPI_ERR_ARG, fmt::format("no error that the program has added: {}", code)};
        own->text = std::string(text).substr(0, MPI_MAX_ERROR_STRING - 1);
    });
}
int MPI_Error_class(int code, int* error_class)
{
    const auto* const own = code > MPI_ERR_LASTCODE ? Guest::current().process().own_error(code) : nullptr;
    *error_class = own != nullptr ? own->error_class : error_of(code).code;
    return MPI_SUCCESS;
}
int MPI_Error_string(int code, char* text, int* length)
{
    const auto* const own = code > MPI_ERR_LASTCODE ? Guest::current().process().own_error(code) : nullptr;
    const ErrorName& error = error_of(code);
    const std::string words = own != nullptr ? own->text : fmt::format("{}: {}", error.name, error.meaning);
    *length = static_cast<int>(std::strlen(std::strcpy(text, words.c_str())));
    return MPI_SUCCESS;
}

}  // namespace calls

namespace {

long long ringmesh_clock()
{
    long long nanoseconds = 0;
    at_any_time("clock", [&](Guest& guest) { nanoseconds = guest.clock().ps() / 1000; });
    return nanoseconds;
}
void ringmesh_compute(double cycles)
{
    at_any_time("compute", [&](Guest& guest) { guest.compute(cycles); });
}
void ringmesh_compute_flops(double operations)
{
    at_any_time("compute", [&](Guest& guest) { guest.compute(operations / guest.flops_per_cycle()); });
}
void ringmesh_sleep(long long nanoseconds)
{
    at_any_time("sleep", [&](Guest& guest) { guest.sleep(guest.duration(static_cast<double>(nanoseconds) * 1e3)); });
}
void ringmesh_exit(int status, int at_once) { Guest::current().exit(status, at_once != 0); }
void ringmesh_refuse(const char* what)
{
    Guest& guest = Guest::current();
    guest.fail(std::make_exception_ptr(UserError(
        fmt::format("rank {} called {}, which a rank of a simulation cannot do: it is one thread of the simulator; "
                    "leave the call out",
                    guest.rank(), what))));
}
void ringmesh_raise(int signal)
{
    Guest& guest = Guest::current();
    guest.fail(std::make_exception_ptr(UserError(
        fmt::format("rank {} raised a signal for which it has no handler: {}", guest.rank(), ::strsignal(signal)))));
}
void ringmesh_moved() { Guest::current().keep_place(); }

}  // namespace

const ringmesh_table* table()
{
    static const ringmesh_table all{
#define CALL(result, name, parameters, arguments) &calls::name,
#include "workloads/foreign/program/mpi_calls.inc"
#undef CALL
#define CALL(result, name, parameters, arguments) &rcce_calls::name,
#include "workloads/foreign/program/rcce_calls.inc"
#undef CALL
        &rcce_init,     &ringmesh_clock,  &ringmesh_compute, &ringmesh_compute_flops, &ringmesh_sleep,
        &ringmesh_exit, &ringmesh_refuse, &ringmesh_raise,   &ringmesh_moved};
    return &all;
}

}  // namespace ringmesh::workloads::foreign
