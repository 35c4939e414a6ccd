// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "workloads/foreign/calls/calls.h"

namespace ringmesh::workloads::foreign {
namespace {

std::shared_ptr<Window> window_of(Process& process, MPI_Win handle)
{
    auto window = process.windows.find(handle);
    if (!window) throw Failure{MPI_ERR_WIN, "no such window"};
    return window;
}

/// Its own error handler has the errors, while there is such a window.
int call_window(const GuestCall& now, MPI_Win handle,
                const std::function<void(Process&, const std::shared_ptr<Window>&)>& work)
{
    int code = MPI_SUCCESS;
    const int other = call(now, MPI_COMM_WORLD, [&](Process& process) {
        const auto window = window_of(process, handle);
        try {
            work(process, window);
        } catch (const Failure& failure) {
            code = handled_by(window->handler, Guest::current(), now, handle, failure);
        }
    });
    return other == MPI_SUCCESS ? code : other;
}

int call_window(std::string_view name, MPI_Win handle,
                const std::function<void(Process&, const std::shared_ptr<Window>&)>& work)
{
    return call_window(GuestCall{.name = name}, handle, work);
}

/// What a window is told of its use, with what holds if nothing is said; other keys are nobody's.
Info window_hints(const Window& window, const Info* told)
{
    Info all{{"no_locks", "false"},
             {"accumulate_ordering", "rar,raw,war,waw"},
             {"accumulate_ops", "same_op_no_op"},
             {"same_size", "false"},
             {"same_disp_unit", "false"}};
    if (window.flavor == MPI_WIN_FLAVOR_SHARED) all.emplace_back("alloc_shared_noncontig", "false");
    for (auto& [key, value] : all) {
        const Info& known = told == nullptr ? window.info : *told;
        for (const auto& each : window.info) value = each.first == key ? each.second : value;
        for (const auto& each : known) value = each.first == key ? each.second : value;
    }
    return all;
}

struct WindowMemory {
    std::byte* base = nullptr;
    MPI_Aint size = 0;
    int unit = 1;
};

int make_window(std::string_view name, int flavor, const WindowMemory& memory, MPI_Info info, MPI_Comm handle,
                void* base, MPI_Win* made)
{
    return collective_now({name, handle}, [&](Process& process, const Comm& comm) {
        if (comm->is_inter()) throw Failure{MPI_ERR_COMM, "a communicator of two groups"};
        if (memory.size < 0) throw Failure{MPI_ERR_SIZE, fmt::format("a size of {}", memory.size)};
        if (memory.unit <= 0) throw Failure{MPI_ERR_DISP, fmt::format("a unit of {}", memory.unit)};
        auto window = std::make_shared<Window>();
        window->flavor = flavor;
        window->base = memory.base;
        window->size = memory.size;
        window->unit = memory.unit;
        window->info = window_hints(*window, info == MPI_INFO_NULL ? nullptr : &info_of(process, info));
        process.open_window(comm, window);
        if (base != nullptr) *static_cast<void**>(base) = window->base;
        *made = process.windows.add(window);
    });
}

int set_window_handler(std::string_view name, MPI_Win handle, MPI_Errhandler handler)
{
    return call_window(name, handle, [&](Process& process, const std::shared_ptr<Window>& window) {
        if (handler != MPI_ERRORS_ARE_FATAL && handler != MPI_ERRORS_RETURN && !process.error_handlers.find(handler)) {
            throw Failure{MPI_ERR_ARG, "no such error handler"};
        }
        window->handler = handler;
    });
}

void require_window_rank(const Window& window, int rank)
{
    if (rank != MPI_PROC_NULL) require_rank(*window.comm, rank);
}

void require_assertion(int assertion, int known)
{
    if ((assertion & ~known) != 0) throw Failure{MPI_ERR_ASSERT, fmt::format("an assertion of {}", assertion)};
}

/// Ranks of the window's group.
std::vector<int> ranks_of(Process& process, const Window& window, MPI_Group group)
{
    std::vector<int> ranks;
    for (const unsigned world : *group_of(process, group)) {
        ranks.push_back(window.comm->rank_of(world));
        if (ranks.back() == MPI_UNDEFINED) throw Failure{MPI_ERR_GROUP, "a group with others than the window's"};
    }
    return ranks;
}

struct AccessBuffer {
    const void* from = nullptr;
    void* into = nullptr;
    int count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
};
struct AccessTarget {
    int rank;
    MPI_Aint place;
    int count;
    MPI_Datatype type;
    bool is_plain = false;  // a put or get
};

bool is_plain_operation(MPI_Op op) { return op > MPI_OP_NULL && op <= MPI_NO_OP; }

/// What is sent, and room for what is fetched; either may not be.
int access_window(std::string_view name, MPI_Win handle, const AccessTarget& target, MPI_Op op,
                  const std::optional<AccessBuffer>& out, const std::optional<AccessBuffer>& in, MPI_Request* request,
                  const void* compare = nullptr)
{
    const auto shown = predefined_type(target.type);
    const auto each = static_cast<std::uint64_t>(shown ? shown->size : 0);
    const std::uint64_t bytes = each * static_cast<std::uint64_t>(std::max(target.count, 0));
    const GuestCall now{.name = name, .peer = target.rank, .bytes = bytes, .moved = bytes};
    return call_window(now, handle, [&](Process& process, const std::shared_ptr<Window>& window) {
        Access access{.target = target.rank,
                      .place = target.place,
                      .op = op,
                      .is_plain = target.is_plain,
                      .fetches = in.has_value(),
                      .compare = compare};
        require_window_rank(*window, target.rank);
        if (!is_plain_operation(op)) throw Failure{MPI_ERR_OP, "an operation that is not predefined"};
        access.type = type_of(process, target.type);
        access.count = count_of(target.count);
        if (out && op != MPI_NO_OP) access.from = {out->from, count_of(out->count), type_of(process, out->type)};
        if (in) access.into = {in->into, count_of(in->count), type_of(process, in->type)};
        if (request != nullptr) access.request = std::make_shared<Request>();
        process.access(*window, access);
        if (request != nullptr) *request = process.requests.add(access.request);
    });
}

int put_to(std::string_view name, const AccessBuffer& out, const AccessTarget& target, MPI_Op op, MPI_Win win,
           MPI_Request* request = nullptr)
{
    // That of accumulates is never none
    return access_window(name, win, target, op == MPI_NO_OP ? MPI_OP_NULL : op, out, std::nullopt, request);
}

int fetch_and_combine(std::string_view name, const AccessBuffer& out, const AccessBuffer& in,
                      const AccessTarget& target, MPI_Op op, MPI_Win win, MPI_Request* request = nullptr)
{
    return access_window(name, win, target, op, out, in, request);
}

int end_of_access(std::string_view name, MPI_Win win, std::optional<int> rank,
                  const std::function<void(Process&, Window&)>& work)
{
    return call_window(GuestCall{.name = name, .peer = rank.value_or(MPI_UNDEFINED)}, win,
                       [&](Process& process, const std::shared_ptr<Window>& window) {
                           if (rank) require_window_rank(*window, *rank);
                           if (rank != MPI_PROC_NULL) work(process, *window);
                       });
}

int flush_window(std::string_view name, MPI_Win win, std::optional<int> rank, bool is_local)
{
    return end_of_access(name, win, rank,
                         [&](Process& process, Window& window) { process.flush(window, rank, is_local); });
}

}  // namespace

namespace calls {

int MPI_Win_create(void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win* win)
{
    return make_window("MPI_Win_create", MPI_WIN_FLAVOR_CREATE, {static_cast<std::byte*>(base), size, unit}, info, comm,
                       nullptr, win);
}
int MPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* win)
{
    return make_window("MPI_Win_allocate", MPI_WIN_FLAVOR_ALLOCATE, {nullptr, size, unit}, info, comm, base, win);
}
int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* win)
{
    return make_window("MPI_Win_allocate_shared", MPI_WIN_FLAVOR_SHARED, {nullptr, size, unit}, info, comm, base, win);
}
int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win* win)
{
    return make_window("MPI_Win_create_dynamic", MPI_WIN_FLAVOR_DYNAMIC, {}, info, comm, nullptr, win);
}
int MPI_Win_shared_query(MPI_Win win, int rank, MPI_Aint* size, int* unit, void* base)
{
    return call_window("MPI_Win_shared_query", win, [&](Process&, const std::shared_ptr<Window>& window) {
        if (window->flavor != MPI_WIN_FLAVOR_SHARED) {
            throw Failure{MPI_ERR_RMA_FLAVOR, "a window whose ranks do not share memory"};
        }
        require_window_rank(*window, rank);
        Window::Peer found{};
        if (rank != MPI_PROC_NULL) {
            found = window->peer(rank);
        } else {
            const auto first = std::find_if(window->peers.begin(), window->peers.end(),
                                            [](const auto& each) { return each.size > 0; });
            if (first != window->peers.end()) found = *first;
        }
        *size = found.size;
        *unit = found.unit;
        *static_cast<void**>(base) = found.shared;
    });
}
int MPI_Win_attach(MPI_Win win, void* base, MPI_Aint size)
{
    return call_window("MPI_Win_attach", win, [&](Process&, const std::shared_ptr<Window>& window) {
        if (window->flavor != MPI_WIN_FLAVOR_DYNAMIC) throw Failure{MPI_ERR_RMA_FLAVOR, "no dynamic window"};
        if (size < 0) throw Failure{MPI_ERR_SIZE, fmt::format("a size of {}", size)};
        window->attached.emplace_back(static_cast<std::byte*>(base), size);
    });
}
int MPI_Win_detach(MPI_Win win, const void* base)
{
    return call_window("MPI_Win_detach", win, [&](Process&, const std::shared_ptr<Window>& window) {
        if (window->flavor != MPI_WIN_FLAVOR_DYNAMIC) throw Failure{MPI_ERR_RMA_FLAVOR, "no dynamic window"};
        const auto found = std::find_if(window->attached.begin(), window->attached.end(),
                                        [&](const auto& each) { return each.first == base; });
        if (found == window->attached.end()) throw Failure{MPI_ERR_RMA_ATTACH, "memory that is not attached"};
        window->attached.erase(found);
    });
}
int MPI_Win_free(MPI_Win* win)
{
    const int code = call_window("MPI_Win_free", *win, [&](Process& process, const std::shared_ptr<Window>& window) {
        process.close_window(window, *win);
        *win = MPI_WIN_NULL;
    });
    return code;
}
int MPI_Win_get_group(MPI_Win win, MPI_Group* group)
{
    return call_window("MPI_Win_get_group", win, [&](Process& process, const std::shared_ptr<Window>& window) {
        *group = process.groups.add(std::make_shared<Members>(window->comm->members));
    });
}
int MPI_Win_set_info(MPI_Win win, MPI_Info info)
{
    return call_window("MPI_Win_set_info", win, [&](Process& process, const std::shared_ptr<Window>& window) {
        if (info != MPI_INFO_NULL) window->info = window_hints(*window, &info_of(process, info));
    });
}
int MPI_Win_get_info(MPI_Win win, MPI_Info* info)
{
    return call_window("MPI_Win_get_info", win, [&](Process& process, const std::shared_ptr<Window>& window) {
        *info = process.infos.add(std::make_shared<Info>(window->info));
    });
}
int MPI_Win_set_name(MPI_Win win, const char* name)
{
    return call_window("MPI_Win_set_name", win, [&](Process&, const std::shared_ptr<Window>& window) {
        window->name = std::string(name).substr(0, MPI_MAX_OBJECT_NAME - 1);
    });
}
int MPI_Win_get_name(MPI_Win win, char* name, int* length)
{
    return call_window("MPI_Win_get_name", win,
                       [&](Process&, const std::shared_ptr<Window>& window) { put_text(window->name, name, length); });
}
int MPI_Win_create_keyval(MPI_Win_copy_attr_function* copy, MPI_Win_delete_attr_function* remove, int* key, void* extra)
{
    return create_keyval("MPI_Win_create_keyval", copy, remove, key, extra);
}
int MPI_Win_free_keyval(int* key) { return free_keyval("MPI_Win_free_keyval", key); }
int MPI_Win_set_attr(MPI_Win win, int key, void* value)
{
    return call_window("MPI_Win_set_attr", win, [&](Process& process, const std::shared_ptr<Window>& window) {
        set_attribute(process, window->attributes, win, key, value);
    });
}
int MPI_Win_get_attr(MPI_Win win, int key, void* value, int* flag)
{
    return call_window("MPI_Win_get_attr", win, [&](Process& process, const std::shared_ptr<Window>& window) {
        void* found = nullptr;
        *flag = 1;
        switch (key) {
            case MPI_WIN_BASE: found = window->base; break;
            case MPI_WIN_SIZE: found = &window->size; break;
            case MPI_WIN_DISP_UNIT: found = &window->unit; break;
            case MPI_WIN_CREATE_FLAVOR: found = &window->flavor; break;
            case MPI_WIN_MODEL: found = &window->model; break;
            default: {
                if (!process.keyvals.find(key)) throw Failure{MPI_ERR_KEYVAL, "no such key"};
                void* const* const place = find_attribute(window->attributes, key);
                *flag = place == nullptr ? 0 : 1;
                if (place == nullptr) return;
                found = *place;
            }
        }
        *static_cast<void**>(value) = found;
    });
}
int MPI_Win_delete_attr(MPI_Win win, int key)
{
    return call_window("MPI_Win_delete_attr", win, [&](Process& process, const std::shared_ptr<Window>& window) {
        if (!process.keyvals.find(key)) throw Failure{MPI_ERR_KEYVAL, "no such key"};
        process.delete_attribute(window->attributes, win, key);
    });
}
int MPI_Win_create_errhandler(MPI_Win_errhandler_function* function, MPI_Errhandler* handler)
{
    return call("MPI_Win_create_errhandler", [&](Process& process) {
        *handler = process.error_handlers.add(std::make_shared<MPI_Comm_errhandler_function*>(function));
    });
}
int MPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler handler)
{
    return set_window_handler("MPI_Win_set_errhandler", win, handler);
}
int MPI_Win_get_errhandler(MPI_Win win, MPI_Errhandler* handler)
{
    return call_window("MPI_Win_get_errhandler", win,
                       [&](Process&, const std::shared_ptr<Window>& window) { *handler = window->handler; });
}
int MPI_Win_call_errhandler(MPI_Win win, int code)
{
    call_window("MPI_Win_call_errhandler", win, [&](Process&, const std::shared_ptr<Window>&) {
        throw Failure{code, "the program calls its error handler"};
    });
    return MPI_SUCCESS;
}

