// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "tlm/machine/task.h"
#include "tlm/units/duration.h"
#include "workloads/foreign/fiber.h"
#include "workloads/foreign/mpi_api/algorithms.h"
#include "workloads/foreign/mpi_api/datatypes.h"
#include "workloads/foreign/mpi_api/operations.h"
#include "workloads/foreign/mpi_api/windows.h"
#include "workloads/ranks/labelled.h"
#include "workloads/ranks/rank.h"
#include "workloads/recording/goal_recorder.h"

namespace ringmesh::workloads::mpi_api {

/// What runs a program whose calls do not return before they are done.
class Host {
public:
    virtual ~Host() = default;
    /// Until the work is done, in simulated time.
    virtual void await(Task<> work) = 0;
    /// Bytes of the stack of what runs beside the program.
    virtual Fiber::Stack stack() const = 0;
};

/// What the calls of a process cost beside their messages, and what bounds them.
struct CallCosts {
    Duration test = Duration::picoseconds(1'000'000);  ///< of a call that only looks
    Duration clock = Duration::picoseconds(100'000);   ///< of reading a clock
    Bytes card_get{16};                                ///< a longer MPI_Get asks the target, by messages
    /// Of a sender, who then keeps the bytes of further messages until a receive calls for them.
    Bytes unexpected{4 * 1024 * 1024};
};

/// Numbers of the objects of a process, for its program.
template <class T>
class Handles {
public:
    explicit Handles(int first) : first_(first) {}
    int add(std::shared_ptr<T> object)
    {
        while (free_ < all_.size() && all_[free_]) ++free_;
        if (free_ == all_.size()) all_.emplace_back();
        all_[free_] = std::move(object);
        return first_ + static_cast<int>(free_++);
    }
    /// Null if there is none.
    std::shared_ptr<T> find(int handle) const
    {
        const int index = handle - first_;
        return index >= 0 && static_cast<std::size_t>(index) < all_.size() ? all_[static_cast<std::size_t>(index)]
                                                                           : nullptr;
    }
    /// None if the program has freed it.
    std::optional<int> handle_of(const std::shared_ptr<T>& object) const
    {
        const auto found = std::find(all_.begin(), all_.end(), object);
        return found == all_.end() ? std::nullopt : std::optional(first_ + static_cast<int>(found - all_.begin()));
    }
    /// The handle stands for another object from now on. @return that it stood for
    std::shared_ptr<T> exchange(int handle, std::shared_ptr<T> object)
    {
        return std::exchange(all_.at(static_cast<std::size_t>(handle - first_)), std::move(object));
    }
    void remove(int handle)
    {
        const auto index = static_cast<std::size_t>(handle - first_);
        all_.at(index) = nullptr;
        free_ = std::min(free_, index);
    }

private:
    int first_;
    std::vector<std::shared_ptr<T>> all_;
    std::size_t free_ = 0;  // none before it is
};

/// A communicator has its number and those that follow: of messages, of collective calls, of making others.
inline constexpr std::uint32_t kContexts = 4;
/// That of no communicator: whether a receiver has room for what it does not expect.
inline constexpr std::uint32_t kRoomContext = UINT32_MAX;

/// Ranks of the world.
using Members = std::vector<unsigned>;

struct Cartesian {
    std::vector<int> dims;
    std::vector<int> periods;
    int rank_of(std::vector<int> coords) const;  ///< MPI_PROC_NULL if it is outside
    std::vector<int> coords_of(int rank) const;
    std::int64_t size() const;
};

/// As MPI_Graph_create has it.
struct Graph {
    std::vector<int> index;  ///< where the neighbours of the next rank begin
    std::vector<int> edges;
    std::vector<int> neighbours_of(int rank) const;
};

/// What one rank knows of a graph that is spread over all.
struct SpreadGraph {
    std::vector<int> sources;
    std::vector<int> destinations;
    std::vector<int> source_weights;
    std::vector<int> destination_weights;
    bool weighted = false;
};

/// Keys and values, in the order of their first being set.
using Info = std::vector<std::pair<std::string, std::string>>;

/// In the order of being set: they go in the opposite one.
using Attributes = std::vector<std::pair<int, void*>>;

struct Communicator {
    std::uint32_t context = 0;  ///< of messages; that of collective calls is one more
    Members members;            ///< of this rank's group
    int rank = 0;
    MPI_Errhandler handler = MPI_ERRORS_ARE_FATAL;
    std::string name;
    Attributes attributes = {};
    std::optional<Cartesian> cartesian = {};
    std::optional<Graph> graph = {};
    std::optional<SpreadGraph> spread_graph = {};
    Info info = {};
    std::optional<Members> remote = {};        ///< the other group of an inter-communicator
    std::shared_ptr<Communicator> local = {};  ///< of this rank's group of an inter-communicator
    std::int32_t collectives = 0;              ///< begun so far

