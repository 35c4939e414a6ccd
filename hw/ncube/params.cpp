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
        visitor.only_if(false,
                        "programs under Vertex move whole messages; set it in a platform file for a program that loads "
                        "or stores words",
                        [&] {
                            visitor.field({"memory_access", "clocks of a load or store instruction of 4 bytes"},
                                          memory_access, {0_cycles, 1000_cycles});
                        });
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
    visitor.field({"dma_word", "bytes of one memory access of a channel's DMA"}, dma_word, {1_B, 64_B});
    visitor.field({"receive_access", "clocks for which the port is taken by one access of a receiving channel"},
                  receive_access, {0, 100});
    visitor.field({"send_access", "clocks for which the port is taken by one access of a sending channel"}, send_access,
                  {0, 100});
    visitor.field({"demand", "part of the port's time that a running processor wants"}, demand, {0.01, 0.99});
    visitor.field({"prefetch", "words that the processor fetches ahead"}, prefetch, {1, 64});
    visitor.field({"most_load", "part of the port's time that DMA takes at most; channels that want more lose no data"},
                  most_load, {0.0, 0.99});
}

void NcubeNodeParams::visit(ParameterVisitor& visitor)
{
    visitor.group("processor", "the node's processor", processor);
    visitor.group("channel", "its serial channels", channel);
    visitor.only_if(visitor.nodes() == NodeKind::kProcessor, kOnlySources,
                    [&] { visitor.group("memory", "its memory and the port to it", memory); });
}

}  // namespace ringmesh::hw
