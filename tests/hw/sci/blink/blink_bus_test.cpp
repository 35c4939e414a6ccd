// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/blink/blink_bus.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/hw/journey_probe.h"
#include "tests/hw/printing.h"
#include "tests/hw/sci/blink/blink_chip.h"
#include "tests/hw/sci/packets.h"
#include "tests/support/cases.h"
#include "tlm/error.h"
#include "tlm/simulation/random.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using sci::Class;
using sci::Command;

/// A bus between probes.
struct BusBench {
    explicit BusBench(std::size_t ports, const hw::BLinkParams& wanted = {})
        : BusBench(std::make_unique<Simulation>(1), nullptr, ports, wanted, "")
    {}
    /// A second bus in the simulation of another bench, all of its names with a prefix.
    BusBench(BusBench& other, std::size_t ports, const std::string& prefix)
        : BusBench(nullptr, &other.simulation, ports, {}, prefix)
    {}
    BusBench(std::unique_ptr<Simulation> own, Simulation* others, std::size_t ports, const hw::BLinkParams& wanted,
             const std::string& prefix)
        : params(wanted),
          own_simulation(std::move(own)),
          simulation(others == nullptr ? *own_simulation : *others),
          bus((prefix + "bus").c_str(), simulation, wanted, std::vector<std::string>(ports, "chip"))
    {
        for (std::size_t i = 0; i < ports; ++i) {
            const std::string name = prefix + "chip" + std::to_string(i);
            chips.push_back(std::make_unique<BLinkChip>(name.c_str(), simulation));
            chips[i]->out.bind(bus.from_chip[i]);
            bus.to_chip[i].bind(chips[i]->in);
        }
    }
    BLinkChip& chip(std::size_t i) { return *chips.at(i); }
    void run() { simulation.run(); }

    Duration cycles(std::int64_t count) const { return Cycles(count) * Clock(params.clock); }
    Duration arbitration() const { return params.arbitration * Clock(params.clock); }
    /// From one grant to the next on a saturated bus.
    Duration turn(Command command) const { return params.transfer_time(command) + arbitration(); }

    hw::BLinkParams params;
    std::unique_ptr<Simulation> own_simulation;
    Simulation& simulation;
    hw::BLinkBus bus;
    std::vector<std::unique_ptr<BLinkChip>> chips;
};

hw::BLinkParams with_clock(Frequency clock)
{
    hw::BLinkParams params;
    params.clock = clock;
    return params;
}

const auto kClocks = data::make({50, 75});  // MHz: Wulfkit and the 4-port switch [SCINET]

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(blink_bus)

/// 64 bits wide, two cycles of header and one of trailer: 11 cycles for 64 bytes, 19 for 128, 3 for none [000 Fig. 4,
/// SCINET].
BOOST_AUTO_TEST_CASE(a_packet_takes_as_many_cycles_as_the_specification_says)
{
    const BusBench bench(2);
    for (const auto& [command, cycles] : std::map<Command, std::int64_t>{{Command::kWrite64, 11},
                                                                         {Command::kMove64, 11},
                                                                         {Command::kWrite128, 19},
                                                                         {Command::kWrite16, 5},
                                                                         {Command::kRead64, 3},
                                                                         {Command::kRead16, 3},
                                                                         {Command::kResponse0, 3},
                                                                         {Command::kResponse16, 5},
                                                                         {Command::kResponse64, 11}}) {
        BOOST_TEST(bench.params.transfer_time(command) == bench.cycles(cycles));
    }
}

BOOST_DATA_TEST_CASE(a_packet_takes_header_data_and_trailer,
                     data::make({0, 2, 5}) * data::make({0, 1, 3}) * data::make({4, 8, 24, 64}), header, trailer, width)
{
    hw::BLinkParams params;
    params.header = Cycles(header);
    params.trailer = Cycles(trailer);
    params.bytes_per_cycle = Bytes(width);
    const BusBench bench(2, params);
    for (const Command command : kSendCommands) {
        std::int64_t data_cycles = 0;
        for (auto bytes = static_cast<std::int64_t>(sci::data_bytes(command)); bytes > 0; bytes -= width) ++data_cycles;
        BOOST_TEST(bench.params.transfer_time(command) == bench.cycles(header + data_cycles + trailer));
    }
}

BOOST_DATA_TEST_CASE(an_idle_bus_is_granted_after_the_arbitration, data::make({0, 1, 4}) * kClocks, arbitration, mhz)
{
    auto params = with_clock(Frequency::hertz(1'000'000 * mhz));
    params.arbitration = Cycles(arbitration);
    BusBench bench(2, params);
    bench.chip(0).send_at(1_us, make_packet(Command::kWrite64, 0), 1);
    bench.run();
    BOOST_TEST_REQUIRE(bench.chip(0).sent.size() == 1u);
    BOOST_TEST(bench.chip(0).sent[0].granted == 1_us + bench.cycles(arbitration));
}

