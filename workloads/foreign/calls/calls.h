// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "tlm/error.h"
#include "workloads/foreign/guest.h"
#include "workloads/foreign/mpi_api/process.h"

/// The calls of MPI as C knows them: arguments checked and handles found, then the semantics of mpi_api.
namespace ringmesh::workloads::foreign {

using namespace mpi_api;

struct ErrorName {
    int code;
    const char* name;
    const char* meaning;
};
const ErrorName& error_of(int code);
/// What the error handler of the communicator says, or that of the one which the failure is about.
int handled(Guest& guest, const GuestCall& now, MPI_Comm handle, const Failure& failure);
/// What an error handler says, that of a communicator or a window.
int handled_by(MPI_Errhandler handler, Guest& guest, const GuestCall& now, int handle, const Failure& failure);

/// The program is in a call, until an error handler of its own throws.
class InCall {
public:
    explicit InCall(const GuestCall& now) : guest_(Guest::current()), before_(guest_.enter(now)) {}
    InCall(const InCall&) = delete;
    InCall& operator=(const InCall&) = delete;
    ~InCall() { guest_.leave(before_); }
    Guest& guest() const { return guest_; }

private:
    Guest& guest_;
    const GuestCall before_;
};

template <class Work>
int call(const GuestCall& now, MPI_Comm comm, const Work& work)
{
    const InCall entered(now);
    Guest& guest = entered.guest();
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

/// What may be called at any time, before MPI_Init and after MPI_Finalize too.
template <class Work>
void at_any_time(std::string_view name, const Work& work)
{
    const InCall entered({.name = name});
    try {
        work(entered.guest());
    } catch (...) {
        entered.guest().fail(std::current_exception());
    }
}

/// @name What handles stand for @throws Failure if there is none
/// @{
Comm comm_of(Process& process, MPI_Comm handle);
TypePointer type_of(Process& process, MPI_Datatype handle);
std::shared_ptr<Members> group_of(Process& process, MPI_Group handle);
std::shared_ptr<const Operation> operation_of(Process& process, MPI_Op handle);
/// @}
std::size_t count_of(int count);
/// Of a peer.
void require_rank(const Communicator& comm, int rank, int error_class = MPI_ERR_RANK);
/// Of a message.
void require_tag(int tag);
MPI_Status empty_status();
void put(MPI_Status* to, MPI_Status status);
/// That of a request which is null or not under way: all of it.
void put_empty(MPI_Status* to);
void put_comm(Process& process, MPI_Comm* made, Comm comm);
void* at(void* buffer, std::ptrdiff_t elements, const Type& type);
const void* at(const void* buffer, std::ptrdiff_t elements, const Type& type);
/// Copies a name with the zero at its end; its length is without that.
void put_text(const std::string& text, char* into, int* length);

inline constexpr int kNoRoot = MPI_UNDEFINED;

struct Collective {
    std::string_view name;
    MPI_Comm comm = MPI_COMM_NULL;
    int root = kNoRoot;
    MPI_Request* request = nullptr;  ///< of one that returns before it is done
    bool persistent = false;
};
using Work = std::function<void()>;
/// Checks communicator and root, looks at the arguments, then does the work or begins it.
int collective(const Collective& what, const std::function<Work(Process&, const Comm&)>& prepare);
/// One that is done when it returns.
int collective_now(const Collective& what, const std::function<void(Process&, const Comm&)>& work);
/// A request of work in place of a message. @param tag of its collective messages
std::shared_ptr<Request> begin_work(Process& process, const Comm& comm, std::int32_t tag, bool begins,
                                    std::function<void(Request&)> work, MPI_Request* handle);

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

/// @name Attributes of any object
/// @{
void set_attribute(Process& process, Attributes& attributes, int handle, int key, void* value);
void* const* find_attribute(const Attributes& attributes, int key);
int create_keyval(std::string_view name, MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* remove,
                  int* key, void* extra);
int free_keyval(std::string_view name, int* key);
/// @}
Info& info_of(Process& process, MPI_Info handle);

/// The calls, by their names in C.
namespace calls {
#define CALL(result, name, parameters, arguments) result name parameters;
#include "workloads/foreign/program/mpi_calls.inc"
#undef CALL
}  // namespace calls

}  // namespace ringmesh::workloads::foreign