    bool is_inter() const { return remote.has_value(); }
    /// Whom messages go to and come from.
    const Members& peers() const { return remote ? *remote : members; }
    unsigned world_rank(int peer) const { return peers()[static_cast<std::size_t>(peer)]; }
    int size() const { return static_cast<int>(members.size()); }
    int peer_count() const { return static_cast<int>(peers().size()); }
    /// Of a peer.
    int rank_of(unsigned world) const;
};
using Comm = std::shared_ptr<Communicator>;

/// What a program has told of a datatype's handle.
struct TypeNotes {
    std::string name;
    Attributes attributes;
};

/// Of communicators or of datatypes: in C the functions are the same.
struct Keyval {
    MPI_Comm_copy_attr_function* copy = nullptr;
    MPI_Comm_delete_attr_function* remove = nullptr;
    void* extra = nullptr;
    bool is_freed = false;
};

struct Request;

/// Work of a call that returns before it is done: on a stack of its own, it goes on in later calls.
struct Strand {
    std::unique_ptr<Fiber> fiber;
    std::shared_ptr<Request> request;
    std::optional<Task<>> wanted = {};             ///< simulated time that it takes now
    const std::function<bool()>* until = nullptr;  ///< what it waits for
    bool woken = false;                            ///< something may have come for it
    std::exception_ptr error = {};
    std::int32_t tag = 0;
};

/// A request that the program itself completes.
struct OwnRequest {
    MPI_Grequest_query_function* query = nullptr;
    MPI_Grequest_free_function* free = nullptr;
    MPI_Grequest_cancel_function* cancel = nullptr;
    void* extra = nullptr;
};

/// A message that a process sends or expects, or other work under way.
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
    int error_class = MPI_ERR_TRUNCATE;
    std::function<void(Request&)> work = {};  ///< in place of a message
    std::int32_t work_tag = 0;
    std::optional<OwnRequest> own = {};

    Strand* strand = nullptr;  ///< that waits for it
    Sending sending = {};
    std::uint64_t staged = 0;  ///< address of its bytes in the model
    std::uint32_t staged_bytes = 0;
    std::uint64_t recorded = 0;  ///< MessageListener's name of it; 0: none, or it is known to be done
    std::optional<Arrival> matched = {};
    std::uint64_t room() const { return type->size * count; }
};

/// The state of one process, and what its calls do. All but the constructor runs on the program's stack.
class Process final : private Addressee {
public:
    /// @param host, rank outlive it @pre the rank has labelled messages
    /// @param listener outlives it; null: none
    Process(Host& host, Rank& rank, unsigned ranks, const CallCosts& costs, const Algorithms& algorithms,
            MessageListener* listener);

