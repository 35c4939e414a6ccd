// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tlm/machine/task.h"

namespace ringmesh::workloads {

/// What a message says of itself, beside its size.
struct Label {
    std::int32_t tag = 0;
    std::uint32_t context = 0;  ///< of the communicator
    bool operator==(const Label&) const = default;
};

/// A message that has come, or asks to.
struct Arrival {
    unsigned from = 0;
    std::uint32_t size = 0;
    Label label = {};
    std::uint64_t number = 0;  ///< tells it from others of its sender
    bool waits = false;        ///< its sender keeps the bytes until they are called for
    std::uint32_t order = 0;   ///< among those of its sender, from 1 on; the addressee counts
};

struct Sending;

/// Decides where messages go.
class Addressee {
public:
    virtual ~Addressee() = default;
    /// @return the place in the rank's memory for its bytes; none of one that waits: it will be called for
    virtual std::optional<std::uint64_t> arrived(const Arrival& arrival) = 0;
    /// All bytes are in their place.
    virtual void delivered(const Arrival& arrival) = 0;
    /// One of its own is done.
    virtual void left(const Sending& sending) = 0;
};

/// A message on its way out, until it is done.
struct Sending {
    unsigned to = 0;
    std::uint64_t from = 0;  ///< address of its bytes
    std::uint32_t size = 0;
    Label label = {};
    bool synchronous = false;  ///< done only if the receiver has called for it
    bool done = false;
    std::uint64_t number = 0;  ///< of the library, like the next
    std::uint32_t sent = 0;
};

/// Ranks from which messages are wanted. What others send waits.
struct Sources {
    bool all = false;
    std::vector<unsigned> ranks = {};
};

/// Messages with labels, any number of them under way: what MPI's semantics are built on. They move only inside these
/// calls, those of one sender in order.
class LabelledMessages {
public:
    virtual ~LabelledMessages() = default;
    /// @param addressee outlives the run
    virtual void deliver_to(Addressee& addressee) = 0;
    /// Memory for messages, never given back. @throws UserError if there is none left
    virtual std::uint64_t allocate(std::uint32_t size) = 0;
    /// Begins a message: it goes as far as it can without waiting.
    virtual Task<> begin(Sending& sending) = 0;
    /// The bytes of one that waits are to come to this place.
    virtual Task<> call_for(Arrival arrival, std::uint64_t into) = 0;
    /// Until one thing has happened: a piece of a message came, or what is under way out went on. For ever if nothing
    /// can.
    virtual Task<> wait(const Sources& sources) = 0;
    /// All that can happen without waiting.
    virtual Task<> advance(const Sources& sources) = 0;
    /// Copies local memory.
    virtual Task<> copy(std::uint64_t from, std::uint64_t to, std::uint32_t size) = 0;
    /// The software of a message at either side.
    virtual Task<> call() = 0;
};

}  // namespace ringmesh::workloads
