// SPDX-License-Identifier: Apache-2.0
#include "tlm/ncube/vertex_params.h"

#include <cstdint>

namespace ringmesh {
namespace {

constexpr std::int64_t kWordsToLook = 4;
constexpr std::int64_t kWordsToDeliver = 11;
constexpr std::int64_t kWordsToRelease = 7;

}  // namespace

/// Words of 4 bytes that each action reads or writes, counted from what it must do before any of the six times was
/// compared; docs/reference/machines/ncube.md names each word. What a call takes beyond these is halved between both
/// ways; what a read takes is spent as its words are.
VertexActions VertexParams::actions() const
{
    const Cycles into(call.count() / 2), back(call.count() - into.count());
    const Cycles look(read.count() * kWordsToLook / (kWordsToLook + kWordsToDeliver + kWordsToRelease));
    const Cycles take(read.count() - look.count());
    return {
        .system_entry = crossing + access * 5 + into,  // the arguments
        .system_return = crossing + access + back,     // the status
        .interrupt_entry = crossing + access * 3,      // which channel, and its state
        .interrupt_return = crossing,
        .channel_start = access * 7,                 // address, count, interrupt mask, state
        .allocate = access * 14,                     // the first block of the free list is divided; the header
        .release = access * kWordsToRelease,         // into the free list, joined to its neighbour
        .route = access * 11,                        // the node's and its own number, the table; the channel's queue
        .file = access * 7,                          // the list of what has arrived; whether the program waits
        .arm = access * 8,                           // for whom it is; the channel is ready for the next request
        .leave = access * 5,                         // out of the channel's queue; the next one
        .match = access * kWordsToLook + look,       // the first message's source and type
        .deliver = access * kWordsToDeliver + take,  // out of its list; length, source, type
        .timer_call = crossing * 2 + access * 2,     // the timer, the result
    };
}

void VertexParams::visit(ParameterVisitor& visitor)
{
    const Bounds<Cycles> clocks{0_cycles, 100'000_cycles};
    visitor.field({"crossing", "from program to operating system, by a call or an interrupt, or back"}, crossing,
                  clocks);
    visitor.field({"access", "a word of the operating system's tables, with the instructions about it"}, access,
                  clocks);
    visitor.field({"call", "a system call beyond its crossings and words, to and back: half on either way"}, call,
                  clocks);
    visitor.field(
        {"read",
         "a read beyond its call and words, spent as these are: to look for a message, to deliver it, to release "
         "its buffer"},
        read, clocks);
    visitor.field({"copy", "a turn of the loop that copies a word of 4 bytes between user and system buffers"}, copy,
                  clocks);
    visitor.field({"timer_grain", "clocks of a tick of the timer"}, timer_grain, {1_cycles, 1'000'000_cycles});
    visitor.field({"request", "bytes of the request before a transfer, which has the message's header"}, request,
                  {0_B, 1_KiB});
    visitor.field({"reply", "bytes of the reply to it"}, reply, {0_B, 1_KiB});
    visitor.field({"buffer_memory", "memory of each node for system buffers"}, buffer_memory, {64_B, 256_MiB});
    visitor.choice({"buffering", "who holds a message between program and channel"}, buffering, kBufferingNames);
    visitor.choice({"full_buffers", "what a node does when no system buffer is free"}, full_buffers, kFullBuffersNames);
}

}  // namespace ringmesh