    void initialize();
    void finalize();
    /// Whether an address is below the stack of the call that runs beside the program.
    bool guards(const void* address) const;
    bool initialized() const { return initialized_; }
    bool finalized() const { return finalized_; }
    void sleep(Duration time);

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
    /// A send is never called back: it goes on by itself, with the bytes that it had, and its request is complete.
    void let_go(MPI_Request handle);
    /// A message taken out of those that wait, for one receive.
    struct Message {
        Comm comm;
        Arrival arrival;
        std::uint64_t place = 0;
    };
    /// @pre waiting() has one
    std::shared_ptr<Message> take_waiting(const Comm& comm, int source, int tag);
    /// Begins the receive of it.
    void start(Request& request, const Message& message);
    /// Begins its work, which may be done at once. @pre it has work
    void start_work(const std::shared_ptr<Request>& request);
    /// Nobody waits for it any more.
    void abandon(std::shared_ptr<Request> request);
    void attach_buffer(void* buffer, int size);
    /// When all that is in it has gone.
    void* detach_buffer(int& size);
    /// @}

    /// @name Collective calls
    /// @{
    /// The next collective call over it has messages of its own. @return their tag
    std::int32_t begin_collective(const Comm& comm);
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
                   const Comm& comm);
    /// @param is_regular all pieces have one size
    void alltoall(const std::vector<ConstPlace>& pieces, const TypePointer& type, const std::vector<Place>& places,
                  const TypePointer& to, const Comm& comm, bool is_regular);
    struct Piece {
        int peer = 0;
        const void* at = nullptr;
        std::size_t count = 0;
        TypePointer type;
    };
    struct Slot {
        int peer = 0;
        void* at = nullptr;
        std::size_t count = 0;
        TypePointer type;
    };
    /// All at once; those of one pair of ranks meet in their order.
    void exchange_all(const std::vector<Piece>& pieces, const std::vector<Slot>& slots, const Comm& comm);
    /// Each a piece for each peer: of types of their own. @param window messages under way
    static constexpr int kWindow = 32;
    void alltoallw(const std::vector<Piece>& pieces, const std::vector<Slot>& slots, const Comm& comm,
                   int window = kWindow);
    struct Reduction {
        MPI_Datatype handle = MPI_DATATYPE_NULL;
        TypePointer type;
        std::shared_ptr<const Operation> op;
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
    /// @param attributes that it gets
    Comm duplicate(const Comm& comm, Attributes attributes);
    void free(const Comm& comm, MPI_Comm handle);
    /// Only the members of the group call it.
    Comm make_of_group(const Comm& comm, const Members& members, int tag);
    Comm make_inter(const Comm& local, int leader, const Comm& bridge, int remote_leader, int tag);
    Comm merge(const Comm& inter, bool high);
    /// What a copy of the object has. @throws Failure of a function that copies
    Attributes copies_of(const Attributes& attributes, int handle);
    void delete_attribute(Attributes& attributes, int handle, int key);
    /// The last first.
    void delete_attributes(Attributes& attributes, int handle);
    /// @}

    /// @name Windows: others reach their memory while this rank is in a call
    /// @{
    /// Over a communicator that all its ranks call this with. @param window with flavor, memory and hints
    void open_window(const Comm& comm, const std::shared_ptr<Window>& window);
    void close_window(const std::shared_ptr<Window>& window, MPI_Win handle);
    /// Begins it. @throws Failure if it is outside of the window, or not allowed now
    void access(Window& window, const Access& access);
    void fence(Window& window, int assertion);
    void post(Window& window, std::vector<int> origins, int assertion);
    void start(Window& window, std::vector<int> targets, int assertion);
    void complete(Window& window);
    /// Whether all that were let in by a post have completed, then the next post is possible.
    bool exposure_ended(Window& window, bool waits);
    void lock(Window& window, int type, int target, int assertion);
    void lock_all(Window& window, int assertion);
    void unlock(Window& window, int target);
    void unlock_all(Window& window);
    /// @param target none: all @param is_local only until the origin's memory is free again
    void flush(Window& window, std::optional<int> target, bool is_local);
    /// @}

