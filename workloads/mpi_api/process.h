// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tlm/machine/task.h"
#include "tlm/units/duration.h"
#include "workloads/foreign/fiber.h"
#include "workloads/mpi_api/datatypes.h"
#include "workloads/mpi_api/operations.h"
#include "workloads/ranks/labelled.h"
#include "workloads/ranks/rank.h"

namespace ringmesh::workloads::mpi_api {

/// What runs a program whose calls do not return before they are done.
class Host {
public:
    virtual ~Host() = default;
    /// Until the work is done, in simulated time.
    virtual void await(Task<> work) = 0;
};

/// What the calls of a process cost beside their messages.
struct CallCosts {
    Duration test = Duration::picoseconds(1'000'000);  ///< of a call that only looks
    Duration clock = Duration::picoseconds(100'000);   ///< of reading a clock
};

/// Numbers of the objects of a process, for its program.
template <class T>
class Handles {
public:
    explicit Handles(int first) : first_(first) {}
    int add(std::shared_ptr<T> object)
    {
        for (std::size_t i = 0; i < all_.size(); ++i) {
            if (all_[i]) continue;
            all_[i] = std::move(object);
            return first_ + static_cast<int>(i);
        }
        all_.push_back(std::move(object));
        return first_ + static_cast<int>(all_.size()) - 1;
    }
    /// Null if there is none.
    std::shared_ptr<T> find(int handle) const
    {
        const int index = handle - first_;
        return index >= 0 && static_cast<std::size_t>(index) < all_.size() ? all_[static_cast<std::size_t>(index)]
                                                                           : nullptr;
    }
    void remove(int handle) { all_.at(static_cast<std::size_t>(handle - first_)) = nullptr; }

private:
    int first_;
    std::vector<std::shared_ptr<T>> all_;
};

/// Ranks of the world.
using Members = std::vector<unsigned>;

struct Cartesian {
    std::vector<int> dims;
    std::vector<int> periods;
    int rank_of(std::vector<int> coords) const;  ///< MPI_PROC_NULL if it is outside
    std::vector<int> coords_of(int rank) const;
    int size() const;
};

struct Communicator {
    std::uint32_t context = 0;  ///< of messages; that of collective calls is one more
    Members members;
    int rank = 0;
    MPI_Errhandler handler = MPI_ERRORS_ARE_FATAL;
    std::string name;
    std::vector<std::pair<int, void*>> attributes;  ///< key and value, in the order in which they were set
    std::optional<Cartesian> cartesian = {};
    int collectives = 0;  ///< that were begun: the tag of their messages, so that several may be under way

    int size() const { return static_cast<int>(members.size()); }
    int rank_of(unsigned world) const;
    /// Null if it has none of this key.
    void* const* attribute(int key) const;
};
using Comm = std::shared_ptr<Communicator>;

struct Keyval {
    MPI_Comm_copy_attr_function* copy = nullptr;
    MPI_Comm_delete_attr_function* remove = nullptr;
    void* extra = nullptr;
    bool is_freed = false;
};

/// A collective call that has returned before it is done: it goes on inside other calls, on a stack of its own.
struct Background {
    std::unique_ptr<Fiber> fiber;
    std::function<bool()> until;  ///< what it waits for
    int tag = 0;
    bool done = false;
    std::optional<Failure> failure = {};
    std::exception_ptr error = {};
};

/// A message that a process sends or expects, or a collective call.
struct Request {
    bool is_send = false;
    bool persistent = false;
    bool active = true;
    bool complete = false;
    bool buffered = false;
    bool synchronous = false;
    const void* from = nullptr;
    void* into = nullptr;
    std::size_t count = 0;
    TypePointer type;
    Comm comm;
    std::uint32_t context = 0;
    int peer = MPI_PROC_NULL;
    int tag = 0;
    MPI_Status status = {};
    std::string error;  ///< why its status has one

