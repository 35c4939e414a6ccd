// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/link/link_timing.h"

#include <algorithm>
#include <ostream>
#include <vector>

#include "tests/hw/printing.h"
#include "tests/hw/sci/packets.h"
#include "tests/support/cases.h"
#include "tests/support/policies.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using hw::Switching;
using sci::Command;

/// A link and a bus behind it.
struct Speeds {
    Duration symbol = 5_ns;
    Frequency clock = 50_MHz;
    std::int64_t width = 8;  ///< bytes per cycle
    std::int64_t arbitration = 1;
    std::int64_t header = 2;
    std::int64_t trailer = 1;

    hw::BLinkParams blink() const
    {
        return {clock, Cycles(arbitration), Cycles(header), Cycles(trailer), Bytes(width)};
    }
    hw::LinkTiming timing(Switching switching, bool with_bus = true) const
    {
        hw::LinkControllerParams chip;
        chip.switching = switching;
        const auto bus = with_bus ? std::optional(blink()) : std::nullopt;
        return {{symbol, 2}, {}, chip, bus};
    }
    Duration cycles(std::int64_t count) const { return Cycles(count) * Clock(clock); }
    std::int64_t data_cycles(Command command) const { return blink().data(command).count(); }
    /// From a grant to the last byte, trailer included.
    Duration transfer(Command command) const { return cycles(header + data_cycles(command) + trailer); }

    friend std::ostream& operator<<(std::ostream& out, const Speeds& s)
    {
        return out << s.symbol << ' ' << s.clock.hz() << " Hz " << s.width << " B " << s.arbitration << ' ' << s.header
                   << ' ' << s.trailer;
    }
};

std::vector<Speeds> all_speeds(Duration symbol, std::int64_t mhz)
{
    std::vector<Speeds> all;
    for (const std::int64_t width : {1, 3, 8, 16, 64}) {
        for (const std::int64_t arbitration : {0, 1, 4}) {
            for (const std::int64_t header : {1, 2, 5}) {
                all.push_back({symbol, Frequency::hertz(1'000'000 * mhz), width, arbitration, header});
            }
        }
    }
    return all;
}

/// Bytes of a packet that have been on the bus, header included, at the end of a cycle counted from the first one.
std::int64_t bytes_after(const Speeds& speeds, Command command, std::int64_t cycle)
{
    const std::int64_t header_bytes = 2 * sci::kHeaderSymbols;
    if (cycle < speeds.header) return (header_bytes * (cycle + 1) + speeds.header - 1) / speeds.header;
    const auto data = static_cast<std::int64_t>(sci::data_bytes(command));
    return header_bytes + std::min(data, (cycle + 1 - speeds.header) * speeds.width);
}

/// Slack of the bus if a packet requests it `wait` after its head has passed the input FIFO: the least time by which a
/// cycle begins after its last symbol has arrived. Negative: it underruns.
Duration bus_slack(const Speeds& speeds, Command command, Duration wait)
{
    Duration slack = Duration::never();
    for (std::int64_t cycle = 0; cycle < speeds.header + speeds.data_cycles(command); ++cycle) {
        const std::int64_t last_symbol = (bytes_after(speeds, command, cycle) + 1) / 2 - 1;
        const Duration begin = wait + speeds.cycles(speeds.arbitration + cycle);
        slack = std::min(slack, begin - speeds.symbol * last_symbol);
    }
    return slack;
}

/// The same for the link, if a packet reaches it `wait` after the start of its transfer: the least time by which a
/// symbol leaves after its bus cycle. The whole header is needed before the first symbol leaves.
Duration link_slack(const Speeds& speeds, Command command, Duration wait)
{
    Duration slack = wait - speeds.cycles(speeds.header);
    for (std::int64_t byte = 0; byte < static_cast<std::int64_t>(sci::data_bytes(command)); ++byte) {
        const Duration leaves = wait + speeds.symbol * (sci::kHeaderSymbols + byte / 2);
        slack = std::min(slack, leaves - speeds.cycles(speeds.header + byte / speeds.width + 1));
    }
    return slack;
}

