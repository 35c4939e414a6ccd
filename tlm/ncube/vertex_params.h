// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tlm/parameters.h"

namespace ringmesh {

/// Where a message is buffered between a program and the channel.
enum class Buffering : std::uint8_t {
    kCopied,  ///< a system buffer: allocated, filled by a copy loop, released
    /// The program's own memory, without allocation and copy; forwarding nodes keep their buffers. At the receiver the
    /// bytes still occupy a system buffer until they are read.
    kNone,
};

/// What a node does when no system buffer is free.
enum class FullBuffers : std::uint8_t {
    kStop,    ///< the run ends with a message
    kWait,    ///< writers and requests wait until one is released
    kRepeat,  ///< writers wait; a request is refused, and its sender retries at once
};

inline constexpr NameTable<Buffering, 2> kBufferingNames{
    {{{"copied", Buffering::kCopied}, {"none", Buffering::kNone}}}};
inline constexpr NameTable<FullBuffers, 3> kFullBuffersNames{
    {{{"stop", FullBuffers::kStop}, {"wait", FullBuffers::kWait}, {"repeat", FullBuffers::kRepeat}}}};

/// Costs of the actions of Vertex, the operating system of the NCUBE's nodes, in processor clocks. The times measured
/// by programs are sums of these; docs/ncube.md says which published number sets which.
struct VertexParams {
    Cycles system_entry = 380_cycles;
    Cycles system_return = 202_cycles;
    Cycles interrupt_entry = 235_cycles;
    Cycles interrupt_return = 100_cycles;
    Cycles channel_start = 35_cycles;
    Cycles allocate = 306_cycles;
    Cycles release = 326_cycles;
    Cycles route = 200_cycles;
    Cycles match = 344_cycles;
    Cycles deliver = 495_cycles;
    double copy = 4.25;
    Cycles timer_call = 210_cycles;
    Cycles timer_grain = 1024_cycles;
    Bytes request = 16_B;
    Bytes reply = 4_B;
    Bytes buffer_memory = 64_KiB;
    Buffering buffering = Buffering::kCopied;
    FullBuffers full_buffers = FullBuffers::kStop;

    void visit(ParameterVisitor& visitor);
};

}  // namespace ringmesh
