// SPDX-License-Identifier: Apache-2.0
#include "hw/ncube/params.h"

namespace ringmesh::hw {

void NcubeProcessorParams::visit(ParameterVisitor& visitor)
{
    visitor.field({"clock", "clock of processor, memory and channels"}, clock, {1_MHz, 1000_MHz});
    visitor.only_if(visitor.nodes() == NodeKind::kProcessor, kOnlySources, [&] {
        visitor.field({"longest_instruction",
                       "an interrupt waits for the end of an instruction: up to so many clocks, evenly spread"},
                      longest_instruction, {0_cycles, 1000_cycles});
        visitor.field({"instruction",
                       "mean clocks of an instruction without its memory accesses; from 1 to twice the mean less 1"},
                      instruction, {1_cycles, 1000_cycles});
        visitor.field({"instruction_buffer", "bytes of code fetched ahead; a loop that fits in them is fetched once"},
                      instruction_buffer, {8_B, 1_KiB});
    });
}

void NcubeChannelParams::visit(ParameterVisitor& visitor)
{
    visitor.field({"byte", "clocks of a byte on a bit-serial channel: 8 bits and one of framing"}, byte,
                  {1_cycles, 1000_cycles});
}

void NcubeMemoryParams::visit(ParameterVisitor& visitor)
{
    visitor.field({"size", "memory of a node"}, size, {64_KiB, 1024_MiB});
    visitor.field({"access", "clocks for which one access, of 2 bytes, takes the port"}, access, {1_cycles, 18_cycles});
    visitor.field({"refresh", "from one refresh to the next, each of which takes an access"}, refresh,
                  {18_cycles, 100'000_cycles});
    visitor.choice({"priority", "who gets the port first when several want it"}, priority, kPortPriorityNames);
}

void NcubeLoopParams::visit(ParameterVisitor& visitor)
{
    visitor.field({"instructions", "instructions of a turn"}, instructions, {1, 1000});
    visitor.field({"code", "bytes of them"}, code, {1_B, 64_KiB});
    visitor.field({"reads", "words of 4 bytes that they read"}, reads, {0, 1000});
    visitor.field({"writes", "words of 4 bytes that they write"}, writes, {0, 1000});
    visitor.field({"arithmetic",
                   "clocks of a turn's multiplications or floating-point operations beyond those of an "
                   "instruction"},
                  arithmetic, {0_cycles, 100'000_cycles});
}

void NcubeSystemParams::visit(ParameterVisitor& visitor)
{
    visitor.field({"code",
                   "bytes of an instruction, which reads or writes a word; 0: it wants of the port what the "
                   "program's loop wants"},
                  code, {0_B, 64_B});
    visitor.only_if(code > 0_B, "the system's code is slowed as the loop is; set system.code", [&] {
        visitor.field({"instruction", "mean clocks of an instruction without its memory accesses"}, instruction,
                      {1_cycles, 1000_cycles});
    });
}

void NcubeNodeParams::visit(ParameterVisitor& visitor)
{
    visitor.group("processor", "the node's processor", processor);
    visitor.group("channel", "its serial channels", channel);
    visitor.only_if(visitor.nodes() == NodeKind::kProcessor, kOnlySources, [&] {
        visitor.group("memory", "its memory and the port to it", memory);
        visitor.group("loop", "a turn of the program's loop, which loads the port", loop);
        visitor.group("system", "the operating system's code, which loads the port", system);
    });
}

}  // namespace ringmesh::hw
