// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "tlm/machine/task.h"
#include "workloads/foreign/mpi_api/process.h"
#include "workloads/foreign/program/table.h"
#include "workloads/libraries/rcce/rcce_rank.h"

/// The semantics of RCCE and iRCCE for programs, over the libraries rcce and ircce.
namespace ringmesh::workloads::rcce_api {

/// What the ranks of a run have in common.
class CommonMemory {
public:
    CommonMemory();
    CommonMemory(const CommonMemory&) = delete;
    CommonMemory& operator=(const CommonMemory&) = delete;
    ~CommonMemory();

    /// Stands for a rank's message-passing buffer: no load or store reaches it.
    std::byte* buffer(unsigned rank) const { return buffers_ + std::size_t{rank} * SccProcessor::kMessageBuffer; }
    /// The buffer's rank that an address is of.
    std::optional<unsigned> buffer_of(const void* address) const;
    /// The memory that all ranks share. Reads and writes take no time.
    std::byte* shared() const { return shared_; }

private:
    std::byte* buffers_ = nullptr;
    std::byte* shared_ = nullptr;
};

/// Blocks of a piece of memory; the first that is large enough is taken.
class Blocks {
public:
    /// Adds free memory.
    void add(std::uint32_t offset, std::uint32_t size);
    std::optional<std::uint32_t> take(std::uint32_t size);
    /// @return whether there is such a block
    bool give_back(std::uint32_t offset);

private:
    std::map<std::uint32_t, std::uint32_t> free_;   // sizes
    std::map<std::uint32_t, std::uint32_t> taken_;  // likewise
};

/// The state of one process, and what its calls do: on the program's stack, where calls do not return before they are
/// done. They return RCCE's codes.
class Process {
public:
    /// @param host, rank, library, memory outlive it
    Process(mpi_api::Host& host, Rank& rank, rcce::RcceRank& library, const CommonMemory& memory);

    bool initialized() const { return initialized_; }
    bool finalized() const { return finalized_; }
    bool has_ircce() const { return library_.ircce() != nullptr; }
    int ue() const { return static_cast<int>(rcce_.ue()); }
    int num_ues() const { return static_cast<int>(rcce_.num_ues()); }
    const CommonMemory& memory() const { return memory_; }
    int init(RCCE_COMM& world);
    int finalize();
    /// The program has ended: receives that nobody has sent to are none.
    void end();
    /// Seconds by the clock that the library is told.
    double time() const;

    int acquire_lock(int ue);
    int release_lock(int ue);

    /// @name The gory interface
    /// @{
    t_vcharp malloc(std::size_t size);
    void free(t_vcharp at);
    enum class By : std::uint8_t { kRcce, kIrcce };
    int put(t_vcharp target, t_vcharp source, int size, int ue, By by);
    int get(t_vcharp target, t_vcharp source, int size, int ue, By by);
    int flag_alloc(RCCE_FLAG& flag);
    int flag_free(RCCE_FLAG& flag);
    int flag_write(RCCE_FLAG flag, RCCE_FLAG_STATUS value, int ue);
    int flag_read(RCCE_FLAG flag, RCCE_FLAG_STATUS& value, int ue);
    int wait_until(RCCE_FLAG flag, RCCE_FLAG_STATUS value);
    /// A buffer and flags of the program's own.
    struct OwnWay {
        t_vcharp buffer;
        std::size_t room;
        RCCE_FLAG* ready;
        RCCE_FLAG* sent;
    };
    /// @}

    /// @name Messages; way null: the library's
    /// @{
    int send(const void* data, std::size_t size, int ue, const OwnWay* way = nullptr);
    int recv(void* data, std::size_t size, int ue, const OwnWay* way = nullptr);
    int recv_test(void* data, std::size_t size, int ue, int& done, const OwnWay* way = nullptr);
    int bcast(void* data, std::size_t size, int root, const RCCE_COMM& comm);
    struct Reduction {
        int type;
        int op;
    };
    /// @param all ranks get it, from the root
    int reduce(void* from, void* into, int count, Reduction how, int root, bool all, const RCCE_COMM& comm);
    /// @}

    /// @name Communicators
    /// @{
    int comm_split(int (*color)(int, void*), void* more, RCCE_COMM& comm);
    int comm_free(RCCE_COMM& comm);
    int barrier(const RCCE_COMM& comm);
    /// @}

    t_vcharp shmalloc(std::size_t size);
    void shfree(t_vcharp at);