    Sending sending = {};
    std::uint64_t staged = 0;  ///< address of its bytes in the model
    std::uint32_t staged_bytes = 0;
    std::optional<Arrival> matched = {};
    std::shared_ptr<Background> background = {};
    std::uint64_t room() const { return type->size * count; }
};

/// The state of one process, and what its calls do. All but the constructor runs on the program's stack.
class Process final : private Addressee {
public:
    /// @param host, rank outlive it @pre the rank has labelled messages
    Process(Host& host, Rank& rank, unsigned ranks, const CallCosts& costs);

    void initialize();
    void finalize();
    bool initialized() const { return initialized_; }
    bool finalized() const { return finalized_; }
    /// Simulated time; reading it takes time.
    Duration clock();
    void sleep(Duration time);
    void compute(double cycles);

    /// @name Messages
    /// @{
    /// Begins it; a message to itself may be done at once.
    void start(Request& request);
    /// Whether it is done; what it held of the model is free then.
    bool settled(Request& request);
    void wait(Request& request);
    /// Lets what can happen do so; takes the time of a call that only looks.
    void look(const Sources& more = {});
    void wait_until(const std::function<bool()>& is_so, const Sources& more = {});
    /// The first message that waits for such a receive.
    const Arrival* waiting(const Communicator& comm, int source, int tag) const;
    MPI_Status status_of(const Arrival& arrival, const Communicator& comm) const;
    void probe(const Comm& comm, int source, int tag, MPI_Status& status);
    bool iprobe(const Comm& comm, int source, int tag, MPI_Status& status);
    void cancel(Request& request);
    /// Nobody waits for it any more.
    void abandon(std::shared_ptr<Request> request);
    void attach_buffer(void* buffer, int size);
    /// When all that is in it has gone.
    void* detach_buffer(int& size);
    /// @}

    /// @name Collective calls
    /// @{
    /// Before each: its messages get a tag.
    void begin_collective(Communicator& comm);
    /// Begins one that goes on in the background. @param work what the call does
    std::shared_ptr<Request> in_background(const Comm& comm, std::function<void()> work);
    void barrier(const Comm& comm);
    void bcast(void* buffer, std::size_t count, const TypePointer& type, int root, const Comm& comm);
    struct Place {
        void* at = nullptr;
        std::size_t count = 0;
    };
    struct ConstPlace {
        const void* at = nullptr;
        std::size_t count = 0;
    };
    /// @param pieces of each rank, at the root
    void gather(ConstPlace mine, const TypePointer& type, const std::vector<Place>& pieces, const TypePointer& to,
                int root, const Comm& comm, bool is_regular);
    void scatter(const std::vector<ConstPlace>& pieces, const TypePointer& type, Place mine, const TypePointer& to,
                 int root, const Comm& comm, bool is_regular);
    void allgather(ConstPlace mine, const TypePointer& type, const std::vector<Place>& pieces, const TypePointer& to,
                   const Comm& comm, bool is_regular);
    void alltoall(const std::vector<ConstPlace>& pieces, const TypePointer& type, const std::vector<Place>& places,
                  const TypePointer& to, const Comm& comm);
    struct Reduction {
        MPI_Datatype handle = MPI_DATATYPE_NULL;
        TypePointer type;
        std::shared_ptr<const Operation> op = nullptr;
    };
    void reduce(const void* from, void* into, std::size_t count, const Reduction& how, int root, const Comm& comm);
    void allreduce(const void* from, void* into, std::size_t count, const Reduction& how, const Comm& comm);
    void reduce_scatter(const void* from, void* into, const std::vector<std::size_t>& counts, const Reduction& how,
                        const Comm& comm);
    void scan(const void* from, void* into, std::size_t count, const Reduction& how, const Comm& comm, bool exclusive);
    /// inout = in op inout
    void combine(const Reduction& how, std::size_t count, void* in, void* inout);
    /// @}

