// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "tlm/parameters/parameters.h"

/// The NCUBE's node chip. Sources: docs/reference/evidence/sources.md.
namespace ringmesh::hw {

/// Why parameters of what only programs use have no effect, and the cure.
inline constexpr std::string_view kOnlySources =
    "packet sources stand in place of processors and memory; choose a workload that runs programs";

struct NcubeProcessorParams {
    Frequency clock = 7_MHz;
    Cycles longest_instruction = 12_cycles;
    Cycles instruction = 11_cycles;
    Bytes instruction_buffer = 16_B;

    void visit(ParameterVisitor& visitor);
};

struct NcubeChannelParams {
    Cycles byte = 9_cycles;

    void visit(ParameterVisitor& visitor);
};

/// Who uses the memory port first when several want it; a refresh comes before all.
enum class PortPriority : std::uint8_t {
    kInputs,    ///< inputs, whose words would be lost; the processor's data; outputs, which can wait; code ahead
    kChannels,  ///< inputs, outputs, data, code ahead
    kNone,      ///< DMA takes no time of the port: an ideal
};

inline constexpr NameTable<PortPriority, 3> kPortPriorityNames{{{{"inputs-first", PortPriority::kInputs},
                                                                 {"channels-first", PortPriority::kChannels},
                                                                 {"free", PortPriority::kNone}}}};

/// The one port to memory that the processor and the DMA of each active channel share, by words of 16 bits.
struct NcubeMemoryParams {
    Bytes size = 512_KiB;
    Cycles access = 2_cycles;
    Cycles refresh = 104_cycles;
    PortPriority priority = PortPriority::kInputs;

    void visit(ParameterVisitor& visitor);
};

/// The loop of the program beside the channels, a turn of it: what it fetches, reads and writes. All programs of a node
/// are slowed as this loop is.
struct NcubeLoopParams {
    std::int64_t instructions = 11;
    Bytes code = 50_B;
    std::int64_t reads = 9;   // words of 32 bits
    std::int64_t writes = 5;  // likewise
    Cycles arithmetic = 32_cycles;

    void visit(ParameterVisitor& visitor);
};

/// The operating system's code beside the channels: instructions that each read or write a word of 32 bits.
struct NcubeSystemParams {
    Bytes code = 7_B;  // of an instruction; 0: it is slowed as the program's loop is
    Cycles instruction = 8_cycles;

    void visit(ParameterVisitor& visitor);
};

struct NcubeNodeParams {
    NcubeProcessorParams processor;
    NcubeChannelParams channel;
    NcubeMemoryParams memory;
    NcubeLoopParams loop;
    NcubeSystemParams system;

    void visit(ParameterVisitor& visitor);
};

}  // namespace ringmesh::hw