    Handles<Communicator> communicators{MPI_COMM_WORLD};
    Handles<Members> groups{MPI_GROUP_EMPTY};
    Handles<const Type> types{64};
    Handles<Operation> operations{64};
    Handles<Request> requests{1};
    Handles<MPI_Comm_errhandler_function*> error_handlers{3};
    /// That the program has added: their codes follow MPI_ERR_LASTCODE.
    struct OwnError {
        int error_class = 0;
        std::string text = {};
    };
    std::vector<OwnError> own_errors;
    int last_code = MPI_ERR_LASTCODE;
    /// Null: the program has not added it.
    OwnError* own_error(int code)
    {
        if (code <= MPI_ERR_LASTCODE || code > last_code) return nullptr;
        return &own_errors[static_cast<std::size_t>(code - MPI_ERR_LASTCODE - 1)];
    }
    Handles<Keyval> keyvals{16};
    Handles<Info> infos{1};
    Handles<Message> taken{2};
    Handles<Window> windows{1};
    std::map<const std::byte*, MPI_Aint> given_out;  ///< memory of MPI_Alloc_mem, by its begin
    std::map<MPI_Datatype, TypeNotes> type_notes;
    std::map<std::array<int, 3>, MPI_Datatype> types_of_precision;  ///< by combiner, digits, range

    /// Puts and gets that the card did, and windows that it could have reached if there had been room for a copy.
    struct CardAccesses {
        std::uint64_t puts = 0;
        std::uint64_t gets = 0;
        std::uint64_t without_copy = 0;
    };
    const CardAccesses& card_accesses() const { return card_accesses_; }

    int rank() const { return static_cast<int>(me_); }
    unsigned node() const { return rank_.processor().node(); }

private:
    std::optional<std::uint64_t> arrived(const Arrival& arrival) override;
    void delivered(const Arrival& arrival) override;
    void left(const Sending& sending) override;

    static bool matches(const Request& request, const Arrival& arrival);
    Sources sources(const Sources& more) const;
    void renew(Request& request);
    void post(Request& request);
    /// The first receive for it, which no longer waits then; null if there is none.
    Request* take_posted(const Arrival& arrival);
    void take(Request& request, const Message& message);
    /// Forgets those of nobody that are done.
    void tidy();
    void call_for(const Arrival& arrival, std::uint64_t into);
    void send_to_self(Request& request);
    /// @name Flow control of what no receive waits for
    /// @{
    /// Counts bytes that came of a sender, or are gone.
    void holds(const Arrival& arrival, bool came);
    /// Tells senders that have to know.
    void tell_senders();
    /// Before a message that a receiver might have to hold: hears now and then whether it has room.
    /// @return false: it has none
    bool has_room(const Sending& sending);
    /// @}
    std::uint64_t take_room(std::uint32_t size);
    /// Room of a message without bytes.
    std::uint64_t nothing();
    void free_room(std::uint64_t address, std::uint32_t size);
    /// Room in the model for what is sent out of a place of the program or received there: one for all of one type that
    /// are under way.
    void stage(Request& request, std::uint32_t size);
    void unstage(Request& request);
    void receive_into(Request& request, const Arrival& arrival);
    /// Gives the program what has come, on its own stack: the place that it has named may be none.
    void unpack_landed();

