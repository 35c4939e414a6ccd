// SPDX-License-Identifier: Apache-2.0
#include "tlm/ncube/vertex_params.h"

#include <string_view>

namespace ringmesh {

/// Words of 4 bytes that each action reads or writes, counted from what it must do before any of the six times was
/// compared; docs/reference/ncube.md names each word.
VertexActions VertexParams::actions() const
{
    if (costs == CostBasis::kEntered) return entered;
    VertexActions counted;
    counted.system_entry = crossing + access * 5;     // the arguments
    counted.system_return = crossing + access;        // the status
    counted.interrupt_entry = crossing + access * 3;  // which channel, and its state
    counted.interrupt_return = crossing;
    counted.channel_start = access * 7;              // address, count, interrupt mask, state
    counted.allocate = access * 14;                  // the first block of the free list is divided; the header
    counted.release = access * 7;                    // into the free list, joined to its neighbour
    counted.route = access * 11;                     // the node's and its own number, the table; the channel's queue
    counted.file = access * 7;                       // the list of what has arrived; whether the program waits
    counted.arm = access * 8;                        // for whom it is; the channel is ready for the next request
    counted.leave = access * 5;                      // out of the channel's queue; the next one
    counted.match = access * 4;                      // the first message's source and type
    counted.deliver = access * 11;                   // out of its list; length, source, type
    counted.timer_call = crossing * 2 + access * 2;  // the timer, the result
    return counted;
}

void VertexParams::visit(ParameterVisitor& visitor)
{
    const Bounds<Cycles> clocks{0_cycles, 100'000_cycles};
    visitor.choice({"costs", "counted words and crossings, or a number for each action"}, costs, kCostBasisNames);
    visitor.only_if(costs == CostBasis::kCounted, "each action has its number; set vertex.costs to counted", [&] {
        visitor.field({"crossing", "from program to operating system, by a call or an interrupt, or back"}, crossing,
                      clocks);
        visitor.field({"access", "a word of the operating system's tables, with the instructions about it"}, access,
                      clocks);
    });
    visitor.only_if(costs == CostBasis::kEntered, "costs are counted; set vertex.costs to entered", [&] {
        const auto action = [&](std::string_view key, std::string_view meaning, Cycles& value) {
            visitor.field({key, meaning}, value, clocks);
        };
        action("system_entry", "from a program's call until the operating system has its arguments",
               entered.system_entry);
        action("system_return", "back into the program", entered.system_return);
        action("interrupt_entry", "saves the program's state and finds the channel", entered.interrupt_entry);
        action("interrupt_return", "restores the program's state", entered.interrupt_return);
        action("channel_start", "writes a channel's address and count registers", entered.channel_start);
        action("allocate", "finds a system buffer and enters it", entered.allocate);
        action("release", "gives a system buffer back", entered.release);
        action("route", "finds the channel to the next node", entered.route);
        action("file", "puts a message that has arrived into its list", entered.file);
        action("arm", "makes a channel ready for what comes after a message", entered.arm);
        action("leave", "takes a message that has left out of its channel's queue", entered.leave);
        action("match", "looks for the message that a read asks for", entered.match);
        action("deliver", "takes a message out of its list and tells its length, source and type", entered.deliver);
        action("timer_call", "the system call that reads the timer, to and back", entered.timer_call);
    });
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