    /// @name iRCCE. A request null: of the call's own, which waits for it @pre has_ircce()
    /// @{
    int isend(char* data, ssize_t size, int ue, iRCCE_SEND_REQUEST* request);
    int irecv(char* data, ssize_t size, int ue, iRCCE_RECV_REQUEST* request);
    /// Null: of all.
    int test(iRCCE_SEND_REQUEST* request, int* done);
    int test(iRCCE_RECV_REQUEST* request, int* done);
    int wait(iRCCE_SEND_REQUEST* request);
    int wait(iRCCE_RECV_REQUEST* request);
    int push_sends();
    int push_receives();
    int cancel(const iRCCE_SEND_REQUEST* request, int* done);
    int cancel(const iRCCE_RECV_REQUEST* request, int* done);
    int status(const iRCCE_SEND_REQUEST* request) const;
    int status(const iRCCE_RECV_REQUEST* request) const;
    int srecv(void* data, ssize_t size, int ue);
    int iprobe(int ue, int& source);
    int probe(int ue, int& source);
    int test_all(iRCCE_WAIT_LIST& list, int* done);
    int wait_all(iRCCE_WAIT_LIST& list);
    int test_any(iRCCE_WAIT_LIST& list, iRCCE_SEND_REQUEST** send, iRCCE_RECV_REQUEST** recv);
    int wait_any(iRCCE_WAIT_LIST& list, iRCCE_SEND_REQUEST** send, iRCCE_RECV_REQUEST** recv);
    /// Of the last receive or probe.
    int last_source() const { return last_source_; }
    int last_length() const { return last_length_; }
    /// @}

    bool complains = false;  ///< errors of calls are printed

private:
    /// Room in the core's memory for what a place of the program holds. The same place has the same room again, so that
    /// caches hold what they would.
    struct Room {
        const void* of = nullptr;
        std::uint64_t address = 0;
        std::uint64_t used = 0;  // when last
        unsigned users = 0;      // messages under way
    };
    Room& room(const void* of, std::size_t size);
    std::uint64_t carve(std::uint32_t size);
    Room& filled_room(const void* from, std::size_t size);
    void fetch(void* into, std::size_t size, const Room& room) const;

    /// A message under way.
    struct Outgoing {
        iRCCE_SEND_REQUEST* request = nullptr;
        rcce::SendRequest sent;
        Room* room = nullptr;
    };
    struct Incoming {
        iRCCE_RECV_REQUEST* request = nullptr;
        rcce::RecvRequest received;
        Room* room = nullptr;
    };
    Outgoing* find(const iRCCE_SEND_REQUEST* request) const;
    Incoming* find(const iRCCE_RECV_REQUEST* request) const;
    /// Tells the program of all that are finished.
    void settle();
    /// @return whether it is under way @throws UserError if it never was
    template <class Request>
    bool is_under_way(const Request& request) const;
    template <class Request>
    int state_of(const Request& request) const;
    template <class Request>
    int wait_for(const Request* request);
    template <class Request>
    int cancel_one(const Request* request, int* done);
    const rcce::Request* add_to(rcce::WaitList& list, const iRCCE_WAIT_LISTELEM& element) const;
    int test_one(const iRCCE_WAIT_LISTELEM& element);
    void take_out(iRCCE_WAIT_LIST& list, iRCCE_WAIT_LISTELEM* before, iRCCE_SEND_REQUEST** send,
                  iRCCE_RECV_REQUEST** recv);

    bool is_ue(int ue) const { return ue >= 0 && ue < num_ues(); }
    /// Its offset in the own message-passing buffer.
    std::optional<std::uint32_t> offset_of(const volatile void* at) const;
    const rcce::Flag* flag_of(RCCE_FLAG flag) const;
    RCCE_FLAG handle_of(rcce::Flag flag) const;
    /// @return a code of RCCE
    int find_way(const OwnWay* way, unsigned from, unsigned to, rcce::Way& found) const;
    rcce::Communicator communicator(const RCCE_COMM& comm, std::array<unsigned, RCCE_MAXNP>& members) const;
    int require_lines(std::uint32_t size, std::uint32_t offset) const;

    void await(Task<> work) { host_.await(std::move(work)); }
    template <class T>
    T await_value(Task<T> work)
    {
        T value{};
        await(store(std::move(work), value));
        return value;
    }
    /// No template: clang 14 cannot emit a coroutine that is one under its sanitizers.
    static Task<> store(Task<bool> work, bool& value);
    static Task<> store(Task<unsigned> work, unsigned& value);
    static Task<> store(Task<std::uint8_t> work, std::uint8_t& value);

    mpi_api::Host& host_;
    Rank& rank_;
    rcce::RcceRank& library_;
    rcce::Rcce& rcce_;
    const CommonMemory& memory_;
    bool initialized_ = false;
    bool finalized_ = false;
    Blocks blocks_;  // of the message-passing buffer
    Blocks shared_;
    std::vector<std::byte> scratch_;
    std::map<std::uint32_t, rcce::Flag> flags_;  // that the program has, by offset
    std::vector<rcce::Flag> free_flags_;
    std::map<std::uint32_t, std::vector<std::unique_ptr<Room>>> rooms_;  // by size
    std::uint64_t uses_ = 0;
    std::uint64_t slab_ = 0;
    std::uint32_t slab_left_ = 0;
    std::vector<std::unique_ptr<Outgoing>> outgoing_;
    std::vector<std::unique_ptr<Incoming>> incoming_;
    int last_source_ = iRCCE_ANY_SOURCE;
    int last_length_ = 0;
};

}  // namespace ringmesh::workloads::rcce_api
