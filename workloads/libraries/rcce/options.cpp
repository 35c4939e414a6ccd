// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/rcce/options.h"

#include <fmt/format.h>

#include <array>

#include "tlm/error.h"

namespace ringmesh::workloads::rcce {
namespace {

constexpr std::int64_t kMostCycles = 1'000'000;

}  // namespace

CopyKind Copying::put(std::uint32_t size) const
{
    return copies == Copies::kPipelined && size >= kReadsAhead ? CopyKind::kPrefetchSource : CopyKind::kPlain;
}

CopyKind Copying::get() const { return copies == Copies::kPlain ? CopyKind::kPlain : CopyKind::kPrefetchDestination; }

LibraryOptions LibraryOptions::of(Preset preset)
{
    LibraryOptions options;
    options.preset = preset;
    options.adopt();
    return options;
}

void LibraryOptions::adopt()
{
    struct Values {
        Version version;
        Copies copies;
        std::int64_t copy_width;
    };
    static constexpr std::array<Values, kPresetNames.rows.size()> kValues{{{Version::k1_1, Copies::kPrefetching, 4},
                                                                           {Version::k1_0_13, Copies::kPlain, 4},
                                                                           {Version::k1_1, Copies::kPipelined, 4},
                                                                           {Version::k1_1, Copies::kPlain, 1}}};
    const Values& values = kValues.at(static_cast<std::size_t>(preset));
    version = values.version;
    copies = values.copies;
    copy_width = values.copy_width;
    adopted = preset;
}

void LibraryOptions::adopt_costs()
{
    call = costs == Costs::kCounted ? Cycles(105) : kMeasuredCall;
    ircce_call = costs == Costs::kCounted ? Cycles(735) : kMeasuredCall;
    adopted_costs = costs;
}

void LibraryOptions::visit(ParameterVisitor& visitor)
{
    visitor.choice({"preset",
                    "the library that was shipped: sets version, copies and copy_width, which may be given beside it; "
                    "ircce is RCCE 1.1 with iRCCE's copies, pichler-2012 what [004] is thought to have had",
                    spec("RCCE")},
                   preset, kPresetNames);
    if (preset != adopted) adopt();
    const bool is_inferred = preset == Preset::kPichler2012;
    visitor.choice(
        {"version", "of RCCE: 1.1 has flags of one byte, 1.0.13 of a line each, which leaves less payload",
         is_inferred ? Origin{.alternatives = {"1.0.13"}, .note = "the thesis names no version"} : spec("RCCE")},
        version, kVersionNames);
    const Origin shipped = spec(preset == Preset::kIrcce ? "iRCCE" : "RCCE");
    const Origin inferred{.from = Provenance::kCalibrated,
                          .set_by = {"scc.cube.50000B.part4096"},
                          .alternatives = {"prefetching", "pipelined"},
                          .note = "how a copy was compiled is not published; one time decides"};
    visitor.choice({"copies",
                    "RCCE's: plain, prefetching (get reads the lines that it will store to), or pipelined (and put "
                    "runs ahead on its source)",
                    is_inferred ? inferred : shipped},
                   copies, kCopiesNames);
    const std::string_view reason = "what one instruction of a P54C moves";
    const bool is_of_c = preset == Preset::kRcce1_0_13;  // memcpy of the C library
    visitor.field({"copy_width", "bytes that each load and store of RCCE's copies moves: 1, 2 or 4",
                   is_inferred ? calibrated("scc.cube.50000B.part4096").between("1", "4", std::string(reason))
                   : is_of_c   ? assumed().between("1", "4", std::string(reason))
                               : shipped},
                  copy_width, {1, 4});
    visitor.field(
        {"declared_clock", "by which RCCE_wtime divides core cycles, whatever the tiles run at", derived("004 tab.3")},
        declared_clock, {1_MHz, 100'000_MHz});
    visitor.choice({"costs",
                    "of a call: measured, one number for RCCE and iRCCE; counted: RCCE's instructions, and iRCCE's as "
                    "set beside them; sets call and ircce_call, which may be given beside it",
                    Origin{.from = Provenance::kModel, .alternatives = {"counted"}}},
                   costs, kCostsNames);
    if (costs != adopted_costs) adopt_costs();
    const bool is_counted = costs == Costs::kCounted;
    visitor.field(
        {"call", "core cycles of software at each call of RCCE",
         is_counted ? derived("RCCE").between("75 cycles", "600 cycles",
                                              "RCCE_send of one piece by gcc -O2 for the Pentium: 51 instructions, "
                                              "a division of 41 cycles and a product of 10 [P5]; in pairs 75; by "
                                              "-O0 260, and 340 more if its 19 lines of code come out of L2")
                    : derived("iRCCE").between("260 cycles", "1000 cycles",
                                               "as ircce_call, which a time of DOPL sets: iRCCE extends RCCE in the "
                                               "same program; by a count of instructions 105, with its code out of "
                                               "L2 and by -O0 600")},
        call, {Cycles(0), Cycles(kMostCycles)});
    visitor.field({"step", "core cycles of software around each put, get, look at and write of a flag",
                   derived("RCCE").between("15 cycles", "80 cycles",
                                           "counted as call: a put 46, a get 38, a flag's write 42, a wait 3, of "
                                           "which a message has one, one, four and two; in pairs half; by -O0 "
                                           "up to 80")},
                  step, {Cycles(0), Cycles(kMostCycles)});
}

void LibraryOptions::visit_ircce(ParameterVisitor& visitor)
{
    visitor.choice({"ircce_copies", "iRCCE's", spec("iRCCE")}, ircce_copies, kCopiesNames);
    visitor.field({"ircce_copy_width", "likewise of iRCCE's",
                   assumed().between("1", "4", "what one instruction of a P54C moves")},
                  ircce_copy_width, {1, 4});
    visitor.field({"ircce_call", "likewise of iRCCE: as call, with costs=measured",
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

std::uint32_t Layout::take(std::uint32_t size)
{
    if (size >= payload()) return 0;
    end_ -= size;
    return end_;
}

std::uint32_t Layout::offset(Flag flag) const
{
    return SccProcessor::kLine + flag * (SccProcessor::kLine / flags_per_line_);
}

void Layout::require_payload() const
{
    if (payload_offset() < end_) return;
    throw UserError(fmt::format(
        "RCCE {}: the flags of {} cores, {} in all, leave no line of the message-passing buffer for payload; let "
        "fewer cores run "
        "the program, or choose version = 1.1, which has 32 flags to a line",
        flags_per_line_ == 1 ? "1.0.13" : "1.1", cores_, flags_));
}

}  // namespace ringmesh::workloads::rcce
