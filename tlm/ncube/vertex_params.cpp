// SPDX-License-Identifier: Apache-2.0
#include "tlm/ncube/vertex_params.h"

namespace ringmesh {

void VertexParams::visit(ParameterVisitor& visitor)
{
    const Bounds<Cycles> clocks{0_cycles, 100'000_cycles};
    visitor.field({"system_entry", "from a program's call until the operating system has its arguments"}, system_entry,
                  clocks);
    visitor.field({"system_return", "back into the program"}, system_return, clocks);
    visitor.field({"interrupt_entry", "saves the program's state and finds the channel"}, interrupt_entry, clocks);
    visitor.field({"interrupt_return", "restores the program's state"}, interrupt_return, clocks);
    visitor.field({"channel_start", "writes a channel's address and count registers"}, channel_start, clocks);
    visitor.field({"allocate", "finds a system buffer and enters it"}, allocate, clocks);
    visitor.field({"release", "gives a system buffer back"}, release, clocks);
    visitor.field({"route", "finds the channel to the next node, or files a message that has arrived"}, route, clocks);
    visitor.field({"match", "looks for the message that a read asks for"}, match, clocks);
    visitor.field({"deliver", "takes a message out of its list and tells its length, source and type"}, deliver,
                  clocks);
    visitor.field({"copy", "clocks per byte of the loop that copies between user and system buffers"}, copy, {0, 1000});
    visitor.field({"timer_call", "the system call that reads the timer, to and back"}, timer_call, clocks);
    visitor.field({"timer_grain", "clocks of a tick of the timer"}, timer_grain, {1_cycles, 1'000'000_cycles});
    visitor.field({"request", "bytes of the request before a transfer, which has the message's header"}, request,
                  {0_B, 1_KiB});
    visitor.field({"reply", "bytes of the reply to it"}, reply, {0_B, 1_KiB});
    visitor.field({"buffer_memory", "memory of each node for system buffers"}, buffer_memory, {64_B, 256_MiB});
    visitor.choice({"buffering", "who holds a message between program and channel"}, buffering, kBufferingNames);
    visitor.choice({"full_buffers", "what a node does when no system buffer is free"}, full_buffers, kFullBuffersNames);
}

}  // namespace ringmesh