    /// @name Communicators
    /// @{
    /// Of these members of another, which all call it; null for others. @param members of this rank's part
    Comm make_communicator(const Communicator& of, const Comm& agreed_over, Members members);
    Comm split(const Comm& comm, int color, int key);
    Comm duplicate(const Comm& comm, MPI_Comm handle);
    void free(const Comm& comm, MPI_Comm handle);
    void delete_attribute(Communicator& comm, MPI_Comm handle, int key);
    /// @}

    Handles<Communicator> communicators{MPI_COMM_WORLD};
    Handles<Members> groups{MPI_GROUP_EMPTY};
    Handles<const Type> types{64};
    Handles<Operation> operations{64};
    Handles<Request> requests{1};
    Handles<MPI_Comm_errhandler_function*> error_handlers{3};
    Handles<Keyval> keyvals{16};

    int rank() const { return static_cast<int>(me_); }
    unsigned node() const { return rank_.processor().node(); }

private:
    std::optional<std::uint64_t> arrived(const Arrival& arrival) override;
    void delivered(const Arrival& arrival) override;

    /// Lets those collective calls go on that can.
    void run_background();
    static bool matches(const Request& request, const Arrival& arrival);
    Sources sources(const Sources& more) const;
    void post(Request& request);
    /// Forgets those of nobody that are done.
    void tidy();
    void call_for(const Arrival& arrival, std::uint64_t into);
    void send_to_self(Request& request);
    std::uint64_t take_room(std::uint32_t size);
    void free_room(std::uint64_t address, std::uint32_t size);
    /// Room in the model for what is sent out of a place of the program or received there: one for all that are under
    /// way.
    void stage(Request& request, std::uint32_t size);
    void unstage(Request& request);
    void receive_into(Request& request, const Arrival& arrival);

    /// @name Bytes within collective calls
    /// @{
    Request sending(const Comm& comm, int to, const void* bytes, std::size_t count, const TypePointer& type) const;
    Request receiving(const Comm& comm, int from, void* bytes, std::size_t count, const TypePointer& type) const;
    void send(const Comm& comm, int to, const void* at, std::size_t count, const TypePointer& type);
    void receive(const Comm& comm, int from, void* at, std::size_t count, const TypePointer& type);
    void exchange(const Comm& comm, int to, ConstPlace out, int from, Place in, const TypePointer& type);
    void combine_in_order(const Reduction& how, std::size_t count, Elements& lower, Elements& upper, bool into_upper);
    std::uint32_t agree_on_context(const Comm& comm);
    /// @}

    struct Unexpected {
        Arrival arrival;
        std::uint64_t place = 0;  ///< of its bytes, unless they wait
    };
    struct Incoming {
        unsigned from = 0;
        std::uint64_t number = 0;
        Request* request = nullptr;
    };

    Host& host_;
    Rank& rank_;
    LabelledMessages& messages_;
    unsigned me_;
    CallCosts costs_;
    bool initialized_ = false;
    bool finalized_ = false;
    std::uint32_t next_context_ = 4;
    std::list<Request*> posted_;
    std::list<Unexpected> unexpected_;
    std::vector<Incoming> incoming_;
    std::vector<std::shared_ptr<Request>> abandoned_;
    std::vector<Request*> to_self_;  // that wait to be called for
    std::uint64_t self_number_ = 0;
    std::map<std::uint32_t, std::vector<std::uint64_t>> free_;
    struct Staged {
        std::uint64_t address = 0;
        std::uint32_t bytes = 0;
        unsigned users = 0;
    };
    std::map<const void*, Staged> staged_;  // by the place in the program
    std::vector<std::shared_ptr<Background>> backgrounds_;
    Background* running_ = nullptr;  // on its own stack
    int tag_ = 0;                    // of the collective call that runs
    void* buffer_ = nullptr;
    int buffer_bytes_ = 0;
};

}  // namespace ringmesh::workloads::mpi_api