    /// @name Bytes within collective calls
    /// @{
    Request sending(const Comm& comm, int to, const void* bytes, std::size_t count, const TypePointer& type) const;
    Request receiving(const Comm& comm, int from, void* bytes, std::size_t count, const TypePointer& type) const;
    void send(const Comm& comm, int to, const void* at, std::size_t count, const TypePointer& type);
    void receive(const Comm& comm, int from, void* at, std::size_t count, const TypePointer& type);
    void exchange(const Comm& comm, int to, ConstPlace out, int from, Place in, const TypePointer& type);
    void wait_for_all(std::vector<Request>& all);
    void combine_in_order(const Reduction& how, std::size_t count, Elements& lower, Elements& upper, bool into_upper);
    /// Bytes of ranks in a row.
    struct Blocks {
        std::byte* data = nullptr;
        std::function<std::size_t(int block)> begin;
        std::byte* at(int block) const { return data + begin(block); }
        std::size_t bytes(int block, int until) const { return begin(until) - begin(block); }
    };
    using RankAt = std::function<int(int block)>;
    /// All get the blocks of all, by recursive doubling. @param mine the block that this rank has @pre 2^k ranks
    void double_blocks(const Blocks& blocks, int mine, const RankAt& rank_at, const Comm& comm);
    /// The same in a ring.
    void pass_blocks_on(const Blocks& blocks, int mine, const RankAt& rank_at, const Comm& comm);
    /// The broadcasts of [004], in parts of the sizes that it found best.
    void bcast_by_cube(std::span<std::byte> data, int root, const Comm& comm);
    void bcast_by_dopl(std::span<std::byte> data, int root, const Comm& comm);
    void alltoall_by_bruck(const std::vector<ConstPlace>& pieces, const TypePointer& type,
                           const std::vector<Place>& places, const TypePointer& to, const Comm& comm);
    struct Fold;
    /// Where the elements of a place begin, up to that behind the last place.
    using Begins = std::function<std::size_t(int place)>;
    static bool halves(const Reduction& how, std::size_t count, int ranks);
    /// @return the place of this rank, -1 if it has stepped back
    int fold_in(const Fold& fold, Elements& mine, Elements& other, std::size_t count, const Reduction& how,
                const Comm& comm);
    /// Ranks that had stepped back get these elements.
    void fold_out(const Fold& fold, Elements& mine, std::size_t first, std::size_t count, const Reduction& how,
                  const Comm& comm);
    /// Recursive halving: of its own elements each place has what all have combined.
    void halve(const Fold& fold, int place, const Begins& begins, Elements& mine, Elements& other, const Reduction& how,
               const Comm& comm);
    std::uint32_t agree_on_context(const Comm& comm);
    /// One that no other communicator of a rank of this world has.
    std::uint32_t next_context();
    /// @}

    /// @name Collective calls over two groups
    /// @{
    /// Rank 0 of each group gives the other's what it has, which then all have.
    void trade(const Comm& inter, ConstPlace mine, Place theirs, const TypePointer& type);
    bool is_first_group(const Comm& inter) const { return inter->members.front() < inter->remote->front(); }
    Comm make_inter_of(const Comm& inter, Members local, Members remote);
    Comm split_inter(const Comm& inter, int color, int key);
    void bcast_inter(void* buffer, std::size_t count, const TypePointer& type, int root, const Comm& inter);
    void gather_inter(ConstPlace mine, const TypePointer& type, const std::vector<Place>& pieces, const TypePointer& to,
                      int root, const Comm& inter);
    void scatter_inter(const std::vector<ConstPlace>& pieces, const TypePointer& type, Place mine,
                       const TypePointer& to, int root, const Comm& inter);
    void reduce_inter(const void* from, void* into, std::size_t count, const Reduction& how, int root,
                      const Comm& inter);
    void allreduce_inter(const void* from, void* into, std::size_t count, const Reduction& how, const Comm& inter);
    void reduce_scatter_inter(const void* from, void* into, const std::vector<std::size_t>& counts,
                              const Reduction& how, const Comm& inter);
    /// @}

    /// @name Messages about windows
    /// @{
    /// @param request null, or done when the bytes have left
    void tell(Window& window, int to, Window::Kind kind, std::vector<std::byte> bytes = {},
              const std::shared_ptr<Request>& request = {});
    /// Forgets those that have left.
    void tidy_told();
    void hear(Window& window, Window::Message message);
    /// All that have come, those of one sender in their order. Tells whether there were any.
    bool serve();
    void grant(Window& window);
    void serve_access(Window& window, const Window::Message& message);
    void take_fetched(Window& window, const Window::Message& message);
    void take_failure(Window& window, const Window::Message& message);
    void ask_for_lock(Window& window, int target, int type);
    void ask_for_ack(Window& window, int target, Window::Kind kind);
    void share_memory(Window& window);
    /// Whether the library gave out the memory, so that cards may reach it.
    bool is_given_out(const Window& window) const;
    struct Stored {
        std::byte* into = nullptr;  // in the target's program
        CardMemory* card = nullptr;
        std::uint64_t address = 0;  // in the target's node
        std::uint64_t bytes = 0;
        std::uint64_t mapped = 0;  // where this rank stores to reach it
    };
    /// The first bytes of the target, in the order of the access, each run of them in one mapping. Empty: cards do not
    /// reach all.
    std::vector<Stored> reached_by_card(const Window& window, const Access& access, std::size_t bytes);
    /// @return false: the access is made of messages
    bool access_by_card(Window& window, const Access& access);
    /// What cards have stored is in the windows of the targets.
    void settle_card();
    /// Until what these owe has come.
    void settle(Window& window, const std::vector<int>& targets, bool is_local = false);
    void release(Window& window, const std::vector<int>& targets);
    /// Until there may be one more, of so many bytes.
    void limit_accesses(std::size_t bytes);
    /// @}