BOOST_DATA_TEST_CASE(a_packet_arrives_whole_at_the_end_of_its_transfer, kClocks* data::make(kSendCommands), mhz,
                     command)
{
    BusBench bench(3, with_clock(Frequency::hertz(1'000'000 * mhz)));
    const auto packet = make_packet(command, 7, 42);
    bench.chip(2).send_at(1_us, packet, 1);
    bench.run();
    BOOST_TEST_REQUIRE(bench.chip(1).arrived.size() == 1u);
    BOOST_TEST(bench.chip(0).arrived.empty());
    const Duration end = 1_us + bench.arbitration() + bench.params.transfer_time(command);
    const BLinkChip::Arrival& arrival = bench.chip(1).arrived[0];
    BOOST_TEST(arrival.end == end);
    BOOST_TEST(arrival.packet.id == packet.id);
    BOOST_TEST(same_data(arrival.packet, packet));
    BOOST_TEST(bench.chip(2).sent[0].gone == end);  // the sender's buffer is free no earlier
    bench.simulation.require_drained();
}

BOOST_DATA_TEST_CASE(the_next_packet_goes_an_arbitration_after_the_end_of_the_last,
                     data::make({0, 1, 4}) * data::make({Command::kWrite64, Command::kRead64}), arbitration, command)
{
    hw::BLinkParams params;
    params.arbitration = Cycles(arbitration);
    BusBench bench(2, params);
    for (std::uint64_t id = 0; id < 5; ++id) bench.chip(0).send_at(1_us, make_packet(command, 0, id), 1);
    bench.run();
    BOOST_TEST_REQUIRE(bench.chip(0).sent.size() == 5u);
    for (std::size_t i = 0; i < 5; ++i) {
        BOOST_TEST(bench.chip(0).sent[i].id == i);
        BOOST_TEST(bench.chip(0).sent[i].granted ==
                   1_us + bench.arbitration() + bench.turn(command) * static_cast<std::int64_t>(i));
    }
}

/// A request that comes during a transfer, or within the arbitration behind it.
BOOST_DATA_TEST_CASE(no_port_is_granted_before_its_own_arbitration,
                     data::make({0, 1, 100, 219, 220, 221, 239, 240, 300}), after)
{
    BusBench bench(2);
    const Duration first = 1_us + bench.arbitration();
    const Duration asked = first + 1_ns * after;
    bench.chip(0).send_at(1_us, make_packet(Command::kWrite64, 0), 1);
    bench.chip(1).send_at(asked, make_packet(Command::kWrite64, 0), 0);
    bench.run();
    BOOST_TEST_REQUIRE(bench.chip(1).sent.size() == 1u);
    const Duration free = first + bench.params.transfer_time(Command::kWrite64);
    BOOST_TEST(bench.chip(1).sent[0].granted == std::max(asked, free) + bench.arbitration());
}

/// The port whose turn it is requests during the other one's arbitration.
BOOST_AUTO_TEST_CASE(a_request_that_comes_during_an_arbitration_takes_part_in_the_next_one)
{
    BusBench bench(2);
    bench.chip(0).send_at(1_us, make_packet(Command::kWrite64, 0), 1);
    bench.chip(1).send_at(1_us + bench.arbitration() / 2, make_packet(Command::kWrite64, 0), 0);
    bench.run();
    BOOST_TEST(bench.chip(0).sent.at(0).granted == 1_us + bench.arbitration());
    BOOST_TEST(bench.chip(1).sent.at(0).granted == 1_us + bench.arbitration() + bench.turn(Command::kWrite64));
}

BOOST_DATA_TEST_CASE(ports_take_turns, data::make({2u, 3u, 5u}), ports)
{
    BusBench bench(ports);
    constexpr std::uint64_t kEach = 6;
    std::vector<Duration> grants;
    for (std::size_t port = 0; port < ports; ++port) {
        for (std::uint64_t id = 0; id < kEach; ++id) {
            bench.chip(port).send_at(1_us, make_packet(Command::kWrite64, 0, id),
                                     static_cast<std::uint8_t>((port + 1) % ports));
        }
    }
    bench.run();
    // In every round of `ports` grants each port has one.
    for (std::size_t port = 0; port < ports; ++port) {
        BOOST_TEST_REQUIRE(bench.chip(port).sent.size() == kEach);
        for (std::size_t i = 0; i < kEach; ++i) {
            const auto round = bench.turn(Command::kWrite64) * static_cast<std::int64_t>(ports);
            const auto grant = bench.chip(port).sent[i].granted - 1_us - bench.arbitration();
            BOOST_TEST(grant.ps() / round.ps() == static_cast<std::int64_t>(i));
            grants.push_back(grant);
        }
    }
    std::sort(grants.begin(), grants.end());
    for (std::size_t i = 0; i < grants.size(); ++i) {
        BOOST_TEST(grants[i] == bench.turn(Command::kWrite64) * static_cast<std::int64_t>(i));
    }
}

