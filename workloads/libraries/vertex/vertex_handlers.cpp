// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstring>

#include "tlm/error.h"
#include "tlm/simulation/fault.h"
#include "workloads/libraries/vertex/vertex.h"

/// What Vertex does when a channel interrupts, and what writers share with that. Work that nothing outside can tell
/// apart is done in one piece: `before` is what comes first.
namespace ringmesh::workloads::vertex {

Task<> Vertex::serve(ChannelInterrupt interrupt)
{
    const Cycles entry = actions_.interrupt_entry;
    const unsigned channel = interrupt.channel;
    if (interrupt.kind == ChannelInterrupt::Kind::kError) {
        throw FaultError(
            fmt::format("node {}: a parity error on channel {}, in message {}", rank_, channel, interrupt.message));
    }
    if (interrupt.kind == ChannelInterrupt::Kind::kInput) {
        co_await data_came(channel, entry);
    } else if (interrupt.kind == ChannelInterrupt::Kind::kOutput) {
        co_await data_left(channel, entry);
    } else {
        ControlMessage message;
        std::memcpy(&message, interrupt.control.data(), sizeof(message));
        if (message.kind == Control::kRequest) {
            co_await requested(channel, message.header, entry);
        } else if (message.kind == Control::kRefused) {
            co_await start_next(channel, entry);
        } else {
            co_await work("interrupt, start the data", entry + actions_.channel_start, interrupt.message);
            const Message& first = outputs_[channel].queue.front();
            cpu_.send(channel, first.address, first.header.size, first.header.id);
        }
    }
    // Only the program waits for the end of a handler
    const bool is_input = interrupt.kind == ChannelInterrupt::Kind::kInput;
    co_await work("interrupt return", actions_.interrupt_return, is_input ? interrupt.message : 0);
}

/// Behind what the channel has to send already.
Task<> Vertex::queue(unsigned channel, Message message)
{
    Output& output = outputs_[channel];
    message.since = cpu_.time();
    output.queue.push_back(message);
    if (output.active) co_return;
    output.active = true;
    co_await start_next(channel, Cycles(0));
}

/// Asks the neighbour for a buffer.
Task<> Vertex::start_next(unsigned channel, Cycles before)
{
    co_await work("start the request", before + actions_.channel_start, outputs_[channel].queue.front().header.id);
    send_control(channel, Control::kRequest, outputs_[channel].queue.front().header);
}

Task<> Vertex::requested(unsigned channel, Header header, Cycles before)
{
    Message& coming = inputs_[channel].coming;
    coming.header = header;
    coming.in_buffer = true;
    co_await work("interrupt, allocate", copies(header) ? before + actions_.allocate : before, header.id);
    const auto address = buffers_.allocate(header.size);
    if (address) {
        coming.address = *address;
        co_await reply(channel);
        co_return;
    }
    if (params_.full_buffers == FullBuffers::kStop) {
        no_buffer(header, header.destination == rank_ ? "receiving" : "forwarding");
    }
    if (params_.full_buffers == FullBuffers::kRepeat) {
        ++stats_.refused;
        machine_.simulation().refused();
        co_await work("start the refusal", actions_.channel_start, header.id);
        send_control(channel, Control::kRefused, header);
        co_return;
    }
    ++stats_.waits;
    coming.since = cpu_.time();
    inputs_[channel].waits_for_buffer = true;
    ++waiting_inputs_;
}

/// The buffer is there: the channel learns where it is, the neighbour that it may send.
Task<> Vertex::reply(unsigned channel)
{
    const Message& coming = inputs_[channel].coming;
    co_await work("start the reply", actions_.channel_start * 2, coming.header.id);
    cpu_.expect(channel, coming.address, coming.header.size);
    send_control(channel, Control::kReply, coming.header);
}

Task<> Vertex::data_came(unsigned channel, Cycles before)
{
    Message message = inputs_[channel].coming;
    const bool forwards = message.header.destination != rank_;
    const Cycles place = forwards ? actions_.route : actions_.file;
    co_await work("interrupt, route", before + actions_.arm + place, message.header.id);
    if (forwards) {
        ++stats_.forwarded;
        co_await queue(channel_to(message.header.destination), message);
        co_return;
    }
    message.since = cpu_.time();
    arrived_.push_back(message);
    const bool is_awaited = waiting_ == Waiting::kMessage || waiting_ == Waiting::kMessageOrBuffer;
    if (is_awaited && matches(message.header, wanted_source_, wanted_type_)) cpu_.wake();
}

/// The channel goes on first; cleaning up comes last [001 2].
Task<> Vertex::data_left(unsigned channel, Cycles before)
{
    const Message message = outputs_[channel].queue.pop_front();
    const Cycles left = before + actions_.leave;
    if (outputs_[channel].queue.empty()) {
        outputs_[channel].active = false;
        co_await release(message, left);
        co_return;
    }
    const Message& next = outputs_[channel].queue.front();
    waited("behind others", next.header.id, next.since, message.header.id);
    co_await start_next(channel, left);
    co_await release(message, Cycles(0));
}

/// Gives a buffer back, and to those who wait for one.
Task<> Vertex::release(Message message, Cycles before)
{
    const bool costs = message.in_buffer && copies(message.header);
    const Cycles clocks = costs ? before + actions_.release : before;
    if (clocks > Cycles(0)) co_await work("release", clocks, 0);
    if (!message.in_buffer) {
        --sent_uncopied_;
        if (waiting_ == Waiting::kOutput) cpu_.wake();
        co_return;
    }
    buffers_.release(message.address, message.header.size);
    released_ = message.header.id;
    if (waiting_ == Waiting::kBuffer || waiting_ == Waiting::kMessageOrBuffer) cpu_.wake();
    for (unsigned channel = 0; waiting_inputs_ > 0 && channel < inputs_.size(); ++channel) {
        Input& input = inputs_[channel];
        if (!input.waits_for_buffer) continue;
        const auto address = buffers_.allocate(input.coming.header.size);
        if (!address) continue;
        input.waits_for_buffer = false;
        --waiting_inputs_;
        input.coming.address = *address;
        waited("no system buffer", input.coming.header.id, input.coming.since, message.header.id);
        co_await reply(channel);
    }
}

}  // namespace ringmesh::workloads::vertex
