// SPDX-License-Identifier: Apache-2.0
#include "workloads/rcce/options.h"

#include <fmt/format.h>

#include "tlm/error.h"

namespace ringmesh::workloads::rcce {
namespace {

constexpr std::int64_t kMostCycles = 1'000'000;

}  // namespace

CopyKind Copying::put() const { return copies == Copies::kPipelined ? CopyKind::kPrefetchSource : CopyKind::kPlain; }

CopyKind Copying::get() const { return copies == Copies::kPlain ? CopyKind::kPlain : CopyKind::kPrefetchDestination; }

void LibraryOptions::visit(ParameterVisitor& visitor)
{
    visitor.choice({"version", "of RCCE: 1.1 has flags of one byte, 1.0.13 of a line each, which leaves less payload",
                    spec("RCCE")},
                   version, kVersionNames);
    visitor.choice(
        {"copies",
         "RCCE's: plain, prefetching (get reads the lines that it will store to), or pipelined (and put runs "
         "ahead on its source)",
         Origin{.from = Provenance::kCalibrated,
                .set_by = {"scc.cube.50000B.part4096"},
                .alternatives = {"prefetching", "pipelined"},
                .note = "how a copy was compiled is not published; one time decides"}},
        copies, kCopiesNames);
    visitor.field({"copy_width", "bytes that each load and store of RCCE's copies moves: 1, 2 or 4",
                   calibrated("scc.cube.50000B.part4096").between("1", "4", "what one instruction of a P54C moves")},
                  copy_width, {1, 4});
    visitor.field(
        {"declared_clock", "by which RCCE_wtime divides core cycles, whatever the tiles run at", derived("004 tab.3")},
        declared_clock, {1_MHz, 100'000_MHz});
    visitor.field({"call", "core cycles of software at each call of RCCE",
                   assumed().between("10 cycles", "200 cycles",
                                     "checks of arguments and a loop's begin: 10 to 100 instructions")},
                  call, {Cycles(0), Cycles(kMostCycles)});
    visitor.field({"step", "core cycles of software around each put, get, look at and write of a flag",
                   assumed().between("5 cycles", "60 cycles", "address arithmetic and a call: 5 to 30 instructions")},
                  step, {Cycles(0), Cycles(kMostCycles)});
}

void LibraryOptions::visit_ircce(ParameterVisitor& visitor)
{
    visitor.choice({"ircce_copies", "iRCCE's", spec("iRCCE")}, ircce_copies, kCopiesNames);
    visitor.field({"ircce_copy_width", "likewise of iRCCE's",
                   assumed().between("1", "4", "what one instruction of a P54C moves")},
                  ircce_copy_width, {1, 4});
    visitor.field({"ircce_call", "likewise of iRCCE: requests, lists, and a look at each source's queue",
                   calibrated("scc.dopl.50000B.pipe256")
                       .between("100 cycles", "2500 cycles", "a request and its list, to a look at 48 queues")},
                  ircce_call, {Cycles(0), Cycles(kMostCycles)});
}

void LibraryOptions::require_sound() const
{
    const auto require = [](std::string_view option, std::int64_t width) {
        if (width != 3) return;
        throw UserError(fmt::format("{} = 3: no instruction moves so many bytes; write 1, 2 or 4", option));
    };
    require("copy_width", copy_width);
    require("ircce_copy_width", ircce_copy_width);
}

Layout::Layout(Version version, std::uint32_t cores)
    : cores_(cores), flags_per_line_(version == Version::k1_1 ? SccProcessor::kLine : 1), flags_(2 * cores)
{
    require_payload();
}

Flag Layout::add_flag()
{
    ++flags_;
    require_payload();
    return flags_ - 1;
}

std::uint32_t Layout::offset(Flag flag) const
{
    return SccProcessor::kLine + flag * (SccProcessor::kLine / flags_per_line_);
}

void Layout::require_payload() const
{
    if (payload_offset() < SccProcessor::kMessageBuffer) return;
    throw UserError(
        fmt::format("the flags of {} cores, {} in all, leave no line of the message-passing buffer for payload; let "
                    "fewer cores run "
                    "the program, or choose version = 1.1, which has 32 flags to a line",
                    cores_, flags_));
}

}  // namespace ringmesh::workloads::rcce