/// A port that rarely sends waits at most one turn of each other port.
BOOST_AUTO_TEST_CASE(a_busy_port_does_not_block_another_one)
{
    BusBench bench(4);
    for (std::size_t port = 0; port < 3; ++port) {
        for (int i = 0; i < 60; ++i) bench.chip(port).send_at(1_us, make_packet(Command::kWrite64, 0), 3);
    }
    for (int i = 1; i <= 20; ++i) bench.chip(3).send_at(1_us * i + 77_ns * i, make_packet(Command::kWrite64, 0), 0);
    bench.run();
    BOOST_TEST_REQUIRE(bench.chip(3).sent.size() == 20u);
    for (const auto& sending : bench.chip(3).sent) {
        BOOST_TEST(sending.granted - sending.asked <= bench.turn(Command::kWrite64) * 4);
    }
}

BOOST_AUTO_TEST_CASE(within_a_port_a_response_goes_before_requests)
{
    BusBench bench(2);
    for (std::uint64_t id = 0; id < 3; ++id) bench.chip(0).send_at(1_us, make_packet(Command::kWrite64, 0, id), 1);
    bench.chip(0).send_at(1_us + bench.arbitration() + 1_ns, make_packet(Command::kResponse0, 0, 9), 1);
    bench.run();
    const std::vector<std::uint64_t> wanted{0, 9, 1, 2};
    BOOST_TEST_REQUIRE(bench.chip(1).arrived.size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) BOOST_TEST(bench.chip(1).arrived[i].packet.id == wanted[i]);
}

