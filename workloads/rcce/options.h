// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tlm/names.h"
#include "tlm/parameters.h"
#include "tlm/scc/scc_processor.h"

namespace ringmesh::workloads::rcce {

/// The relevant difference between the library's versions: the layout of flags in the message-passing buffer.
enum class Version : std::uint8_t {
    k1_1,     ///< flags of one byte, 32 to a line
    k1_0_13,  ///< each flag has a line of its own
};
inline constexpr NameTable<Version, 2> kVersionNames{{{{"1.1", Version::k1_1}, {"1.0.13", Version::k1_0_13}}}};

/// How a library copies between private memory and message-passing buffers.
enum class Copies : std::uint8_t {
    kPlain,        ///< load, store: a store to private memory that is not cached crosses the mesh by itself
    kPrefetching,  ///< get first reads a word of each line that it will store to
    kPipelined,    ///< that, and put reads the next line of its source before it stores this one
};
inline constexpr NameTable<Copies, 3> kCopiesNames{
    {{{"plain", Copies::kPlain}, {"prefetching", Copies::kPrefetching}, {"pipelined", Copies::kPipelined}}}};

/// The copy method of one library.
struct Copying {
    Copies copies = Copies::kPlain;
    std::uint32_t width = 4;  ///< bytes of each load and store

    /// From private memory to a message-passing buffer, and back.
    CopyKind put() const;
    CopyKind get() const;
};

/// Build options of RCCE and iRCCE.
struct LibraryOptions {
    Version version = Version::k1_1;
    Copies copies = Copies::kPlain;
    std::int64_t copy_width = 1;
    Copies ircce_copies = Copies::kPipelined;
    std::int64_t ircce_copy_width = 4;
    Frequency declared_clock = 1000_MHz;
    Cycles call{50};
    Cycles ircce_call{750};
    Cycles step{20};

    Copying copying() const { return {copies, static_cast<std::uint32_t>(copy_width)}; }
    Copying ircce_copying() const { return {ircce_copies, static_cast<std::uint32_t>(ircce_copy_width)}; }

    /// RCCE's options, and those of iRCCE.
    void visit(ParameterVisitor& visitor);
    void visit_ircce(ParameterVisitor& visitor);
    /// Checks combinations of options. @throws UserError
    void require_sound() const;
};

/// Number of a flag: each core's buffer holds one byte of each, at the same offset.
using Flag = std::uint32_t;

/// The layout of each message-passing buffer: a dummy line, then flags, then the payload.
///
///     sent[0..n-1]   sent[i] at a receiver: core i's payload holds something for it
///     ready[0..n-1]  ready[i] at a sender: core i has fetched it
///     gather, release of each communicator, and flags that programs allocate
class Layout {
public:
    /// @throws UserError if no line is left for payload
    Layout(Version version, std::uint32_t cores);

    Flag sent(unsigned core) const { return core; }
    Flag ready(unsigned core) const { return cores_ + core; }
    /// One more flag; takes a line from the payload if the last one is full. @throws UserError as above
    Flag add_flag();

    std::uint32_t flags() const { return flags_; }
    std::uint32_t flag_lines() const { return (flags_ + flags_per_line_ - 1) / flags_per_line_; }
    /// Offsets in a message-passing buffer; the dummy line is at 0.
    std::uint32_t offset(Flag flag) const;
    std::uint32_t payload_offset() const { return (1 + flag_lines()) * SccProcessor::kLine; }
    /// Bytes of payload, whole lines: the maximum of one handshake.
    std::uint32_t payload() const { return SccProcessor::kMessageBuffer - payload_offset(); }

private:
    void require_payload() const;

    std::uint32_t cores_;
    std::uint32_t flags_per_line_;
    std::uint32_t flags_;
};

}  // namespace ringmesh::workloads::rcce
