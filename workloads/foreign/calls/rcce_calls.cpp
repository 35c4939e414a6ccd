// SPDX-License-Identifier: Apache-2.0
#include "workloads/foreign/calls/rcce_calls.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <string_view>

#include "tlm/error.h"
#include "workloads/foreign/guest.h"

namespace ringmesh::workloads::foreign {
namespace {

using RcceProcess = rcce_api::Process;

constexpr std::array<std::string_view, 28> kRcceErrors{"no error",
                                                       "not a target for the bytes",
                                                       "not a source of the bytes",
                                                       "no such rank",
                                                       "no such length of a message",
                                                       "no such flag",
                                                       "no such number of ranks",
                                                       "source and target overlap",
                                                       "not at the start of a line",
                                                       "no such thing to debug",
                                                       "the flag is in no message-passing buffer",
                                                       "no such value of a flag",
                                                       "the flag is not allocated",
                                                       "no such value",
                                                       "no such error",
                                                       "no power request allocated",
                                                       "failure of a power request",
                                                       "several power requests",
                                                       "no such divider of the clock",
                                                       "frequency too high",
                                                       "no power request under way",
                                                       "the power request is over",
                                                       "no such communicator",
                                                       "no such operation",
                                                       "no such datatype",
                                                       "no memory is left",
                                                       "the communicator is not set up",
                                                       "the core is not among the ranks"};

std::string_view rcce_error(int code)
{
    const int index = code == RCCE_SUCCESS ? 0 : code - RCCE_ERROR_BASE;
    return index >= 0 && static_cast<std::size_t>(index) < kRcceErrors.size()
               ? kRcceErrors.at(static_cast<std::size_t>(index))
               : std::string_view{};
}

std::size_t positive(ssize_t size) { return size < 0 ? 0 : static_cast<std::size_t>(size); }

GuestCall with(std::string_view name, int ue, std::size_t bytes = 0)
{
    return {.name = name, .peer = ue < 0 ? MPI_ANY_SOURCE : ue, .bytes = bytes, .moved = bytes};
}

/// A call between RCCE_init and RCCE_finalize, on the rank's stack. @param work returns a code
template <class Work>
int rcce_call(const GuestCall& now, const Work& work)
{
    Guest& guest = Guest::current();
    const GuestCall before = guest.enter(now);
    int code = RCCE_SUCCESS;
    try {
        RcceProcess& process = guest.rcce();
        if (!process.initialized() || process.finalized()) {
            throw UserError(fmt::format("rank {}: {} {}", guest.rank(), now.name,
                                        process.finalized() ? "after RCCE_finalize" : "before RCCE_init"));
        }
        code = work(process);
        if (code > RCCE_ERROR_BASE && process.complains) {
            fmt::print(stdout, "rank {}: {}: {}\n", guest.rank(), now.name, rcce_error(code));
        }
    } catch (...) {
        guest.fail(std::current_exception());
    }
    guest.leave(before);
    return code;
}

template <class Work>
int rcce_call(std::string_view name, const Work& work)
{
    return rcce_call(GuestCall{.name = name}, work);
}

/// One of iRCCE.
template <class Work>
int ircce_call(const GuestCall& now, const Work& work)
{
    return rcce_call(now, [&](RcceProcess& process) {
        if (!process.has_ircce()) {
            throw UserError(
                fmt::format("rank {}: {}: this library has no iRCCE; take --library ircce", process.ue(), now.name));
        }
        return work(process);
    });
}

template <class Work>
int ircce_call(std::string_view name, const Work& work)
{
    return ircce_call(GuestCall{.name = name}, work);
}

int set_debug(std::string_view name, int what, bool on)
{
    return rcce_call(name, [&](RcceProcess& process) {
        switch (what) {
            case RCCE_DEBUG_ALL:
            case RCCE_DEBUG_SYNCH:
            case RCCE_DEBUG_COMM:
            case RCCE_DEBUG_RPC:
            case RCCE_DEBUG_DEBUG: process.complains = on; return RCCE_SUCCESS;
            default: return RCCE_ERROR_DEBUG_FLAG;
        }
    });
}

int refuse_power(std::string_view name)
{
    return rcce_call(name, [&](RcceProcess& process) -> int {
        throw UserError(
            fmt::format("rank {} called {}, but the simulated chip keeps its clocks and voltages; leave the "
                        "call out, and set clocks by --set",
                        process.ue(), name));
    });
}

/// Copies as a C library does if no message-passing buffer is concerned.
void* ircce_copy(std::string_view name, void* target, const void* source, std::size_t size, bool is_put)
{
    const int code = ircce_call(name, [&](RcceProcess& process) {
        const auto is_buffer = [&](const void* at) { return process.memory().buffer_of(at).has_value(); };
        if (!is_buffer(target) && !is_buffer(source)) {
            std::memcpy(target, source, size);
            return RCCE_SUCCESS;
        }
        const auto to = static_cast<t_vcharp>(target);
        const auto from = static_cast<t_vcharp>(const_cast<void*>(source));
        const auto bytes = static_cast<int>(size);
        return is_put ? process.put(to, from, bytes, process.ue(), RcceProcess::By::kIrcce)
                      : process.get(to, from, bytes, process.ue(), RcceProcess::By::kIrcce);
    });
    return code == RCCE_SUCCESS ? target : nullptr;
}

}  // namespace

int rcce_init(RCCE_COMM* world)
{
    Guest& guest = Guest::current();
    const GuestCall before = guest.enter({.name = "RCCE_init"});
    try {
        guest.rcce().init(*world);
    } catch (...) {
        guest.fail(std::current_exception());
    }
    guest.leave(before);
    return RCCE_SUCCESS;
}

namespace rcce_calls {

int RCCE_finalize()
{
    return rcce_call("RCCE_finalize", [](RcceProcess& process) { return process.finalize(); });
}
double RCCE_wtime()
{
    Guest& guest = Guest::current();
    const GuestCall before = guest.enter({.name = "RCCE_wtime"});
    double seconds = 0;
    try {
        RcceProcess& process = guest.rcce();
        guest.clock();
        seconds = process.time();
    } catch (...) {
        guest.fail(std::current_exception());
    }
    guest.leave(before);
    return seconds;
}
int RCCE_ue()
{
    int ue = 0;
    rcce_call("RCCE_ue", [&](RcceProcess& process) { return ue = process.ue(), RCCE_SUCCESS; });
    return ue;
}
int RCCE_num_ues()
{
    int ues = 0;
    rcce_call("RCCE_num_ues", [&](RcceProcess& process) { return ues = process.num_ues(), RCCE_SUCCESS; });
    return ues;
}
int RCCE_acquire_lock(int ue)
{
    return rcce_call(with("RCCE_acquire_lock", ue), [&](RcceProcess& process) { return process.acquire_lock(ue); });
}
int RCCE_release_lock(int ue)
{
    return rcce_call(with("RCCE_release_lock", ue), [&](RcceProcess& process) { return process.release_lock(ue); });
}
void RCCE_fence()
{
    rcce_call("RCCE_fence", [](RcceProcess&) { return RCCE_SUCCESS; });
}
int RCCE_barrier(RCCE_COMM* comm)
{
    return rcce_call("RCCE_barrier", [&](RcceProcess& process) {
        return comm == nullptr ? RCCE_ERROR_COMM_UNDEFINED : process.barrier(*comm);
    });
}

t_vcharp RCCE_malloc(std::size_t size)
{
    t_vcharp at = nullptr;
    rcce_call("RCCE_malloc", [&](RcceProcess& process) { return at = process.malloc(size), RCCE_SUCCESS; });
    return at;
}
/// As much as there is, at most so many bytes.
t_vcharp RCCE_malloc_request(std::size_t size, std::size_t* given)
{
    t_vcharp at = nullptr;
    rcce_call("RCCE_malloc_request", [&](RcceProcess& process) {
        constexpr std::size_t kLine = RCCE_LINE_SIZE;
        const auto lines = [](std::size_t bytes) { return (bytes + kLine - 1) / kLine * kLine; };
        for (*given = lines(size); *given >= kLine; *given = *given == kLine ? 0 : lines(*given / 2)) {
            at = process.malloc(*given);
            if (at != nullptr) break;
        }
        return RCCE_SUCCESS;
    });
    return at;
}
void RCCE_free(t_vcharp at)
{
    rcce_call("RCCE_free", [&](RcceProcess& process) { return process.free(at), RCCE_SUCCESS; });
}
int RCCE_put(t_vcharp target, t_vcharp source, int size, int ue)
{
    return rcce_call(with("RCCE_put", ue, positive(size)), [&](RcceProcess& process) {
        return process.put(target, source, size, ue, RcceProcess::By::kRcce);
    });
}
int RCCE_get(t_vcharp target, t_vcharp source, int size, int ue)
{
    return rcce_call(with("RCCE_get", ue, positive(size)), [&](RcceProcess& process) {
        return process.get(target, source, size, ue, RcceProcess::By::kRcce);
    });
}
int RCCE_flag_alloc(RCCE_FLAG* flag)
{
    return rcce_call("RCCE_flag_alloc", [&](RcceProcess& process) {
        return flag == nullptr ? RCCE_ERROR_FLAG_UNDEFINED : process.flag_alloc(*flag);
    });
}
int RCCE_flag_free(RCCE_FLAG* flag)
{
    return rcce_call("RCCE_flag_free", [&](RcceProcess& process) {
        return flag == nullptr ? RCCE_ERROR_FLAG_UNDEFINED : process.flag_free(*flag);
    });
}
int RCCE_flag_write(RCCE_FLAG* flag, RCCE_FLAG_STATUS value, int ue)
{
    return rcce_call(with("RCCE_flag_write", ue), [&](RcceProcess& process) {
        return flag == nullptr ? RCCE_ERROR_FLAG_UNDEFINED : process.flag_write(*flag, value, ue);
    });
}
int RCCE_flag_read(RCCE_FLAG flag, RCCE_FLAG_STATUS* value, int ue)
{
    return rcce_call(with("RCCE_flag_read", ue), [&](RcceProcess& process) {
        return value == nullptr ? RCCE_ERROR_VAL_UNDEFINED : process.flag_read(flag, *value, ue);
    });
}
int RCCE_wait_until(RCCE_FLAG flag, RCCE_FLAG_STATUS value)
{
    return rcce_call("RCCE_wait_until", [&](RcceProcess& process) { return process.wait_until(flag, value); });
}
int RCCE_test_flag(RCCE_FLAG flag, RCCE_FLAG_STATUS value, int* result)
{
    return rcce_call("RCCE_test_flag", [&](RcceProcess& process) {
        RCCE_FLAG_STATUS now = RCCE_FLAG_UNSET;
        const int code = process.flag_read(flag, now, process.ue());
        *result = code == RCCE_SUCCESS && now == value ? 1 : 0;
        return code;
    });
}
int RCCE_probe(RCCE_FLAG flag)
{
    RCCE_FLAG_STATUS now = RCCE_FLAG_UNSET;
    rcce_call("RCCE_probe", [&](RcceProcess& process) { return process.flag_read(flag, now, process.ue()); });
    return now;
}

int RCCE_send(char* data, std::size_t size, int ue)
{
    return rcce_call(with("RCCE_send", ue, size), [&](RcceProcess& process) { return process.send(data, size, ue); });
}
int RCCE_recv(char* data, std::size_t size, int ue)
{
    return rcce_call(with("RCCE_recv", ue, size), [&](RcceProcess& process) { return process.recv(data, size, ue); });
}
int RCCE_recv_test(char* data, std::size_t size, int ue, int* done)
{
    return rcce_call(with("RCCE_recv_test", ue, size),
                     [&](RcceProcess& process) { return process.recv_test(data, size, ue, *done); });
}
int RCCE_gory_send(char* data, t_vcharp buffer, std::size_t room, RCCE_FLAG* ready, RCCE_FLAG* sent, std::size_t size,
                   int ue)
{
    const RcceProcess::OwnWay way{buffer, room, ready, sent};
    return rcce_call(with("RCCE_send", ue, size),
                     [&](RcceProcess& process) { return process.send(data, size, ue, &way); });
}
int RCCE_gory_recv(char* data, t_vcharp buffer, std::size_t room, RCCE_FLAG* ready, RCCE_FLAG* sent, std::size_t size,
                   int ue)
{
    const RcceProcess::OwnWay way{buffer, room, ready, sent};
    return rcce_call(with("RCCE_recv", ue, size),
                     [&](RcceProcess& process) { return process.recv(data, size, ue, &way); });
}
int RCCE_gory_recv_test(char* data, t_vcharp buffer, std::size_t room, RCCE_FLAG* ready, RCCE_FLAG* sent,
                        std::size_t size, int ue, int* done)
{
    const RcceProcess::OwnWay way{buffer, room, ready, sent};
    return rcce_call(with("RCCE_recv_test", ue, size),
                     [&](RcceProcess& process) { return process.recv_test(data, size, ue, *done, &way); });
}
int RCCE_bcast(char* data, std::size_t size, int root, RCCE_COMM comm)
{
    return rcce_call(with("RCCE_bcast", root, size),
                     [&](RcceProcess& process) { return process.bcast(data, size, root, comm); });
}
int RCCE_reduce(char* from, char* into, int count, int type, int op, int root, RCCE_COMM comm)
{
    return rcce_call(with("RCCE_reduce", root), [&](RcceProcess& process) {
        return process.reduce(from, into, count, {type, op}, root, false, comm);
    });
}
int RCCE_allreduce(char* from, char* into, int count, int type, int op, RCCE_COMM comm)
{
    return rcce_call("RCCE_allreduce", [&](RcceProcess& process) {
        return process.reduce(from, into, count, {type, op}, 0, true, comm);
    });
}

int RCCE_comm_split(int (*color)(int, void*), void* more, RCCE_COMM* comm)
{
    return rcce_call("RCCE_comm_split", [&](RcceProcess& process) {
        return comm == nullptr || color == nullptr ? RCCE_ERROR_COMM_UNDEFINED : process.comm_split(color, more, *comm);
    });
}
int RCCE_comm_free(RCCE_COMM* comm)
{
    return rcce_call("RCCE_comm_free", [&](RcceProcess& process) {
        return comm == nullptr ? RCCE_ERROR_COMM_UNDEFINED : process.comm_free(*comm);
    });
}
int RCCE_comm_size(RCCE_COMM comm, int* size)
{
    return rcce_call("RCCE_comm_size", [&](RcceProcess&) {
        if (comm.initialized != RCCE_COMM_INITIALIZED) return RCCE_ERROR_COMM_INITIALIZED;
        return *size = comm.size, RCCE_SUCCESS;
    });
}
int RCCE_comm_rank(RCCE_COMM comm, int* rank)
{
    return rcce_call("RCCE_comm_rank", [&](RcceProcess&) {
        if (comm.initialized != RCCE_COMM_INITIALIZED) return RCCE_ERROR_COMM_INITIALIZED;
        return *rank = comm.my_rank, RCCE_SUCCESS;
    });
}

t_vcharp RCCE_shmalloc(std::size_t size)
{
    t_vcharp at = nullptr;
    rcce_call("RCCE_shmalloc", [&](RcceProcess& process) { return at = process.shmalloc(size), RCCE_SUCCESS; });
    return at;
}
void RCCE_shfree(t_vcharp at)
{
    rcce_call("RCCE_shfree", [&](RcceProcess& process) { return process.shfree(at), RCCE_SUCCESS; });
}
void RCCE_shflush()
{
    rcce_call("RCCE_shflush", [](RcceProcess&) { return RCCE_SUCCESS; });
}

int RCCE_error_string(int code, char* text, int* length)
{
    const std::string_view words = rcce_error(code);
    if (!words.empty()) std::memcpy(text, words.data(), words.size());
    text[words.size()] = '\0';
    *length = static_cast<int>(words.size());
    return words.empty() ? RCCE_ERROR_INVALID_ERROR_CODE : RCCE_SUCCESS;
}
int RCCE_debug_set(int what) { return set_debug("RCCE_debug_set", what, true); }
int RCCE_debug_unset(int what) { return set_debug("RCCE_debug_unset", what, false); }

int RCCE_power_domain() { return refuse_power("RCCE_power_domain"); }
int RCCE_power_domain_master() { return refuse_power("RCCE_power_domain_master"); }
int RCCE_power_domain_size() { return refuse_power("RCCE_power_domain_size"); }
int RCCE_iset_power(int, RCCE_REQUEST*, int*, int*) { return refuse_power("RCCE_iset_power"); }
int RCCE_wait_power(RCCE_REQUEST*) { return refuse_power("RCCE_wait_power"); }
int RCCE_set_frequency_divider(int, int*) { return refuse_power("RCCE_set_frequency_divider"); }

int iRCCE_init()
{
    return ircce_call("iRCCE_init", [](RcceProcess&) { return iRCCE_SUCCESS; });
}
int iRCCE_isend(char* data, ssize_t size, int ue, iRCCE_SEND_REQUEST* request)
{
    return ircce_call(with("iRCCE_isend", ue, positive(size)),
                      [&](RcceProcess& process) { return process.isend(data, size, ue, request); });
}
int iRCCE_isend_test(iRCCE_SEND_REQUEST* request, int* done)
{
    return ircce_call("iRCCE_isend_test", [&](RcceProcess& process) { return process.test(request, done); });
}
int iRCCE_isend_wait(iRCCE_SEND_REQUEST* request)
{
    return ircce_call(request == nullptr ? GuestCall{.name = "iRCCE_isend_wait"}
                                         : with("iRCCE_isend_wait", request->dest, request->size),
                      [&](RcceProcess& process) { return process.wait(request); });
}
int iRCCE_isend_push()
{
    return ircce_call("iRCCE_isend_push", [](RcceProcess& process) { return process.push_sends(); });
}
int iRCCE_isend_cancel(iRCCE_SEND_REQUEST* request, int* done)
{
    return ircce_call("iRCCE_isend_cancel", [&](RcceProcess& process) { return process.cancel(request, done); });
}
int iRCCE_irecv(char* data, ssize_t size, int ue, iRCCE_RECV_REQUEST* request)
{
    return ircce_call(with("iRCCE_irecv", ue, positive(size)),
                      [&](RcceProcess& process) { return process.irecv(data, size, ue, request); });
}
int iRCCE_irecv_test(iRCCE_RECV_REQUEST* request, int* done)
{
    return ircce_call("iRCCE_irecv_test", [&](RcceProcess& process) { return process.test(request, done); });
}
int iRCCE_irecv_wait(iRCCE_RECV_REQUEST* request)
{
    return ircce_call(request == nullptr ? GuestCall{.name = "iRCCE_irecv_wait"}
                                         : with("iRCCE_irecv_wait", request->source, request->size),
                      [&](RcceProcess& process) { return process.wait(request); });
}
int iRCCE_irecv_push()
{
    return ircce_call("iRCCE_irecv_push", [](RcceProcess& process) { return process.push_receives(); });
}
int iRCCE_irecv_cancel(iRCCE_RECV_REQUEST* request, int* done)
{
    return ircce_call("iRCCE_irecv_cancel", [&](RcceProcess& process) { return process.cancel(request, done); });
}
int iRCCE_ssend(char* data, ssize_t size, int ue)
{
    const auto bytes = positive(size);
    return ircce_call(with("iRCCE_ssend", ue, bytes),
                      [&](RcceProcess& process) { return process.send(data, bytes, ue); });
}
int iRCCE_srecv(char* data, ssize_t size, int ue)
{
    return ircce_call(with("iRCCE_srecv", ue, positive(size)),
                      [&](RcceProcess& process) { return process.srecv(data, size, ue); });
}
int iRCCE_srecv_test(char* data, ssize_t size, int ue, int* done)
{
    return ircce_call(with("iRCCE_srecv_test", ue), [&](RcceProcess& process) {
        int source = iRCCE_ANY_SOURCE;
        const int code = process.iprobe(ue, source);
        *done = source == iRCCE_ANY_SOURCE ? 0 : 1;
        return *done == 0 ? code : process.srecv(data, size, source);
    });
}
int iRCCE_probe(int ue, int* source)
{
    return ircce_call(with("iRCCE_probe", ue), [&](RcceProcess& process) {
        int found = iRCCE_ANY_SOURCE;
        const int code = process.probe(ue, found);
        if (source != nullptr) *source = found;
        return code;
    });
}
int iRCCE_iprobe(int ue, int* source, int* found)
{
    return ircce_call(with("iRCCE_iprobe", ue), [&](RcceProcess& process) {
        int from = iRCCE_ANY_SOURCE;
        const int code = process.iprobe(ue, from);
        if (source != nullptr) *source = from;
        if (found != nullptr) *found = from == iRCCE_ANY_SOURCE ? 0 : 1;
        return code;
    });
}

void iRCCE_init_wait_list(iRCCE_WAIT_LIST* list) { *list = {nullptr, nullptr}; }
void iRCCE_add_to_wait_list(iRCCE_WAIT_LIST* list, iRCCE_SEND_REQUEST* send, iRCCE_RECV_REQUEST* recv)
{
    const auto add = [list](int type, void* request) {
        if (request == nullptr) return;
        auto* const element = new iRCCE_WAIT_LISTELEM{.type = type, .next = nullptr, .req = request};
        (list->first == nullptr ? list->first : list->last->next) = element;
        list->last = element;
    };
    add(iRCCE_WAIT_LIST_SEND_TYPE, send);
    add(iRCCE_WAIT_LIST_RECV_TYPE, recv);
}
int iRCCE_test_all(iRCCE_WAIT_LIST* list, int* done)
{
    return ircce_call("iRCCE_test_all", [&](RcceProcess& process) { return process.test_all(*list, done); });
}
int iRCCE_wait_all(iRCCE_WAIT_LIST* list)
{
    return ircce_call("iRCCE_wait_all", [&](RcceProcess& process) { return process.wait_all(*list); });
}
int iRCCE_test_any(iRCCE_WAIT_LIST* list, iRCCE_SEND_REQUEST** send, iRCCE_RECV_REQUEST** recv)
{
    return ircce_call("iRCCE_test_any", [&](RcceProcess& process) { return process.test_any(*list, send, recv); });
}
int iRCCE_wait_any(iRCCE_WAIT_LIST* list, iRCCE_SEND_REQUEST** send, iRCCE_RECV_REQUEST** recv)
{
    return ircce_call("iRCCE_wait_any", [&](RcceProcess& process) { return process.wait_any(*list, send, recv); });
}

int iRCCE_get_dest(iRCCE_SEND_REQUEST* request) { return request == nullptr ? iRCCE_ERROR : request->dest; }
int iRCCE_get_source(iRCCE_RECV_REQUEST* request)
{
    return request == nullptr ? Guest::current().rcce().last_source() : request->source;
}
int iRCCE_get_size(iRCCE_SEND_REQUEST* send, iRCCE_RECV_REQUEST* recv)
{
    if (send != nullptr) return static_cast<int>(send->size);
    return recv != nullptr ? static_cast<int>(recv->size) : iRCCE_get_length();
}
int iRCCE_get_length() { return Guest::current().rcce().last_length(); }
int iRCCE_get_status(iRCCE_SEND_REQUEST* send, iRCCE_RECV_REQUEST* recv)
{
    return ircce_call("iRCCE_get_status", [&](RcceProcess& process) {
        if (send != nullptr) return process.status(send);
        return recv != nullptr ? process.status(recv) : iRCCE_ERROR;
    });
}

int iRCCE_put(t_vcharp target, t_vcharp source, int size, int ue)
{
    return ircce_call(with("iRCCE_put", ue, positive(size)), [&](RcceProcess& process) {
        return process.put(target, source, size, ue, RcceProcess::By::kIrcce);
    });
}
int iRCCE_get(t_vcharp target, t_vcharp source, int size, int ue)
{
    return ircce_call(with("iRCCE_get", ue, positive(size)), [&](RcceProcess& process) {
        return process.get(target, source, size, ue, RcceProcess::By::kIrcce);
    });
}
void* iRCCE_memcpy_put(void* target, const void* source, std::size_t size)
{
    return ircce_copy("iRCCE_memcpy_put", target, source, size, true);
}
void* iRCCE_memcpy_get(void* target, const void* source, std::size_t size)
{
    return ircce_copy("iRCCE_memcpy_get", target, source, size, false);
}
int iRCCE_barrier(RCCE_COMM* comm)
{
    return ircce_call("iRCCE_barrier", [&](RcceProcess& process) {
        return comm == nullptr ? RCCE_ERROR_COMM_UNDEFINED : process.barrier(*comm);
    });
}
int iRCCE_bcast(char* data, std::size_t size, int root, RCCE_COMM comm)
{
    return ircce_call(with("iRCCE_bcast", root, size),
                      [&](RcceProcess& process) { return process.bcast(data, size, root, comm); });
}

}  // namespace rcce_calls

}  // namespace ringmesh::workloads::foreign