int MPI_Put(const void* origin, int origin_count, MPI_Datatype origin_type, int target, MPI_Aint place,
            int target_count, MPI_Datatype target_type, MPI_Win win)
{
    return put_to("MPI_Put", {.from = origin, .count = origin_count, .type = origin_type},
                  {target, place, target_count, target_type, true}, MPI_REPLACE, win);
}
int MPI_Rput(const void* origin, int origin_count, MPI_Datatype origin_type, int target, MPI_Aint place,
             int target_count, MPI_Datatype target_type, MPI_Win win, MPI_Request* request)
{
    return put_to("MPI_Rput", {.from = origin, .count = origin_count, .type = origin_type},
                  {target, place, target_count, target_type, true}, MPI_REPLACE, win, request);
}
int MPI_Get(void* origin, int origin_count, MPI_Datatype origin_type, int target, MPI_Aint place, int target_count,
            MPI_Datatype target_type, MPI_Win win)
{
    return access_window("MPI_Get", win, {target, place, target_count, target_type, true}, MPI_NO_OP, std::nullopt,
                         AccessBuffer{.into = origin, .count = origin_count, .type = origin_type}, nullptr);
}
int MPI_Rget(void* origin, int origin_count, MPI_Datatype origin_type, int target, MPI_Aint place, int target_count,
             MPI_Datatype target_type, MPI_Win win, MPI_Request* request)
{
    return access_window("MPI_Rget", win, {target, place, target_count, target_type, true}, MPI_NO_OP, std::nullopt,
                         AccessBuffer{.into = origin, .count = origin_count, .type = origin_type}, request);
}
int MPI_Accumulate(const void* origin, int origin_count, MPI_Datatype origin_type, int target, MPI_Aint place,
                   int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win win)
{
    return put_to("MPI_Accumulate", {.from = origin, .count = origin_count, .type = origin_type},
                  {target, place, target_count, target_type}, op, win);
}
int MPI_Raccumulate(const void* origin, int origin_count, MPI_Datatype origin_type, int target, MPI_Aint place,
                    int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win win, MPI_Request* request)
{
    return put_to("MPI_Raccumulate", {.from = origin, .count = origin_count, .type = origin_type},
                  {target, place, target_count, target_type}, op, win, request);
}
int MPI_Get_accumulate(const void* origin, int origin_count, MPI_Datatype origin_type, void* result, int result_count,
                       MPI_Datatype result_type, int target, MPI_Aint place, int target_count, MPI_Datatype target_type,
                       MPI_Op op, MPI_Win win)
{
    return fetch_and_combine("MPI_Get_accumulate", {.from = origin, .count = origin_count, .type = origin_type},
                             {.into = result, .count = result_count, .type = result_type},
                             {target, place, target_count, target_type}, op, win);
}
int MPI_Rget_accumulate(const void* origin, int origin_count, MPI_Datatype origin_type, void* result, int result_count,
                        MPI_Datatype result_type, int target, MPI_Aint place, int target_count,
                        MPI_Datatype target_type, MPI_Op op, MPI_Win win, MPI_Request* request)
{
    return fetch_and_combine("MPI_Rget_accumulate", {.from = origin, .count = origin_count, .type = origin_type},
                             {.into = result, .count = result_count, .type = result_type},
                             {target, place, target_count, target_type}, op, win, request);
}
int MPI_Fetch_and_op(const void* origin, void* result, MPI_Datatype type, int target, MPI_Aint place, MPI_Op op,
                     MPI_Win win)
{
    return fetch_and_combine("MPI_Fetch_and_op", {.from = origin, .count = 1, .type = type},
                             {.into = result, .count = 1, .type = type}, {target, place, 1, type}, op, win);
}
int MPI_Compare_and_swap(const void* origin, const void* compare, void* result, MPI_Datatype type, int target,
                         MPI_Aint place, MPI_Win win)
{
    // Types that can be compared by their bytes
    const auto elements = predefined_type(type);
    const bool is_of_bits = elements && elements->is_contiguous() &&
                            !((type >= MPI_FLOAT && type <= MPI_LONG_DOUBLE_INT) ||
                              (type >= MPI_C_FLOAT_COMPLEX && type <= MPI_C_LONG_DOUBLE_COMPLEX));
    if (!is_of_bits) {
        return call_window("MPI_Compare_and_swap", win, [&](Process&, const std::shared_ptr<Window>&) {
            throw Failure{MPI_ERR_TYPE, "neither integer, logical nor byte"};
        });
    }
    return access_window("MPI_Compare_and_swap", win, {target, place, 1, type}, MPI_REPLACE,
                         AccessBuffer{.from = origin, .count = 1, .type = type},
                         AccessBuffer{.into = result, .count = 1, .type = type}, nullptr, compare);
}