/// At 8 bytes a cycle and 5 ns a symbol, 50 MHz is as fast as the link.
const auto kSpeeds = data::make({4_ns, 5_ns, 7_ns}) * data::make({10, 47, 50, 75, 100, 10'000});
const hw::LinkControllerParams kChip;

template <class Function>
void for_all(Duration symbol, int mhz, const Function& function)
{
    for (const Speeds& speeds : all_speeds(symbol, mhz)) {
        for (const Command command : kSendCommands) {
            BOOST_TEST_CONTEXT(speeds << ", " << command) { function(speeds, command); }
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(link_timing)

/// Delays of a link of 8 ns symbols, twice those of the specified ones, that are counted in its clocks.
struct Clocked {
    hw::LinkClocked which;
    int bypass, decode, fifos;
    friend std::ostream& operator<<(std::ostream& out, const Clocked& clocked)
    {
        return out << hw::kLinkClockedNames.name(clocked.which);
    }
};
const std::vector<Clocked> kClocked{{hw::LinkClocked::kBypass, 2, 1, 1},
                                    {hw::LinkClocked::kRing, 2, 2, 1},
                                    {hw::LinkClocked::kAll, 2, 2, 2},
                                    {hw::LinkClocked::kNone, 1, 1, 1}};

BOOST_DATA_TEST_CASE(delays_in_link_clocks_grow_with_the_symbol_time_and_no_others, data::make(kClocked), clocked)
{
    hw::LinkControllerParams chip;
    chip.link_clocked = clocked.which;
    for (const int times : {1, 2}) {
        const hw::LinkParams link{.symbol_time = 4_ns * times};
        const hw::LinkTiming timing(link, {}, chip, std::nullopt);
        const auto grown = [times](int factor) { return times == 1 ? 1 : factor; };
        BOOST_TEST(timing.bypass == 4_ns * chip.bypass.count() * grown(clocked.bypass));
        BOOST_TEST(timing.decode == chip.decode * grown(clocked.decode));
        BOOST_TEST(timing.in_fifo == chip.in_fifo_to_blink * grown(clocked.fifos));
        BOOST_TEST(timing.out_fifo == chip.blink_to_out_fifo * grown(clocked.fifos));
    }
}

BOOST_DATA_TEST_CASE(store_and_forward_asks_for_the_bus_with_the_last_symbol_and_sends_after_the_last_byte, kSpeeds,
                     symbol, mhz)
{
    for_all(symbol, mhz, [](const Speeds& speeds, Command command) {
        const auto timing = speeds.timing(Switching("store-and-forward"));
        const Duration rest = speeds.symbol * (sci::symbols(command) - 1);
        const Duration transfer = speeds.transfer(command);
        BOOST_TEST(timing.to_blink[sci::index(command)] == kChip.decode + rest + kChip.in_fifo_to_blink);
        BOOST_TEST(timing.from_blink(command, transfer) == transfer + kChip.blink_to_out_fifo);
        const auto on_input_alone = speeds.timing(Switching("cut-through-receive"));
        BOOST_TEST(on_input_alone.from_blink(command, transfer) == transfer + kChip.blink_to_out_fifo);
    });
}

BOOST_DATA_TEST_CASE(with_cut_through_the_bus_never_underruns_and_starts_as_early_as_possible, kSpeeds, symbol, mhz)
{
    for_all(symbol, mhz, [](const Speeds& speeds, Command command) {
        for (const Switching switching : {Switching("cut-through-receive"), Switching("cut-through")}) {
            const auto timing = speeds.timing(switching);
            const Duration wait = timing.to_blink[sci::index(command)] - kChip.decode - kChip.in_fifo_to_blink;
            BOOST_TEST(wait >= Duration());  // not before the head
            BOOST_TEST(bus_slack(speeds, command, wait) >= Duration());
            BOOST_TEST((wait == Duration() || bus_slack(speeds, command, wait - 1_ps) < Duration()));
        }
    });
}

BOOST_DATA_TEST_CASE(with_cut_through_the_link_never_underruns_and_starts_as_early_as_possible, kSpeeds, symbol, mhz)
{
    for_all(symbol, mhz, [](const Speeds& speeds, Command command) {
        const auto timing = speeds.timing(Switching("cut-through"));
        const Duration wait = timing.from_blink(command, speeds.transfer(command)) - kChip.blink_to_out_fifo;
        BOOST_TEST(link_slack(speeds, command, wait) >= Duration());
        BOOST_TEST(link_slack(speeds, command, wait - 1_ps) < Duration());
    });
}

/// The card's own bus, 8 bytes in four symbol times [000 Fig. 4]: only the header has to be waited for.
BOOST_DATA_TEST_CASE(a_bus_as_fast_as_the_link_follows_the_head, data::make(kSendCommands), command)
{
    const Speeds speeds;
    const auto timing = speeds.timing(Switching("cut-through"));
    BOOST_TEST(timing.to_blink[sci::index(command)] == kChip.decode + kChip.in_fifo_to_blink);
    BOOST_TEST(timing.from_blink(command, speeds.transfer(command)) ==
               speeds.cycles(speeds.header) + kChip.blink_to_out_fifo);
}

/// With the time of the arbitration, in all.
BOOST_DATA_TEST_CASE(a_transit_takes_its_share_of_the_time_and_the_cards_own_packets_all_of_it,
                     data::make(all_policies<hw::SwitchingPolicy>()) * data::make(kSendCommands), switching, command)
{
    hw::LinkControllerParams chip;
    chip.switching = switching;
    const hw::BLinkParams blink;
    const hw::LinkTiming whole({}, {}, chip, blink);
    chip.transit_share = 0.5;
    const hw::LinkTiming half({}, {}, chip, blink);
    const Duration transfer = 220_ns;
    const Duration arbitration = blink.arbitration * Clock(blink.clock);
    BOOST_TEST((half.to_blink == whole.to_blink));
    BOOST_TEST(half.from_blink(command, transfer) == whole.from_blink(command, transfer));
    BOOST_TEST(whole.transit_to_blink(command) == whole.to_blink[sci::index(command)]);
    BOOST_TEST(whole.transit_from_blink(command, transfer) == whole.from_blink(command, transfer));
    BOOST_TEST((half.transit_to_blink(command) + arbitration) * 2 >= whole.to_blink[sci::index(command)] + arbitration);
    BOOST_TEST(half.transit_from_blink(command, transfer) * 2 == whole.from_blink(command, transfer));
    if (command == Command::kWrite64 && switching == hw::Switching("store-and-forward")) {
        BOOST_TEST((half.transit_to_blink(command) + arbitration) * 2 ==
                   whole.to_blink[sci::index(command)] + arbitration);
    }
}

/// A packet that takes no bus cycle cannot be cut through.
BOOST_AUTO_TEST_CASE(a_packet_that_takes_no_bus_cycle_is_whole_before_it_is_forwarded)
{
    const Speeds speeds{.arbitration = 0, .header = 0};
    const auto timing = speeds.timing(Switching("cut-through"));
    const Duration rest = speeds.symbol * (sci::symbols(Command::kResponse0) - 1);
    BOOST_TEST(timing.to_blink[sci::index(Command::kResponse0)] == kChip.decode + rest + kChip.in_fifo_to_blink);
}

BOOST_DATA_TEST_CASE(without_a_bus_every_packet_is_whole_before_it_is_forwarded, data::make(kSendCommands), command)
{
    for (const Switching switching : all_policies<hw::SwitchingPolicy>()) {
        const Speeds speeds;
        const auto timing = speeds.timing(switching, false);
        const Duration rest = speeds.symbol * (sci::symbols(command) - 1);
        BOOST_TEST(timing.to_blink[sci::index(command)] == kChip.decode + rest + kChip.in_fifo_to_blink);
        BOOST_TEST(timing.from_blink(command, 7_ns) == 7_ns + kChip.blink_to_out_fifo);
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
