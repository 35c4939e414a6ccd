// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "tlm/parameters.h"

/// The NCUBE's node chip. Sources: docs/sources.md.
namespace ringmesh::hw {

/// Why parameters of what only programs use have no effect, and the cure.
inline constexpr std::string_view kOnlySources =
    "packet sources stand in place of processors and memory; choose a workload that runs programs";

struct NcubeProcessorParams {
    Frequency clock = 7_MHz;
    Cycles longest_instruction = 12_cycles;
    Cycles memory_access = 2_cycles;

    void visit(ParameterVisitor& visitor);
};

struct NcubeChannelParams {
    Cycles byte = 9_cycles;

    void visit(ParameterVisitor& visitor);
};

/// The one port to memory that the processor and the DMA of each active channel share.
struct NcubeMemoryParams {
    Bytes size = 512_KiB;
    Bytes dma_word = 2_B;
    double receive_access = 3;
    double send_access = 1;
    double demand = 0.614;
    std::int64_t prefetch = 5;
    double most_load = 0.98;

    void visit(ParameterVisitor& visitor);
};

struct NcubeNodeParams {
    NcubeProcessorParams processor;
    NcubeChannelParams channel;
    NcubeMemoryParams memory;

    void visit(ParameterVisitor& visitor);
};

}  // namespace ringmesh::hw
