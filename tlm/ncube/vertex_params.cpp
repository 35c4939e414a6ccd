// SPDX-License-Identifier: Apache-2.0
#include "tlm/ncube/vertex_params.h"

namespace ringmesh {

void VertexParams::visit(ParameterVisitor& visitor)
{
    const Bounds<Cycles> clocks{0_cycles, 100'000_cycles};
    visitor.field({"system_entry", "from a program's call until the operating system has its arguments",
                   calibrated("001 Table 1, F + S at n = 0, less 24 clocks for F at 1500 bytes")},
                  system_entry, clocks);
    visitor.field({"system_return", "back into the program", assumed()}, system_return, clocks);
    visitor.field(
        {"interrupt_entry", "saves the program's state and finds the channel", calibrated("001 Table 1, E at n = 0")},
        interrupt_entry, clocks);
    visitor.field({"interrupt_return", "restores the program's state", assumed()}, interrupt_return, clocks);
    visitor.field({"channel_start", "writes a channel's address and count registers", assumed()}, channel_start,
                  clocks);
    visitor.field({"allocate", "finds a system buffer and enters it", calibrated("001 Table 1, R at n = 0")}, allocate,
                  clocks);
    visitor.field({"release", "gives a system buffer back", calibrated("001 Table 1, R + S at n = 0")}, release,
                  clocks);
    visitor.field({"route", "finds the channel to the next node, or files a message that has arrived", assumed()},
                  route, clocks);
    visitor.field({"match", "looks for the message that a read asks for", calibrated("001 Table 1, A + U at n = 0")},
                  match, clocks);
    visitor.field({"deliver", "takes a message out of its list and tells its length, source and type",
                   calibrated("001 Table 1, F + E + U at n = 0, less 11 clocks for U at 1500 bytes")},
                  deliver, clocks);
    visitor.field({"copy", "clocks per byte of the loop that copies between user and system buffers",
                   derived("001 Table 1, slopes of F + E + U and E")},
                  copy, {0, 1000});
    visitor.field({"timer_call", "the system call that reads the timer, to and back", assumed()}, timer_call, clocks);
    visitor.field({"timer_grain", "clocks of a tick of the timer", seed("001 App. B")}, timer_grain,
                  {1_cycles, 1'000'000_cycles});
    visitor.field({"request", "bytes of the request before a transfer, which has the message's header", assumed()},
                  request, {0_B, 1_KiB});
    visitor.field({"reply", "bytes of the reply to it", assumed()}, reply, {0_B, 1_KiB});
    visitor.field({"buffer_memory", "memory of each node for system buffers", assumed()}, buffer_memory,
                  {64_B, 256_MiB});
    visitor.choice({"buffering", "who holds a message between program and channel", seed("001 2")}, buffering,
                   kBufferingNames);
    visitor.choice({"full_buffers", "what a node does when no system buffer is free", assumed()}, full_buffers,
                   kFullBuffersNames);
}

}  // namespace ringmesh