int MPI_Win_fence(int assertion, MPI_Win win)
{
    return call_window("MPI_Win_fence", win, [&](Process& process, const std::shared_ptr<Window>& window) {
        require_assertion(assertion, MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED);
        process.fence(*window, assertion);
    });
}
int MPI_Win_post(MPI_Group group, int assertion, MPI_Win win)
{
    return call_window("MPI_Win_post", win, [&](Process& process, const std::shared_ptr<Window>& window) {
        require_assertion(assertion, MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT);
        process.post(*window, ranks_of(process, *window, group), assertion);
    });
}
int MPI_Win_start(MPI_Group group, int assertion, MPI_Win win)
{
    return call_window("MPI_Win_start", win, [&](Process& process, const std::shared_ptr<Window>& window) {
        require_assertion(assertion, MPI_MODE_NOCHECK);
        process.start(*window, ranks_of(process, *window, group), assertion);
    });
}
int MPI_Win_complete(MPI_Win win)
{
    return end_of_access("MPI_Win_complete", win, std::nullopt,
                         [](Process& process, Window& window) { process.complete(window); });
}
int MPI_Win_wait(MPI_Win win)
{
    return end_of_access("MPI_Win_wait", win, std::nullopt,
                         [](Process& process, Window& window) { process.exposure_ended(window, true); });
}
int MPI_Win_test(MPI_Win win, int* flag)
{
    return end_of_access("MPI_Win_test", win, std::nullopt, [&](Process& process, Window& window) {
        *flag = process.exposure_ended(window, false) ? 1 : 0;
    });
}
int MPI_Win_lock(int type, int rank, int assertion, MPI_Win win)
{
    return call_window(GuestCall{.name = "MPI_Win_lock", .peer = rank}, win,
                       [&](Process& process, const std::shared_ptr<Window>& window) {
                           if (type != MPI_LOCK_EXCLUSIVE && type != MPI_LOCK_SHARED) {
                               throw Failure{MPI_ERR_LOCKTYPE, "neither exclusive nor shared"};
                           }
                           require_assertion(assertion, MPI_MODE_NOCHECK);
                           require_window_rank(*window, rank);
                           process.lock(*window, type, rank, assertion);
                       });
}
int MPI_Win_lock_all(int assertion, MPI_Win win)
{
    return call_window("MPI_Win_lock_all", win, [&](Process& process, const std::shared_ptr<Window>& window) {
        require_assertion(assertion, MPI_MODE_NOCHECK);
        process.lock_all(*window, assertion);
    });
}
int MPI_Win_unlock(int rank, MPI_Win win)
{
    return end_of_access("MPI_Win_unlock", win, rank,
                         [&](Process& process, Window& window) { process.unlock(window, rank); });
}
int MPI_Win_unlock_all(MPI_Win win)
{
    return end_of_access("MPI_Win_unlock_all", win, std::nullopt,
                         [](Process& process, Window& window) { process.unlock_all(window); });
}
int MPI_Win_flush(int rank, MPI_Win win) { return flush_window("MPI_Win_flush", win, rank, false); }
int MPI_Win_flush_all(MPI_Win win) { return flush_window("MPI_Win_flush_all", win, std::nullopt, false); }
int MPI_Win_flush_local(int rank, MPI_Win win) { return flush_window("MPI_Win_flush_local", win, rank, true); }
int MPI_Win_flush_local_all(MPI_Win win) { return flush_window("MPI_Win_flush_local_all", win, std::nullopt, true); }
int MPI_Win_sync(MPI_Win win)
{
    return end_of_access("MPI_Win_sync", win, std::nullopt, [](Process& process, Window&) { process.look(); });
}

}  // namespace calls
}  // namespace ringmesh::workloads::foreign
