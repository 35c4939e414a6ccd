// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/ncube/ncube_machine.h"
#include "tlm/pools/ring_buffer.h"
#include "tlm/statistics/component.h"
#include "tlm/statistics/statistics.h"
#include "workloads/libraries/vertex/buffer_pool.h"

namespace ringmesh::workloads::vertex {

/// Matches any source or any type of a message.
inline constexpr int kAny = -1;

/// What a read found.
struct Received {
    std::uint32_t size = 0;  ///< of the message; a read of fewer bytes got only those
    int source = 0;
    int type = 0;
};

struct VertexStats {
    Counter sent, sent_bytes, received, received_bytes, forwarded, truncated, refused, waits;
};

/// Vertex, the operating system of an NCUBE's node: its calls, which programs await, and its interrupt handlers, which
/// take their time from whatever the processor does.
///
///     nwrite: entry, buffer, copy, route, [request] --> channel --> [reply] --> data --> release
///     handlers: request -> buffer, reply;   reply -> data;   data come -> file or forward;   data gone -> release,
///     next nread: entry, look, (wait), copy, release, return
///
/// Messages are stored and forwarded whole, along the lowest dimension in which the address differs. Each action costs
/// what VertexParams says; bytes really move. A channel carries one message in each direction at a time; replies queue
/// behind data. Not modelled: several processes on a node, checks of memory bounds.
class Vertex final : public InterruptService, public Component {
public:
    /// Takes over the interrupts of that node. @param rank of a node or the host
    Vertex(NcubeMachine& machine, unsigned rank);
    Vertex(const Vertex&) = delete;
    Vertex& operator=(const Vertex&) = delete;

    /// Returns when the message lies in a system buffer. @throws UserError if there is no such node, the message is
    /// longer than the memory for buffers or, as configured, none is free
    Task<> nwrite(std::uint64_t from, std::uint32_t size, unsigned destination, int type);
    /// The same, but returns when the program may change the bytes: if nothing copies them, when they have left.
    Task<> nwrite_until_free(std::uint64_t from, std::uint32_t size, unsigned destination, int type);
    /// Waits for a message; the bytes behind `size` are dropped. @param source, type kAny: of any
    Task<Received> nread(std::uint64_t to, std::uint32_t size, int source, int type);
    /// Whether nread would find a message at once. Takes no time.
    bool has_unread(int source, int type) const { return find(source, type) != nullptr; }
    /// Whether nwrite would find a system buffer at once. Takes no time.
    bool has_room(std::uint32_t size) const { return buffers_.has_room(size); }
    /// Until there is one, or such a message.
    Task<> wait_for_room(std::uint32_t size, int source, int type);
    /// Copies memory of the program at the pace of Vertex's own copies.
    Task<> copy(std::uint64_t to, std::uint64_t from, std::uint32_t size);
    /// The timer, in ticks of `timer_grain`.
    Task<std::int64_t> ntime();

    /// Memory of the program, below that of the system buffers. Takes no time. @throws UserError if it does not fit
    std::uint64_t allocate(std::uint32_t size);

    NcubeProcessor& cpu() { return cpu_; }
    unsigned rank() const { return rank_; }
    const VertexStats& stats() const { return stats_; }
    const BufferPool& buffers() const { return buffers_; }
    std::size_t unread() const { return arrived_.size(); }

    Task<> serve(ChannelInterrupt interrupt) override;
    std::string waiting_for() const override;

    std::string component_name() const override;
    void statistics(StatisticsVisitor& visitor) const override;
    /// Messages that have not left; the processor says what its program waits for here.
    std::string pending() const override;

private:
    struct Header {
        std::uint16_t source = 0;
        std::uint16_t destination = 0;
        std::int32_t type = 0;
        std::uint32_t size = 0;
        std::uint32_t id = 0;
    };
    struct Message {
        Header header;
        std::uint64_t address = 0;
        bool in_buffer = true;  // a system buffer's, to be released
        Duration since = {};    // it waits: for its channel, for a buffer, to be read
    };
    enum class Control : std::uint8_t { kRequest, kReply, kRefused };
    struct ControlMessage {
        Header header;
        Control kind = Control::kRequest;
    };
    struct Output {
        RingBuffer<Message> queue;  // the first one is under way if `active`
        bool active = false;
    };
    struct Input {
        Message coming;
        bool waits_for_buffer = false;
    };

    /// @param what a literal, for explain @param message for which it is done; 0: none that waits for it
    NcubeProcessor::Operation<NcubeProcessor, WorkRequest> work(std::string_view what, Cycles clocks,
                                                                std::uint64_t message);
    /// A message waited until now.
    void waited(std::string_view what, std::uint64_t message, Duration since, std::uint64_t other) const;
    bool copies(const Header& header) const;
    unsigned channel_to(unsigned destination) const;
    void require_destination(unsigned destination, std::uint32_t size) const;
    [[noreturn]] void no_buffer(const Header& header, std::string_view what) const;
    void move(std::uint64_t to, std::uint64_t from, std::uint32_t size);
    void send_control(unsigned channel, Control kind, const Header& header);
    bool matches(const Header& header, int source, int type) const;
    const Message* find(int source, int type) const;
    void file(const Message& message);

    Task<std::uint64_t> buffer_for_writing(Header header, Cycles before);
    Task<> queue(unsigned channel, Message message);
    Task<> start_next(unsigned channel, Cycles before);
    Task<> requested(unsigned channel, Header header, Cycles before);
    Task<> reply(unsigned channel);
    Task<> data_came(unsigned channel, Cycles before);
    Task<> data_left(unsigned channel, Cycles before);
    Task<> release(Message message, Cycles before);

    NcubeMachine& machine_;
    PacketNumbers ids_;
    NcubeProcessor& cpu_;
    const VertexParams& params_;
    const VertexActions actions_;
    const unsigned rank_;
    BufferPool buffers_;
    std::uint64_t next_free_ = 0;  // of the program's memory
    std::vector<Output> outputs_;
    std::vector<Input> inputs_;
    std::vector<Message> arrived_;  // in the order in which they came
    std::size_t waiting_inputs_ = 0;

    enum class Waiting : std::uint8_t { kNothing, kMessage, kBuffer, kMessageOrBuffer, kOutput };
    Waiting waiting_ = Waiting::kNothing;
    int wanted_source_ = kAny;
    int wanted_type_ = kAny;
    Header blocked_;                 // the message that waits for a buffer or its output
    std::uint64_t released_ = 0;     // message of the buffer that was released last
    std::size_t sent_uncopied_ = 0;  // messages that leave from the program's memory
    VertexStats stats_;
};

}  // namespace ringmesh::workloads::vertex
