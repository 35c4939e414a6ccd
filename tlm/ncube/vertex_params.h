// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tlm/parameters/parameters.h"

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

/// Processor clocks of the actions of Vertex, the operating system of the NCUBE's nodes. The times measured by programs
/// are sums of these.
struct VertexActions {
    Cycles system_entry, system_return;
    Cycles interrupt_entry, interrupt_return;
    Cycles channel_start;
    Cycles allocate, release;
    Cycles route, file;
    Cycles arm, leave;
    Cycles match, deliver;
    Cycles timer_call;
};

/// What Vertex costs and how it is set up; docs/reference/machines/ncube.md says which published number sets what.
struct VertexParams {
    Cycles crossing = 150_cycles;
    Cycles access = 13_cycles;
    Cycles call = 461_cycles;
    Cycles read = 623_cycles;
    Cycles copy = 17_cycles;
    Cycles timer_grain = 1024_cycles;
    Bytes request = 16_B;
    Bytes reply = 4_B;
    Bytes buffer_memory = 64_KiB;
    Buffering buffering = Buffering::kCopied;
    FullBuffers full_buffers = FullBuffers::kStop;

    /// Counted words and crossings, and for calls what was measured beyond these.
    VertexActions actions() const;
    /// Clocks of the loop that copies so many bytes between user and system buffers, word by word.
    Cycles copy_time(std::uint32_t bytes) const { return copy * ((std::int64_t{bytes} + 3) / 4); }

    void visit(ParameterVisitor& visitor);
};

}  // namespace ringmesh
