// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "hw/sci/policies/admission.h"
#include "hw/sci/policies/flow_control.h"
#include "hw/sci/policies/switching.h"
#include "tlm/parameters/names.h"
#include "tlm/parameters/parameters.h"
#include "tlm/sci/packet.h"
#include "tlm/units/units.h"

namespace ringmesh::hw {

struct CableParams {
    Length length = 1_m;
    double velocity_factor = 0.5;

    void visit(ParameterVisitor& visitor);
    /// Time of a signal from end to end, to the nearest picosecond.
    Duration propagation() const;
};

void visit_symbol_time(ParameterVisitor& visitor, Duration& symbol_time);

struct LinkParams {
    Duration symbol_time = 5_ns;
    std::int64_t idle_symbols = 2;
    FlowControl flow_control = "go-bits";

    void visit(ParameterVisitor& visitor);
};

/// Why parameters of what only a B-Link uses have no effect, and the cure.
inline constexpr std::string_view kNoBLink =
    "packet sources stand on the link controllers, without a B-Link; write inject=blink, or choose more dimensions or "
    "another workload";

/// Symbol time of the links of 500 MB/s for which the delays of LC-2 were specified [SCINET].
inline constexpr Duration kSpecifiedSymbol = 4_ns;

/// Which delays of LC-2 are counted in link clocks, and so grow with the symbol time; the others are fixed times.
enum class LinkClocked : std::uint8_t {
    kBypass,  ///< the bypass alone
    kRing,    ///< bypass and address decode, the ring side of the chip
    kAll,     ///< input and output FIFO, too
    kNone,    ///< all are times, the bypass that of its clocks on a specified link
};
inline constexpr NameTable<LinkClocked, 4> kLinkClockedNames{{{{"bypass", LinkClocked::kBypass},
                                                               {"ring", LinkClocked::kRing},
                                                               {"all", LinkClocked::kAll},
                                                               {"none", LinkClocked::kNone}}}};

/// Where the stripper puts the echo.
enum class EchoPlace : std::uint8_t {
    kDecode,  ///< as soon as the address is decoded and the output free: before the gap that the packet leaves
    kTail,    ///< in the place of the packet's last symbols: behind that gap
};

/// Until when an own packet may go before a passing one that finds the bypass FIFO empty. Both readings let a passing
/// packet wait for an own one that was ready before it arrived.
enum class OwnBeforePassing : std::uint8_t {
    kLeaves,   ///< until its head leaves: what passes straight through the FIFO does not fill it
    kArrives,  ///< until its head arrives: from then on it keeps its time
};

struct LinkControllerParams {
    Cycles bypass = 12_cycles;
    Duration decode = 20_ns;
    Duration in_fifo_to_blink = 106_ns;
    Duration blink_to_out_fifo = 82_ns;
    std::int64_t bypass_capacity = 64;
    std::int64_t send_slots = 8;
    std::int64_t receive_slots = 8;
    LinkClocked link_clocked = LinkClocked::kBypass;
    sci::Phase first_phase = sci::Phase::kDoTry;
    EchoPlace echo_place = EchoPlace::kDecode;
    OwnBeforePassing own_before_passing = OwnBeforePassing::kLeaves;
    Duration retry_interval = 1_ns;
    Switching switching = "store-and-forward";
    double transit_share = 1;
    Admission admission = "ageing";

    /// @param blink whether there is a B-Link behind it: without one a packet goes no farther
    void visit(ParameterVisitor& visitor, bool blink = true);
    /// On a link of this symbol time.
    Duration bypass_time(Duration symbol) const;
    /// The same of `decode`.
    Duration decode_time(Duration symbol) const;
    /// Of `delay`, that of the input or output FIFO.
    Duration fifo_time(Duration delay, Duration symbol) const;
    /// Symbols that the bypass FIFO must hold: those that arrive while the longest own packet and its idles leave.
    std::int64_t least_bypass_capacity(const LinkParams& link, sci::Command longest) const;
};

/// How link controllers and software repair what faults do; without faults it has no effect.
struct RecoveryParams {
    Duration echo_timeout = 100_us;
    std::int64_t tries = 8;  ///< 0: software repairs
    Duration response_timeout = 10_ms;
    std::int64_t transfer_tries = 8;

    /// @param programs whether there are any, whose requests have responses
    void visit(ParameterVisitor& visitor, bool programs = true);
    /// A packet that a link controller would still send again has not failed yet.
    Duration least_response_timeout() const { return echo_timeout * std::max<std::int64_t>(tries, 1); }
};

struct BLinkParams {
    Frequency clock = 50_MHz;
    Cycles arbitration = 1_cycles;
    Cycles header = 2_cycles;
    Cycles trailer = 1_cycles;
    Bytes bytes_per_cycle = 8_B;

    void visit(ParameterVisitor& visitor);
    /// Cycles of data of a packet.
    Cycles data(sci::Command command) const;
    /// Time that a packet occupies the bus, arbitration not included.
    Duration transfer_time(sci::Command command) const { return (header + data(command) + trailer) * Clock(clock); }
    /// The same, arbitration included.
    Duration occupation(sci::Command command) const { return arbitration * Clock(clock) + transfer_time(command); }
};

}  // namespace ringmesh::hw
