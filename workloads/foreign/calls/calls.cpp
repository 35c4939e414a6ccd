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
                                 {MPI_ERR_KEYVAL, "MPI_ERR_KEYVAL", "invalid key of an attribute"},
                                 {MPI_ERR_INFO, "MPI_ERR_INFO", "invalid info"},
                                 {MPI_ERR_INFO_KEY, "MPI_ERR_INFO_KEY", "invalid key of an info"},
                                 {MPI_ERR_INFO_VALUE, "MPI_ERR_INFO_VALUE", "invalid value of an info"},
                                 {MPI_ERR_INFO_NOKEY, "MPI_ERR_INFO_NOKEY", "no such key in an info"},
                                 {MPI_ERR_NO_MEM, "MPI_ERR_NO_MEM", "no memory"},
                                 {MPI_ERR_WIN, "MPI_ERR_WIN", "invalid window"},
                                 {MPI_ERR_BASE, "MPI_ERR_BASE", "invalid base"},
                                 {MPI_ERR_SIZE, "MPI_ERR_SIZE", "invalid size"},
                                 {MPI_ERR_DISP, "MPI_ERR_DISP", "invalid displacement"},
                                 {MPI_ERR_LOCKTYPE, "MPI_ERR_LOCKTYPE", "invalid kind of lock"},
                                 {MPI_ERR_ASSERT, "MPI_ERR_ASSERT", "invalid assertion"},
                                 {MPI_ERR_RMA_CONFLICT, "MPI_ERR_RMA_CONFLICT", "conflicting accesses to a window"},
                                 {MPI_ERR_RMA_SYNC, "MPI_ERR_RMA_SYNC", "an access or call outside of its epoch"},
                                 {MPI_ERR_RMA_RANGE, "MPI_ERR_RMA_RANGE", "an access outside of the window"},
                                 {MPI_ERR_RMA_ATTACH, "MPI_ERR_RMA_ATTACH", "memory cannot be attached"},
                                 {MPI_ERR_RMA_SHARED, "MPI_ERR_RMA_SHARED", "memory cannot be shared"},
                                 {MPI_ERR_RMA_FLAVOR, "MPI_ERR_RMA_FLAVOR", "a window of the wrong flavor"}};

}  // namespace

const ErrorName& error_of(int code)
{
    for (const ErrorName& each : kErrors) {
        if (each.code == code) return each;
    }
    static constexpr ErrorName kUnknown{MPI_ERR_UNKNOWN, "MPI_ERR_UNKNOWN", "unknown error"};
    return kUnknown;
}

int handled(Guest& guest, const GuestCall& now, MPI_Comm handle, const Failure& failure)
{
    Process& process = guest.process();
    if (failure.comm) {
        const MPI_Comm its = process.communicators.handle_of(failure.comm).value_or(MPI_COMM_NULL);
        return handled_by(failure.comm->handler, guest, now, its, failure);
    }
    auto comm = process.communicators.find(handle);
    if (!comm) comm = process.communicators.find(MPI_COMM_WORLD);
    return handled_by(comm->handler, guest, now, handle, failure);
}

int handled_by(MPI_Errhandler handler, Guest& guest, const GuestCall& now, int handle, const Failure& failure)
{
    Process& process = guest.process();
    if (handler == MPI_ERRORS_RETURN) return failure.error_class;
    if (const auto function = process.error_handlers.find(handler); function && *function != nullptr) {
        int code = failure.error_class;
        (*function)(&handle, &code);
        return failure.error_class;
    }
    const auto* const own = process.own_error(failure.error_class);
    const std::string name = own == nullptr ? std::string(error_of(failure.error_class).name)
                                            : fmt::format("error {} of the program's own{}{}", failure.error_class,
                                                          own->text.empty() ? "" : ": ", own->text);
    guest.fail(std::make_exception_ptr(
        UserError(fmt::format("rank {}: {}: {} ({})", process.rank(), now.name, failure.text, name))));
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

void require_rank(const Communicator& comm, int rank, int error_class)
{
    if (rank >= 0 && rank < comm.peer_count()) return;
    throw Failure{error_class, fmt::format("rank {} of a communicator of {}", rank, comm.peer_count())};
}

void require_tag(int tag)
{
    if (tag < 0) throw Failure{MPI_ERR_TAG, fmt::format("a tag of {}", tag)};
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

void put_comm(Process& process, MPI_Comm* made, Comm comm)
{
    *made = comm ? process.communicators.add(std::move(comm)) : MPI_COMM_NULL;
}

void* at(void* buffer, std::ptrdiff_t elements, const Type& type) { return shifted(buffer, elements * type.extent()); }
const void* at(const void* buffer, std::ptrdiff_t elements, const Type& type)
{
    return shifted(buffer, elements * type.extent());
}

void put_empty(MPI_Status* to)
{
    if (to != MPI_STATUS_IGNORE) *to = empty_status();
}

void put_text(const std::string& text, char* into, int* length)
{
    std::memcpy(into, text.c_str(), text.size() + 1);
    *length = static_cast<int>(text.size());
}

std::shared_ptr<Request> begin_work(Process& process, const Comm& comm, std::int32_t tag, bool begins,
                                    std::function<void(Request&)> work, MPI_Request* handle)
{
    auto request = std::make_shared<Request>();
    request->comm = comm;
    request->persistent = !begins;
    request->active = false;
    request->work = std::move(work);
    request->work_tag = tag;
    if (begins) process.start_work(request);
    *handle = process.requests.add(request);
    return request;
}

int collective(const Collective& what, const std::function<Work(Process&, const Comm&)>& prepare)
{
    return call(GuestCall{.name = what.name, .peer = what.root < 0 ? MPI_UNDEFINED : what.root}, what.comm,
                [&](Process& process) {
                    const Comm comm = comm_of(process, what.comm);
                    const bool is_of_roots = comm->is_inter() && (what.root == MPI_ROOT || what.root == MPI_PROC_NULL);
                    if (what.root != kNoRoot && !is_of_roots) require_rank(*comm, what.root, MPI_ERR_ROOT);
                    const Work work = prepare(process, comm);
                    const std::int32_t tag = process.begin_collective(comm);
                    if (what.request == nullptr) {
                        work();
                    } else {
                        begin_work(
                            process, comm, tag, !what.persistent, [work](Request&) { work(); }, what.request);
                    }
                });
}

int collective_now(const Collective& what, const std::function<void(Process&, const Comm&)>& work)
{
    return collective(what, [&](Process& process, const Comm& comm) { return [&, comm] { work(process, comm); }; });
}

void set_attribute(Process& process, Attributes& attributes, int handle, int key, void* value)
{
    const auto keyval = process.keyvals.find(key);
    if (!keyval || keyval->is_freed) throw Failure{MPI_ERR_KEYVAL, "no such key"};
    process.delete_attribute(attributes, handle, key);
    attributes.emplace_back(key, value);
}

void* const* find_attribute(const Attributes& attributes, int key)
{
    for (const auto& each : attributes) {
        if (each.first == key) return &each.second;
    }
    return nullptr;
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

Info& info_of(Process& process, MPI_Info handle)
{
    const auto info = process.infos.find(handle);
    if (!info) throw Failure{MPI_ERR_INFO, "no such info"};
    return *info;
}

}  // namespace ringmesh::workloads::foreign
