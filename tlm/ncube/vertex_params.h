// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

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

/// Where the costs of Vertex's actions come from.
enum class CostBasis : std::uint8_t {
    kCounted,  ///< words that an action must read and write, each of one cost, and crossings between program and system
    kEntered,  ///< each action's own number
};

inline constexpr NameTable<CostBasis, 2> kCostBasisNames{
    {{{"counted", CostBasis::kCounted}, {"entered", CostBasis::kEntered}}}};

/// Processor clocks of the actions of Vertex, the operating system of the NCUBE's nodes. The times measured by programs
/// are sums of these.
struct VertexActions {
    Cycles system_entry = 380_cycles;
    Cycles system_return = 202_cycles;
    Cycles interrupt_entry = 235_cycles;
    Cycles interrupt_return = 100_cycles;
    Cycles channel_start = 35_cycles;
    Cycles allocate = 306_cycles;
    Cycles release = 326_cycles;
    Cycles route = 200_cycles;
    Cycles file = 200_cycles;
    Cycles arm = 0_cycles;
    Cycles leave = 0_cycles;
    Cycles match = 344_cycles;
    Cycles deliver = 495_cycles;
    Cycles timer_call = 210_cycles;
};

/// What Vertex costs and how it is set up; docs/reference/ncube.md says which published number sets what.
struct VertexParams {
    CostBasis costs = CostBasis::kCounted;
    Cycles crossing = 150_cycles;
    Cycles access = 13_cycles;
    VertexActions entered;
    Cycles copy = 17_cycles;
    Cycles timer_grain = 1024_cycles;
    Bytes request = 16_B;
    Bytes reply = 4_B;
    Bytes buffer_memory = 64_KiB;
    Buffering buffering = Buffering::kCopied;
    FullBuffers full_buffers = FullBuffers::kStop;

    /// By `costs`.
    VertexActions actions() const;
    /// Clocks of the loop that copies so many bytes between user and system buffers, word by word.
    Cycles copy_time(std::uint32_t bytes) const { return copy * ((std::int64_t{bytes} + 3) / 4); }

    void visit(ParameterVisitor& visitor);
};

}  // namespace ringmesh
