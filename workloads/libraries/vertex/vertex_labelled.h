// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/libraries/vertex/vertex.h"
#include "workloads/ranks/labelled.h"

namespace ringmesh::workloads::vertex {

/// Labelled messages over Vertex's writes and reads; assumed, because Vertex has only a type. A message is an envelope
/// with size, tag and communicator, behind which up to kInline bytes are copied; more bytes follow as a message of
/// their own, which is read to its place:
///
///     message    and its bytes, if they are at most a 64th of the node's system buffers
///     request    of a longer one, or one whose sender waits for its receive
///     ready      the answer of the receiver, when it has called for it, and for each further chunk
///     chunk      with these bytes, a 16th of the system buffers; four come at a time
///
/// Vertex copies what is written, so a message is done when its call returns. While there is no buffer for it, the rank
/// reads what has come.
class VertexLabelled final : public LabelledMessages {
public:
    /// @param vertex outlives it
    explicit VertexLabelled(Vertex& vertex);

    void deliver_to(Addressee& addressee) override { addressee_ = &addressee; }
    std::uint64_t allocate(std::uint32_t size) override { return vertex_.allocate(size); }
    Task<> begin(Sending& sending) override;
    Task<> call_for(Arrival arrival, std::uint64_t into) override;
    Task<> wait(const Sources& sources) override;
    Task<> advance(const Sources& sources) override;
    Task<> copy(std::uint64_t from, std::uint64_t to, std::uint32_t size) override;
    /// Nothing: what Vertex's own calls take is all that is known.
    Task<> call() override;

private:
    enum class Kind : std::uint32_t { kMessage = 1, kRequest, kReady, kChunk };
    struct Header {
        Kind kind = Kind::kMessage;
        std::uint32_t size = 0;  ///< of the message, or of the chunk
        Label label = {};
        std::uint64_t number = 0;
    };
    struct Called {
        Arrival arrival;
        std::uint64_t into = 0;
        std::uint32_t done = 0;
        bool asked = false;  ///< for its next chunk
    };

    /// An envelope, and the bytes that go with it.
    Task<> write(unsigned to, Header header, std::uint64_t from, std::uint32_t size);
    /// Reads what comes until there is a system buffer.
    Task<> make_room(std::uint32_t size);
    /// For chunks of messages that are called for, a few at a time.
    Task<> ask();
    Task<> send_chunk(unsigned to, Sending& sending);
    void finish(Sending& sending);
    /// The next envelope, which may have to come yet.
    Task<> take();
    Task<> fetch(unsigned node, Header header, std::uint64_t into);

    Vertex& vertex_;
    Addressee* addressee_ = nullptr;
    std::uint32_t longest_;  // bytes of a message without request
    std::uint32_t chunk_;    // bytes
    std::uint64_t out_;      // address of an envelope that goes
    std::uint64_t in_;       // of one that comes
    std::vector<Sending*> asked_;
    std::vector<Called> called_;
    std::uint64_t numbers_ = 0;
};

}  // namespace ringmesh::workloads::vertex
