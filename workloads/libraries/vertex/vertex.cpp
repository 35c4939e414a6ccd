// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/vertex/vertex.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "tlm/error.h"
#include "tlm/simulation/simulation.h"

namespace ringmesh::workloads::vertex {
namespace {

constexpr std::uint64_t kFirstOfProgram = 0x400;

std::string who(int number, std::string_view what)
{
    return number == kAny ? fmt::format("any {}", what) : fmt::format("{} {}", what, number);
}

/// "1 message is unread", "3 messages are unread".
std::string unread_of(std::size_t count, std::string_view what)
{
    return fmt::format("{} {}{} unread", count, what, count == 1 ? " is" : "s are");
}

std::uint64_t base_of_buffers(const NcubeProcessor& cpu, const VertexParams& params)
{
    return cpu.memory_bytes() - static_cast<std::uint64_t>(params.buffer_memory.count());
}

}  // namespace

Vertex::Vertex(NcubeMachine& machine, unsigned rank)
    : machine_(machine),
      ids_(machine.simulation().packet_numbers(rank)),
      cpu_(machine.processor(rank)),
      params_(machine.vertex()),
      actions_(params_.actions()),
      rank_(rank),
      buffers_(base_of_buffers(cpu_, params_), static_cast<std::uint64_t>(params_.buffer_memory.count())),
      next_free_(kFirstOfProgram),
      outputs_(cpu_.channels()),
      inputs_(cpu_.channels())
{
    static_assert(sizeof(ControlMessage) <= ncube::kControlBytes);
    cpu_.serve_interrupts(*this);
    machine.simulation().add(*this);
}

NcubeProcessor::Operation<NcubeProcessor, WorkRequest> Vertex::work(std::string_view what, Cycles clocks,
                                                                    std::uint64_t message)
{
    return cpu_.work({.clocks = clocks, .system = true, .what = what, .message = message});
}

void Vertex::waited(std::string_view what, std::uint64_t message, Duration since, std::uint64_t other) const
{
    machine_.simulation().report_wait(*this, what, message, since, cpu_.time(), other);
}

/// Whether a system buffer stands between this node's program and the channel.
bool Vertex::copies(const Header& header) const
{
    const bool ours = header.source == rank_ || header.destination == rank_;
    return params_.buffering == Buffering::kCopied || !ours;
}

/// E-cube: the lowest dimension in which the two differ. The host has a channel to each node.
unsigned Vertex::channel_to(unsigned destination) const
{
    if (rank_ == machine_.host()) return destination;
    if (destination == machine_.host()) return machine_.dimension();
    return static_cast<unsigned>(std::countr_zero(rank_ ^ destination));
}

void Vertex::require_destination(unsigned destination, std::uint32_t size) const
{
    if (destination > machine_.host() || destination == rank_) {
        throw UserError(fmt::format("nwrite on node {}: {}; choose one of 0 to {}, or {} for the host", rank_,
                                    destination == rank_ ? "a node has no channel to itself"
                                                         : fmt::format("this machine has no node {}", destination),
                                    machine_.nodes() - 1, machine_.host()));
    }
    if (BufferPool::rounded(size) <= buffers_.size()) return;
    throw UserError(
        fmt::format("nwrite on node {} to {}: a message of {} bytes is longer than the memory for buffers, {} bytes; "
                    "write a shorter one, or raise vertex.buffer_memory",
                    rank_, destination, size, buffers_.size()));
}

void Vertex::no_buffer(const Header& header, std::string_view what) const
{
    throw UserError(
        fmt::format("{} on node {}: no system buffer for message {} of {} bytes from node {} to {} (type {}): {} of {} "
                    "bytes are taken, {}; read sooner, write fewer or smaller messages, raise vertex.buffer_memory, or "
                    "set vertex.full_buffers = wait, with which nodes may deadlock",
                    what, rank_, header.id, header.size, header.source, header.destination, header.type,
                    buffers_.used(), buffers_.size(), unread_of(arrived_.size(), "message")));
}

void Vertex::move(std::uint64_t to, std::uint64_t from, std::uint32_t size)
{
    std::array<std::byte, 512> chunk{};
    for (std::uint32_t done = 0; done < size;) {
        const auto count = std::min<std::uint32_t>(size - done, chunk.size());
        cpu_.peek(from + done, {chunk.data(), count});
        cpu_.poke(to + done, {chunk.data(), count});
        done += count;
    }
}

std::uint64_t Vertex::allocate(std::uint32_t size)
{
    const std::uint64_t address = next_free_;
    if (address + size > base_of_buffers(cpu_, params_)) {
        throw UserError(
            fmt::format("node {}: {} bytes do not fit into the program's memory; use fewer, or raise "
                        "memory.size",
                        rank_, size));
    }
    next_free_ += BufferPool::rounded(size);
    return address;
}

void Vertex::send_control(unsigned channel, Control kind, const Header& header)
{
    const ControlMessage message{.header = header, .kind = kind};
    ncube::ControlWord word{};
    std::memcpy(word.data(), &message, sizeof(message));
    const Bytes size = kind == Control::kRequest ? params_.request : params_.reply;
    cpu_.send_control(channel, word, static_cast<std::uint32_t>(size.count()), header.id);
}

bool Vertex::matches(const Header& header, int source, int type) const
{
    return (source == kAny || header.source == source) && (type == kAny || header.type == type);
}

const Vertex::Message* Vertex::find(int source, int type) const
{
    for (const Message& message : arrived_) {
        if (matches(message.header, source, type)) return &message;
    }
    return nullptr;
}

Task<> Vertex::nwrite(std::uint64_t from, std::uint32_t size, unsigned destination, int type)
{
    require_destination(destination, size);
    Header header;
    header.source = static_cast<std::uint16_t>(rank_);
    header.destination = static_cast<std::uint16_t>(destination);
    header.type = type;
    header.size = size;
    header.id = static_cast<std::uint32_t>(ids_.next());
    if (const Simulation& simulation = machine_.simulation(); simulation.journey() != nullptr) {
        simulation.report_birth(*this, {.packet = header.id,
                                        .source = std::to_string(rank_),
                                        .target = std::to_string(destination),
                                        .bytes = size,
                                        .at = cpu_.time()});
    }
    Message message{.header = header, .address = from, .in_buffer = copies(header)};
    if (message.in_buffer) {
        const std::uint64_t buffer = co_await buffer_for_writing(header, actions_.system_entry);
        message.address = buffer;
        co_await work("copy, route", params_.copy_time(size) + actions_.route, header.id);
        move(message.address, from, size);
    } else {
        ++sent_uncopied_;
        co_await work("call, route", actions_.system_entry + actions_.route, header.id);
    }
    ++stats_.sent;
    stats_.sent_bytes += size;
    co_await queue(channel_to(destination), message);
    co_await work("return", actions_.system_return, 0);
}

Task<> Vertex::nwrite_until_free(std::uint64_t from, std::uint32_t size, unsigned destination, int type)
{
    co_await nwrite(from, size, destination, type);
    while (sent_uncopied_ > 0) {
        waiting_ = Waiting::kOutput;
        blocked_.size = size;
        blocked_.destination = static_cast<std::uint16_t>(destination);
        co_await cpu_.wait();
        waiting_ = Waiting::kNothing;
    }
}

/// A buffer for the program's message, after a wait if the machine is configured so.
Task<std::uint64_t> Vertex::buffer_for_writing(Header header, Cycles before)
{
    co_await work("call, allocate", before + actions_.allocate, header.id);
    const Duration since = cpu_.time();
    for (;;) {
        const auto address = buffers_.allocate(header.size);
        if (address) {
            waited("no system buffer", header.id, since, released_);
            co_return *address;
        }
        if (params_.full_buffers == FullBuffers::kStop) no_buffer(header, "nwrite");
        ++stats_.waits;
        waiting_ = Waiting::kBuffer;
        blocked_ = header;
        co_await cpu_.wait();
        waiting_ = Waiting::kNothing;
    }
}

Task<Received> Vertex::nread(std::uint64_t to, std::uint32_t size, int source, int type)
{
    co_await work("call, match", actions_.system_entry + actions_.match, 0);
    const Message* found = find(source, type);
    while (found == nullptr) {
        waiting_ = Waiting::kMessage;
        wanted_source_ = source;
        wanted_type_ = type;
        co_await cpu_.wait();
        waiting_ = Waiting::kNothing;
        found = find(source, type);
    }
    const Message message = *found;
    arrived_.erase(arrived_.begin() + (found - arrived_.data()));
    waited("until the program reads", message.header.id, message.since, 0);
    const std::uint32_t count = std::min(size, message.header.size);
    if (count < message.header.size) ++stats_.truncated;
    co_await work("deliver, copy",
                  copies(message.header) ? actions_.deliver + params_.copy_time(count) : actions_.deliver,
                  message.header.id);
    machine_.simulation().report_arrival(*this, message.header.id, Leg::kRequest, cpu_.time());
    move(to, message.address, count);
    ++stats_.received;
    stats_.received_bytes += count;
    machine_.simulation().accepted();
    co_await release(message, Cycles(0));
    co_await work("return", actions_.system_return, 0);
    co_return Received{.size = message.header.size, .source = message.header.source, .type = message.header.type};
}

Task<> Vertex::wait_for_room(std::uint32_t size, int source, int type)
{
    wanted_source_ = source;
    wanted_type_ = type;
    blocked_.size = size;
    blocked_.destination = static_cast<std::uint16_t>(rank_);
    while (!has_room(size) && !has_unread(source, type)) {
        waiting_ = Waiting::kMessageOrBuffer;
        co_await cpu_.wait();
        waiting_ = Waiting::kNothing;
    }
}

Task<> Vertex::copy(std::uint64_t to, std::uint64_t from, std::uint32_t size)
{
    co_await cpu_.work({.clocks = params_.copy_time(size), .what = "copy"});
    move(to, from, size);
}

Task<std::int64_t> Vertex::ntime()
{
    co_await work("timer", actions_.timer_call, 0);
    co_return cpu_.clock().edge_until(cpu_.time()).count() / params_.timer_grain.count();
}

std::string Vertex::waiting_for() const
{
    const std::string taken = fmt::format("{} of {} bytes of buffers are taken", buffers_.used(), buffers_.size());
    if (waiting_ == Waiting::kMessageOrBuffer) {
        return fmt::format("a message, or a buffer of {} bytes: {}", blocked_.size, taken);
    }
    if (waiting_ == Waiting::kBuffer) {
        return fmt::format("nwrite of {} bytes to node {}: {}", blocked_.size, blocked_.destination, taken);
    }
    if (waiting_ == Waiting::kOutput) {
        return fmt::format("nwrite of {} bytes to node {}: they have not left the program's memory", blocked_.size,
                           blocked_.destination);
    }
    const std::string refused =
        waiting_inputs_ == 0 ? "" : fmt::format("; neighbours ask for {} buffers, {}", waiting_inputs_, taken);
    return fmt::format("nread: a message of {} from {}; {}{}", who(wanted_type_, "type"), who(wanted_source_, "node"),
                       unread_of(arrived_.size(), "other"), refused);
}

std::string Vertex::pending() const
{
    PendingText text;
    for (unsigned channel = 0; channel < outputs_.size(); ++channel) {
        const Output& output = outputs_[channel];
        if (!output.active) continue;
        const Header& first = output.queue.front().header;
        text.add(fmt::format("message {} ({} bytes from node {} to {}) has not left by channel {}", first.id,
                             first.size, first.source, first.destination, channel));
        if (output.queue.size() > 1) text.add(output.queue.size() - 1, "wait behind it");
    }
    return text.text();
}

std::string Vertex::component_name() const
{
    return rank_ == machine_.host() ? "host.vertex" : fmt::format("node{}.vertex", rank_);
}

void Vertex::statistics(StatisticsVisitor& visitor) const
{
    visitor.counter("sent", stats_.sent, "messages", "messages that the program wrote");
    visitor.counter("sent_bytes", stats_.sent_bytes, "bytes", "bytes of them");
    visitor.counter("received", stats_.received, "messages", "messages that the program read");
    visitor.counter("received_bytes", stats_.received_bytes, "bytes", "bytes of them that it took");
    visitor.counter("truncated", stats_.truncated, "messages", "messages of which it took but the first bytes");
    visitor.counter("forwarded", stats_.forwarded, "messages", "messages of others that were sent on");
    visitor.counter("refused", stats_.refused, "requests", "requests that were refused for want of a buffer");
    visitor.counter("waits", stats_.waits, "", "writes and requests that waited for a buffer");
    visitor.value("buffers_highest", static_cast<double>(buffers_.highest()), "bytes",
                  "the most that system buffers held at once");
}

}  // namespace ringmesh::workloads::vertex