BOOST_DATA_TEST_CASE(a_packet_without_room_waits_for_it_and_an_arbitration, data::make({2, 3, 10}), room_after)
{
    BusBench bench(2);
    const Duration granted = 1_us * room_after;
    bench.chip(1).has_room = {false, false};
    bench.chip(0).send_at(1_us, make_packet(Command::kWrite64, 0), 1);
    bench.chip(1).grant_at(granted, Class::kRequest);
    bench.run();
    BOOST_TEST_REQUIRE(bench.chip(0).sent.size() == 1u);
    BOOST_TEST(bench.chip(0).sent[0].granted == granted + bench.arbitration());
    BOOST_TEST(bench.chip(1).requests.size() == 1u);  // asked once
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_CASE(a_packet_without_room_does_not_block_others)
{
    BusBench bench(3);
    bench.chip(2).has_room = {false, true};
    bench.chip(0).send_at(1_us, make_packet(Command::kWrite64, 0, 1), 2);
    bench.chip(0).send_at(2_us, make_packet(Command::kResponse0, 0, 2), 2);  // the other class
    bench.chip(1).send_at(3_us, make_packet(Command::kWrite64, 0, 3), 0);    // another chip
    bench.run();
    BOOST_TEST_REQUIRE(bench.chip(2).arrived.size() == 1u);
    BOOST_TEST(bench.chip(2).arrived[0].packet.id == 2u);
    BOOST_TEST(bench.chip(2).arrived[0].begin == 2_us + bench.arbitration());
    BOOST_TEST_REQUIRE(bench.chip(0).arrived.size() == 1u);
    BOOST_TEST(bench.chip(0).arrived[0].begin == 3_us + bench.arbitration());
    BOOST_TEST(bench.bus.pending() == "port 0 waits to send a request");
}

BOOST_AUTO_TEST_CASE(room_that_was_granted_serves_one_packet)
{
    BusBench bench(3);
    bench.chip(2).has_room = {false, false};
    bench.chip(0).send_at(1_us, make_packet(Command::kWrite64, 0, 1), 2);
    bench.chip(1).send_at(1_us, make_packet(Command::kWrite64, 0, 2), 2);
    bench.chip(2).grant_at(2_us, Class::kRequest);
    bench.run();
    BOOST_TEST(bench.chip(2).arrived.size() == 1u);
    BOOST_TEST(bench.chip(2).owes(Class::kRequest));
    bench.chip(2).grant_at(9_us, Class::kRequest);
    bench.run();
    BOOST_TEST(bench.chip(2).arrived.size() == 2u);
    BOOST_TEST(!bench.chip(2).owes(Class::kRequest));
}

/// Costs of zero are allowed: a waiting port still gets the bus.
BOOST_DATA_TEST_CASE(packets_that_take_no_time_do_not_stop_the_bus, data::make({0, 1}), arbitration)
{
    hw::BLinkParams params;
    params.header = params.trailer = 0_cycles;
    params.arbitration = Cycles(arbitration);
    BusBench bench(3, params);
    for (std::size_t port = 0; port < 3; ++port) {
        for (int i = 0; i < 4; ++i) bench.chip(port).send_at(1_us, make_packet(Command::kResponse0, 0), 0);
    }
    bench.run();
    BOOST_TEST(bench.chip(0).arrived.size() == 12u);
    bench.simulation.require_drained();
}

BOOST_DATA_TEST_CASE(every_packet_arrives_once_and_the_bus_carries_one_at_a_time, data::make({2, 4}), ports)
{
    BusBench bench(static_cast<std::size_t>(ports));
    Random random(static_cast<std::uint64_t>(ports));
    constexpr std::uint64_t kPackets = 300;
    for (std::uint64_t id = 0; id < kPackets; ++id) {
        const auto from = random.below(static_cast<std::uint64_t>(ports));
        const auto to = static_cast<std::uint8_t>(random.below(static_cast<std::uint64_t>(ports)));
        bench.chip(from).send_at(1_ns * static_cast<std::int64_t>(random.below(30'000)),
                                 make_packet(kSendCommands[random.below(kSendCommands.size())], to, id), to);
    }
    for (std::size_t i = 0; i < bench.chips.size(); ++i) {
        bench.chip(i).has_room = {false, false};
        for (const Class kind : {Class::kRequest, Class::kResponse}) {
            for (int n = 1; n <= 200; ++n) bench.chip(i).grant_at(170_ns * n, kind, n == 200);
        }
    }
    bench.run();
    bench.simulation.require_drained();
    std::map<Duration, Duration> transfers;  // from, to
    std::vector<unsigned> times(kPackets);
    for (std::size_t i = 0; i < bench.chips.size(); ++i) {
        for (const auto& arrival : bench.chip(i).arrived) {
            ++times.at(arrival.packet.id);
            BOOST_TEST(arrival.packet.target == i);
            transfers[arrival.begin] = arrival.end;
        }
    }
    BOOST_TEST((times == std::vector<unsigned>(kPackets, 1)));
    BOOST_TEST_REQUIRE(transfers.size() == kPackets);
    for (auto next = std::next(transfers.begin()); next != transfers.end(); ++next) {
        BOOST_TEST(std::prev(next)->second + bench.arbitration() <= next->first);
    }
}

/// It asks for its next packet from within the grant of the one before, ahead of it or behind it.
BOOST_AUTO_TEST_CASE(the_order_in_which_a_chip_asks_and_sends_does_not_matter)
{
    BusBench usual(2), other(usual, 2, "other_");
    JourneyProbe probe;
    usual.simulation.on_journey(probe);
    for (BusBench* bench : {&usual, &other}) {
        for (std::size_t port = 0; port < 2; ++port) {
            if (bench == &other) bench->chip(port).on_grant = BLinkChip::OnGrant::kAsksAndSends;
            for (std::uint64_t id = 1; id <= 4; ++id) {
                bench->chip(port).send_at(1_us, make_packet(Command::kWrite64, 0, 10 * port + id), 1);
            }
        }
    }
    usual.run();
    usual.simulation.require_drained();
    const auto lines_of = [&probe](const std::string& bus) {
        std::vector<std::string> lines;
        for (const auto* all : {&probe.lines, &probe.wait_lines}) {
            for (const std::string& line : *all) {
                if (line.starts_with(bus + ":")) lines.push_back(line.substr(bus.size()));
            }
        }
        return lines;
    };
    BOOST_TEST(lines_of("bus").size() > 16u);
    BOOST_TEST(lines_of("bus") == lines_of("other_bus"), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(who_is_granted_the_bus_sends_and_nobody_else)
{
    BusBench bench(2);
    auto packet = make_packet(Command::kWrite64, 0);
    blink::Transfer transfer{&packet, Class::kRequest, 1};
    blink::Phase phase = blink::Phase::kData;
    sc_core::sc_time delay;
    BOOST_CHECK_THROW(bench.chip(0).out->nb_transport_fw(transfer, phase, delay), ModelError);
    bench.chip(0).on_grant = BLinkChip::OnGrant::kNothing;
    bench.chip(0).send_at(1_us, packet, 1);
    BOOST_CHECK_THROW(bench.run(), sc_core::sc_report);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
