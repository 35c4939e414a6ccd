// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tlm/parameters/names.h"
#include "tlm/parameters/parameters.h"
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
    kPrefetching,  ///< get first reads a word of each line that it will store to, and in the end of one line more
    kPipelined,    ///< that, and a long put reads the next line of its source before it stores this one
};
inline constexpr NameTable<Copies, 3> kCopiesNames{
    {{{"plain", Copies::kPlain}, {"prefetching", Copies::kPrefetching}, {"pipelined", Copies::kPipelined}}}};

/// The copy method of one library.
struct Copying {
    /// Bytes from which on kPipelined reads ahead [iRCCE].
    static constexpr std::uint32_t kReadsAhead = 256;

    Copies copies = Copies::kPlain;
    std::uint32_t width = 4;  ///< bytes of each load and store

    /// So many bytes from private memory to a message-passing buffer.
    CopyKind put(std::uint32_t size) const;
    /// And back.
    CopyKind get() const;
};

/// Libraries as they were shipped or, of the thesis, as they are thought to have been. A preset sets `version`,
/// `copies` and `copy_width`; what else is set with it overrides it.
enum class Preset : std::uint8_t {
    kRcce1_1,      ///< Intel's RCCE 1.1 of December 2010, with its copies in assembly
    kRcce1_0_13,   ///< Intel's RCCE 1.0.13 of August 2010: the C library's copies, flags of a line
    kIrcce,        ///< RCCE 1.1 with the copies of iRCCE, as RWTH Aachen's own RCCE has
    kPichler2012,  ///< what [004] is thought to have run: copies of single bytes, inferred from its times
};
inline constexpr NameTable<Preset, 4> kPresetNames{{{{"rcce-1.1", Preset::kRcce1_1},
                                                     {"rcce-1.0.13", Preset::kRcce1_0_13},
                                                     {"ircce", Preset::kIrcce},
                                                     {"pichler-2012", Preset::kPichler2012}}}};

/// Where the cycles of a call come from.
enum class Costs : std::uint8_t {
    kMeasured,  ///< one cost for both libraries, from a published time
    kCounted,   ///< of RCCE the instructions of its source
};
inline constexpr NameTable<Costs, 2> kCostsNames{{{{"measured", Costs::kMeasured}, {"counted", Costs::kCounted}}}};

/// Of both libraries.
inline constexpr Cycles kMeasuredCall{640};

/// Build options of RCCE and iRCCE.
struct LibraryOptions {
    Preset preset = Preset::kRcce1_1;
    Version version = Version::k1_1;
    Copies copies = Copies::kPrefetching;
    std::int64_t copy_width = 4;
    Copies ircce_copies = Copies::kPipelined;
    std::int64_t ircce_copy_width = 4;
    Frequency declared_clock = 1000_MHz;
    Costs costs = Costs::kMeasured;
    Cycles call = kMeasuredCall;
    Cycles ircce_call = kMeasuredCall;
    Cycles step{32};
    /// Whose values the fields had before single options changed them.
    Preset adopted = Preset::kRcce1_1;
    Costs adopted_costs = Costs::kMeasured;

    static LibraryOptions of(Preset preset);
    Copying copying() const { return {copies, static_cast<std::uint32_t>(copy_width)}; }
    Copying ircce_copying() const { return {ircce_copies, static_cast<std::uint32_t>(ircce_copy_width)}; }

    /// RCCE's options, and those of iRCCE.
    void visit(ParameterVisitor& visitor);
    void visit_ircce(ParameterVisitor& visitor);
    /// Checks combinations of options. @throws UserError
    void require_sound() const;

private:
    void adopt();
    void adopt_costs();
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
    /// Whether the next flag takes a line from the payload.
    bool is_full() const { return flags_ % flags_per_line_ == 0; }
    /// Takes so many bytes, whole lines, from the end of the payload, of which a line must stay.
    /// @return their offset in a message-passing buffer; 0 if there are not so many
    std::uint32_t take(std::uint32_t size);

    std::uint32_t flags() const { return flags_; }
    std::uint32_t flag_lines() const { return (flags_ + flags_per_line_ - 1) / flags_per_line_; }
    /// Offsets in a message-passing buffer; the dummy line is at 0.
    std::uint32_t offset(Flag flag) const;
    std::uint32_t payload_offset() const { return (1 + flag_lines()) * SccProcessor::kLine; }
    /// Bytes of payload, whole lines: the maximum of one handshake.
    std::uint32_t payload() const { return end_ - payload_offset(); }

private:
    void require_payload() const;

    std::uint32_t cores_;
    std::uint32_t flags_per_line_;
    std::uint32_t flags_;
    std::uint32_t end_ = SccProcessor::kMessageBuffer;  // of the payload
};

}  // namespace ringmesh::workloads::rcce