    /// Takes the time of the work, on whatever stack this is.
    void await(Task<> work);
    void resume(Strand& strand);
    void wake(Strand& strand);
    void go_on(Strand& strand);
    /// All that can go on.
    void run_strands();

    struct Unexpected {
        Arrival arrival;
        std::uint64_t place = 0;  ///< of its bytes, unless they wait
    };
    struct Incoming {
        unsigned from = 0;
        std::uint64_t number = 0;
        Request* request = nullptr;
    };

    MessageListener* listener_;
    std::map<unsigned, std::uint32_t> heard_of_;  // messages of each sender, for the listener
    Host& host_;
    Rank& rank_;
    LabelledMessages& messages_;
    unsigned me_;
    CallCosts costs_;
    const Algorithms& algorithms_;
    bool initialized_ = false;
    bool finalized_ = false;
    std::uint32_t contexts_ = 0;  // that this rank has given
    unsigned ranks_;
    std::int32_t tag_ = 0;      // of the messages of the collective call
    Strand* strand_ = nullptr;  // that runs
    std::map<const Strand*, std::shared_ptr<Strand>> strands_;
    std::vector<Strand*> woken_;
    std::map<const Sending*, Strand*> unsent_;  // of strands
    struct Posted {
        std::uint64_t number = 0;  // in their order
        Request* request = nullptr;
    };
    std::map<int, std::list<Posted>> posted_;  // by rank of the world or MPI_ANY_SOURCE
    std::uint64_t posts_ = 0;
    std::vector<Request*> landed_;  // whose bytes are in the model
    std::list<Unexpected> unexpected_;
    struct OfSender {
        std::uint64_t bytes = 0;  // that no receive waits for
        bool is_full = false;
        bool knows_full = false;
    };
    std::map<unsigned, OfSender> held_;
    std::vector<unsigned> untold_;  // senders that may have to know
    std::list<Sending> telling_;    // it, under way
    std::set<unsigned> full_;       // ranks that have no room for messages of this one
    struct ToReceiver {
        std::uint64_t unheard = 0;    // bytes sent since this rank last listened to it
        std::uint64_t under_way = 0;  // of what it need not call for
    };
    std::map<unsigned, ToReceiver> to_receivers_;
    std::set<const Sending*> under_way_;
    std::optional<std::uint64_t> nothing_;
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
    std::map<std::pair<const void*, const Type*>, Staged> staged_;  // by the place in the program
    void* buffer_ = nullptr;
    int buffer_bytes_ = 0;
    std::map<std::uint32_t, std::shared_ptr<Window>> open_windows_;  // by context
    struct Told {
        int to = 0;
        Sending sending = {};
        std::shared_ptr<Request> request = {};
    };
    std::list<Told> told_;  // about windows, under way
    std::size_t told_bytes_ = 0;
    struct Heard {
        Arrival arrival;
        std::optional<std::uint64_t> place = {};
        bool is_here = false;
    };
    std::list<Heard> heard_;
    std::unique_ptr<CardMemory> card_;  // null: one-sided accesses are made of messages
    CardAccesses card_accesses_;
    std::vector<Stored> stored_;  // by the card, not yet known to have arrived
    std::size_t fetches_ = 0;     // that will come
    std::size_t fetched_bytes_ = 0;
};

}  // namespace ringmesh::workloads::mpi_api
