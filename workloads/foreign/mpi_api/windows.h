// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "workloads/foreign/mpi_api/datatypes.h"
#include "workloads/remote/card_memory.h"

namespace ringmesh::workloads::mpi_api {

struct Communicator;
struct Request;

/// What a rank asks of memory in a window: a put replaces what is there, a get fetches it and has no operation.
struct Access {
    struct From {
        const void* at = nullptr;
        std::size_t count = 0;
        TypePointer type = {};
    };
    struct Into {
        void* at = nullptr;
        std::size_t count = 0;
        TypePointer type = {};
    };
    int target = MPI_PROC_NULL;
    MPI_Aint place = 0;     ///< in the target's units
    std::size_t count = 0;  ///< at the target, like the type
    TypePointer type = {};
    MPI_Op op = MPI_NO_OP;
    bool is_plain = false;  ///< a put or get, which nothing orders with others before the next synchronization
    From from = {};
    bool fetches = false;
    Into into = {};                         ///< for what was there before
    const void* compare = nullptr;          ///< null: whatever is there
    std::shared_ptr<Request> request = {};  ///< null: none asked for
};

/// Memory of each rank of a group that the others may access, as one rank knows it.
struct Window {
    /// What other ranks send about it; the first ones wait while their sender waits for a lock.
    enum Kind : std::int32_t {
        kAccess,
        kLockShared,
        kLockExclusive,
        kUnlock,
        kFlush,
        kAck,
        kData,
        kFailed,
        kPost,
        kComplete
    };
    enum class Epoch { kNone, kFence, kStart, kLock, kLockAll };
    struct Message {
        int from = 0;
        Kind kind = kAccess;
        std::vector<std::byte> bytes;
    };
    struct Peer {
        MPI_Aint size = 0;
        int unit = 1;
        std::byte* shared = nullptr;  ///< its memory, if all share one
        std::byte* base = nullptr;    ///< its memory, if cards reach a copy in the model, like the next two
        CardMemory* card = nullptr;
        CardMemory::Piece copy = {};
        bool allowed = false;      ///< by lock or start: may be accessed
        bool asks = false;         ///< for a shared lock before the first access
        bool locks = false;        ///< has been asked for its lock
        bool granted = false;      ///< has answered since
        bool unconfirmed = false;  ///< something went there of which nothing will come back
        unsigned unsent = 0;       ///< accesses whose bytes have not left
        unsigned acks = 0;         ///< that will come
        unsigned fetches = 0;      ///< that will come
        unsigned posts = 0;        ///< that came, unused
        unsigned completes = 0;    ///< that came, unused
    };
    struct Fetch {
        int target = 0;
        std::size_t bytes = 0;
        Access::Into into;
        std::shared_ptr<Request> request;
    };
    struct Waiting {
        Message lock;
        std::vector<Message> held = {};  ///< what its sender asks for under that lock
    };

    std::shared_ptr<Communicator> comm;  ///< its own, for messages about it
    int flavor = MPI_WIN_FLAVOR_CREATE;
    int model = MPI_WIN_UNIFIED;
    std::byte* base = nullptr;
    MPI_Aint size = 0;
    int unit = 1;
    std::shared_ptr<void> memory = {};  ///< allocated with it
    CardMemory::Piece copy = {};        ///< of its memory in the model, to which the cards of others store
    std::vector<std::pair<std::byte*, MPI_Aint>> attached = {};
    MPI_Errhandler handler = MPI_ERRORS_ARE_FATAL;
    std::string name = {};
    std::vector<std::pair<int, void*>> attributes = {};
    std::vector<std::pair<std::string, std::string>> info = {};

    std::vector<Peer> peers = {};
    Epoch epoch = Epoch::kNone;
    bool accessed = false;  ///< since the last fence
    std::optional<std::vector<int>> started = {};
    std::optional<std::vector<int>> posted = {};
    std::uint32_t fetch_number = 0;
    std::map<std::uint32_t, Fetch> fetches = {};
    std::optional<Failure> failure = {};  ///< of an access, for the next call that waits for it

    int readers = 0;     ///< ranks with a shared lock here
    bool owned = false;  ///< one has the exclusive lock
    std::deque<Waiting> waiting = {};

    Peer& peer(int rank) { return peers[static_cast<std::size_t>(rank)]; }
};

}  // namespace ringmesh::workloads::mpi_api
