// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/params.h"

#include "tlm/sci/packet.h"

namespace ringmesh::hw {

namespace {

constexpr double kLightMetresPerSecond = 299'792'458.0;

constexpr NameTable<sci::Phase, 2> kFirstPhaseNames{{{{"dotry", sci::Phase::kDoTry}, {"notry", sci::Phase::kNoTry}}}};
constexpr NameTable<EchoPlace, 2> kEchoPlaceNames{{{{"decode", EchoPlace::kDecode}, {"tail", EchoPlace::kTail}}}};
constexpr NameTable<OwnBeforePassing, 2> kOwnBeforePassingNames{
    {{{"leaves", OwnBeforePassing::kLeaves}, {"arrives", OwnBeforePassing::kArrives}}}};

/// A delay of specified links that is counted in link clocks.
Duration in_link_clocks(Duration delay, Duration symbol)
{
    return Duration::picoseconds(delay.ps() * symbol.ps() / kSpecifiedSymbol.ps());
}

}  // namespace

void CableParams::visit(ParameterVisitor& visitor)
{
    visitor.field({"length", "length of each link cable"}, length,
                  {Length::micrometres(1000), Length::micrometres(1'000'000'000)});
    visitor.field({"velocity_factor", "speed of the signal as a part of the speed of light"}, velocity_factor,
                  {0.1, 1.0});
}

Duration CableParams::propagation() const
{
    return nanoseconds(length.metres() / (velocity_factor * kLightMetresPerSecond) * 1e9);
}

void visit_symbol_time(ParameterVisitor& visitor, Duration& symbol_time)
{
    visitor.field({"symbol_time", "time of one 16-bit symbol: the link clock"}, symbol_time, {100_ps, 1_us});
}

void LinkParams::visit(ParameterVisitor& visitor)
{
    visit_symbol_time(visitor, symbol_time);
    visitor.field({"idle_symbols", "idle symbols kept between two packets"}, idle_symbols, {1, 64});
    visitor.choice({"flow_control", "which nodes may send: holders of a go bit, or all (off)"}, flow_control);
}

void RecoveryParams::visit(ParameterVisitor& visitor, bool programs)
{
    visitor.field({"echo_timeout", "time after the start of a packet at which it is sent again if no echo has come"},
                  echo_timeout, {1_us, 1_s});
    visitor.field({"tries",
                   "how often a packet without an echo is sent before it is given up, which ends the run of a program; "
                   "0: only once, and store barriers tell libraries what was lost"},
                  tries, {0, 65536});
    visitor.only_if(programs, "packet sources watch no responses; choose a workload that runs programs", [&] {
        visitor.field({"response_timeout", "time after which a card's request without a response has failed"},
                      response_timeout, {10_us, 10_s});
        visitor.only_if(tries == 0, "link controllers repair what is lost; set recovery.tries=0", [&] {
            visitor.field({"transfer_tries",
                           "how often a library sends a message, or a part of it, if store barriers report failures, "
                           "before the run ends"},
                          transfer_tries, {1, 65536});
        });
    });
}

void LinkControllerParams::visit(ParameterVisitor& visitor, bool blink)
{
    visitor.field({"bypass", "link clocks of a passing symbol from input to output, bypass FIFO empty"}, bypass,
                  {1_cycles, 1000_cycles});
    visitor.field({"decode", "address decode of an arriving packet"}, decode, {0_ns, 10_us});
    visitor.field({"in_fifo_to_blink", "from the input FIFO to the request for the B-Link"}, in_fifo_to_blink,
                  {0_ns, 10_us});
    visitor.field({"blink_to_out_fifo", "from the B-Link to the head of the send queue"}, blink_to_out_fifo,
                  {0_ns, 10_us});
    visitor.choice(
        {"link_clocked",
         "which delays scale with the link clock: the bypass, the ring side (bypass and decode), all, or none"},
        link_clocked, kLinkClockedNames);
    visitor.field(
        {"bypass_capacity", "symbols that the bypass FIFO holds; at least the longest own packet and its idles"},
        bypass_capacity, {48, 65536});
    visitor.field({"send_slots", "packets that each send queue (request, response) holds until their echo"}, send_slots,
                  {1, 1024});
    visitor.field({"receive_slots", "packets that each receive queue (request, response) holds for the B-Link"},
                  receive_slots, {1, 1024});
    visitor.choice({"first_phase",
                    "phase of a packet's first try: dotry asks for a place if the queue is full; after notry the first "
                    "retry asks"},
                   first_phase, kFirstPhaseNames);
    visitor.choice({"echo_place",
                    "when a stripped packet's echo leaves: as soon as the address is decoded, or in the place of the "
                    "packet's tail"},
                   echo_place, kEchoPlaceNames);
    visitor.choice({"own_before_passing",
                    "with go bits: an own packet may go before a passing one until the passing head leaves the empty "
                    "bypass FIFO, or only until it arrives"},
                   own_before_passing, kOwnBeforePassingNames);
    visitor.field({"retry_interval", "from a busy echo to the packet's next turn in the send queue"}, retry_interval,
                  {1_ps, 1_ms});
    visitor.only_if(blink, kNoBLink, [&] {
        visitor.choice(
            {"switching",
             "when a stripped packet is forwarded: when it is complete, or as soon as its header is decoded"},
            switching);
        visitor.field(
            {"transit_share",
             "of the time from a packet's arrival on one link to its place in the output FIFO of another, what "
             "it takes if it neither comes from nor goes to the card's own host: below 1, a path of its own "
             "through the card"},
            transit_share, {0.3, 1.0});
    });
    visitor.choice({"admission", "which packet enters a receive queue that was full"}, admission);
}

Duration LinkControllerParams::bypass_time(Duration symbol) const
{
    return (link_clocked == LinkClocked::kNone ? kSpecifiedSymbol : symbol) * bypass.count();
}

Duration LinkControllerParams::decode_time(Duration symbol) const
{
    const bool clocked = link_clocked == LinkClocked::kRing || link_clocked == LinkClocked::kAll;
    return clocked ? in_link_clocks(decode, symbol) : decode;
}

Duration LinkControllerParams::fifo_time(Duration delay, Duration symbol) const
{
    return link_clocked == LinkClocked::kAll ? in_link_clocks(delay, symbol) : delay;
}

std::int64_t LinkControllerParams::least_bypass_capacity(const LinkParams& link, sci::Command longest) const
{
    const std::int64_t own = sci::symbols(longest) + link.idle_symbols;
    return link.flow_control->starts_before_passing ? own
                                                    : own - bypass_time(link.symbol_time).ps() / link.symbol_time.ps();
}

void BLinkParams::visit(ParameterVisitor& visitor)
{
    visitor.field({"clock", "clock of the bus inside the card"}, clock, {1_MHz, 10'000_MHz});
    visitor.field({"arbitration", "cycles of each grant"}, arbitration, {0_cycles, 100_cycles});
    visitor.field({"header", "cycles of a packet's header"}, header, {0_cycles, 100_cycles});
    visitor.field({"trailer", "cycles that close a packet"}, trailer, {0_cycles, 100_cycles});
    visitor.field({"bytes_per_cycle", "width of the data path"}, bytes_per_cycle, {1_B, 64_B});
}

Cycles BLinkParams::data(sci::Command command) const
{
    const auto width = bytes_per_cycle.count();
    return Cycles((static_cast<std::int64_t>(sci::data_bytes(command)) + width - 1) / width);
}

}  // namespace ringmesh::hw
