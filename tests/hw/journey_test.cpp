// SPDX-License-Identifier: Apache-2.0
/// The stages that the chips of a card report: each begins where the one before it ends, and lasts what the parameters
/// say.
#include <memory>

#include "hw/pci/pci_bus.h"
#include "hw/sci/blink/blink_bus.h"
#include "tests/hw/host/host_bench.h"
#include "tests/hw/journey_probe.h"
#include "tests/hw/psb/psb_bench.h"
#include "tests/hw/sci/link_controller/link_bench.h"
#include "tests/support/cases.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using sci::Command;
using Lines = std::vector<std::string>;

constexpr std::uint64_t kId = 7;

hw::LinkController::Config cut_through(Frequency blink_clock)
{
    auto config = LinkBench::config();
    config.chip.switching = "cut-through";
    config.blink = hw::BLinkParams{.clock = blink_clock};
    return config;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(journey)

BOOST_DATA_TEST_CASE(a_passing_packet_is_forwarded_and_propagated, data::make(kSendCommands), command)
{
    LinkBench bench;
    JourneyProbe probe;
    bench.simulation.on_journey(probe);
    bench.ring.send_at(1_us, make_packet(command, LinkBench::kOther, kId));
    bench.run();
    const Duration out = 1_us + bench.bypass();
    const Lines expected{stage_line("lc2", "bypass", kId, 1_us, out),
                         stage_line("lc2", "cable", kId, out, out + bench.propagation())};
    BOOST_TEST(probe.lines == expected, boost::test_tools::per_element());
    BOOST_TEST((probe.stages[0].kind == StageKind::kForwarding));
    BOOST_TEST((probe.stages[1].kind == StageKind::kPropagation));
    const bool response = sci::class_of(command) == sci::Class::kResponse;
    BOOST_TEST((probe.stages[0].leg == (response ? Leg::kResponse : Leg::kRequest)));
}

BOOST_DATA_TEST_CASE(a_stripped_packet_is_decoded_awaited_and_taken_to_the_blink, data::make(kSendCommands), command)
{
    LinkBench bench;
    JourneyProbe probe;
    bench.simulation.on_journey(probe);
    bench.ring.send_at(1_us, make_packet(command, LinkBench::kMe, kId));
    bench.run();
    const Duration decoded = 1_us + bench.params.chip.decode;
    const Duration whole = decoded + bench.symbol() * (sci::symbols(command) - 1);
    Lines expected{stage_line("lc2", "decode", kId, 1_us, decoded),
                   stage_line("lc2", "rest of the packet", kId, decoded, whole),
                   stage_line("lc2", "input FIFO", kId, whole, whole + bench.params.chip.in_fifo_to_blink)};
    BOOST_TEST(probe.lines == expected, boost::test_tools::per_element());  // and nothing of the echo that went out
    BOOST_TEST_REQUIRE(bench.chip.requests.size() == 1u);
    BOOST_TEST(bench.chip.requests[0].time == probe.stages[2].to);
}

BOOST_DATA_TEST_CASE(a_packet_from_the_blink_leaves_through_the_output_fifo, data::make({0_ns, 220_ns}), transfer)
{
    LinkBench bench;
    JourneyProbe probe;
    bench.simulation.on_journey(probe);
    bench.ring.echo_after = 1_us;
    bench.chip.sending_takes = transfer;
    bench.chip.send_at(1_us, make_packet(Command::kWrite64, LinkBench::kOther, kId));
    bench.run();
    const Duration come = 1_us + transfer;
    const Duration out = come + bench.params.chip.blink_to_out_fifo;
    const Lines expected{stage_line("lc2", "output FIFO", kId, come, out),
                         stage_line("lc2", "cable", kId, out, out + bench.propagation())};
    BOOST_TEST(probe.lines == expected, boost::test_tools::per_element());
}

/// The bus's last cycle must have come before the symbols that it carries leave.
BOOST_DATA_TEST_CASE(cut_through_sends_after_the_head, data::make({25, 50, 100}), mhz)
{
    LinkBench bench(cut_through(Frequency::hertz(1'000'000 * mhz)));
    JourneyProbe probe;
    bench.simulation.on_journey(probe);
    bench.ring.echo_after = 1_us;
    const Clock clock(bench.params.blink->clock);
    bench.chip.sending_takes = 11_cycles * clock;
    bench.chip.send_at(1_us, make_packet(Command::kWrite64, LinkBench::kOther, kId));
    bench.run();
    const std::int64_t last_cycle = bench.params.blink->bytes_per_cycle.count() / 2;  // symbols
    const Duration tail = 10_cycles * clock - bench.symbol() * (sci::symbols(Command::kWrite64) - last_cycle);
    const Duration head = 1_us + std::max(2_cycles * clock, tail);
    BOOST_TEST_REQUIRE(probe.lines.size() == 3u);
    BOOST_TEST(probe.lines[0] == stage_line("lc2", "head over the B-Link", kId, 1_us, head));
    BOOST_TEST(probe.stages[1].from == head);
    BOOST_TEST(probe.stages[1].to == head + bench.params.chip.blink_to_out_fifo);
}

BOOST_AUTO_TEST_CASE(blink_transfers_follow_their_own_arbitration)
{
    Simulation simulation(1);
    JourneyProbe probe;
    simulation.on_journey(probe);
    const hw::BLinkParams params;
    hw::BLinkBus bus("bus", simulation, params, {"a", "b"});
    BLinkChip a("a", simulation);
    BLinkChip b("b", simulation);
    for (BLinkChip* chip : {&a, &b}) {
        const std::size_t port = chip == &a ? 0 : 1;
        chip->out.bind(bus.from_chip[port]);
        bus.to_chip[port].bind(chip->in);
    }
    a.send_at(1_us, make_packet(Command::kWrite64, 3, 1), 1);
    b.send_at(1_us, make_packet(Command::kResponse0, 3, 2), 0);
    simulation.run();
    const Duration arbitration = params.arbitration * Clock(params.clock);
    const Duration long_one = params.transfer_time(Command::kWrite64);
    const Duration short_one = params.transfer_time(Command::kResponse0);
    // Port 1 is the next in turn after port 0, which begins as the last one granted
    const Duration first = 1_us + arbitration;
    const Duration second = first + short_one + arbitration;
    const Lines expected{stage_line("bus", "B-Link arbitration", 2, 1_us, first),
                         stage_line("bus", "B-Link transfer", 2, first, first + short_one),
                         stage_line("bus", "B-Link arbitration", 1, first + short_one, second),
                         stage_line("bus", "B-Link transfer", 1, second, second + long_one)};
    BOOST_TEST(probe.lines == expected, boost::test_tools::per_element());
    BOOST_TEST((probe.stages[0].leg == Leg::kResponse));
    BOOST_TEST((probe.stages[2].leg == Leg::kRequest));
    const Lines waits{stage_line("bus", "bus taken", 1, 1_us, first + short_one)};
    BOOST_TEST(probe.wait_lines == waits, boost::test_tools::per_element());
    BOOST_TEST_REQUIRE(probe.waits.size() == 1u);
    BOOST_TEST(probe.waits[0].other == 2u);
}

/// The turnaround before a transaction that had to wait for it is part of its time.
BOOST_AUTO_TEST_CASE(pci_transactions_contain_the_turnaround_that_they_waited_for)
{
    Simulation simulation(1);
    JourneyProbe probe;
    simulation.on_journey(probe);
    const hw::PciParams params;
    hw::PciBus bus("bus", simulation, params, 2);
    PciProbe host("host", simulation);
    PciProbe card("card", simulation);
    for (PciProbe* chip : {&host, &card}) {
        const std::size_t slot = chip == &host ? 0 : 1;
        chip->out.bind(bus.from_slot[slot]);
        bus.to_slot[slot].bind(chip->in);
        bus.decode(slot * 0x1000, slot);
    }
    const Clock clock(params.clock);
    card.take = {true, true, false};
    host.request_at(1_us, 0x1000, pattern(4));
    host.request_at(1_us, 0x1004, pattern(4));
    host.request_at(5_us, 0x1008, pattern(4));
    card.request_at(9_us, 0x10, pattern(64), kId);
    simulation.run();
    const Duration write = (params.address_phase + params.data_phase) * clock;
    const Duration gap = params.turnaround * clock;
    const Duration retry = (params.address_phase + params.retry_response) * clock;
    const Duration granted = 9_us + params.arbitration * clock;
    const Duration long_write = (params.address_phase + params.data_phase * 16) * clock;
    const Lines expected{stage_line("bus", "PCI write", 0, 1_us, 1_us + write),
                         stage_line("bus", "PCI write", 0, 1_us + write, 1_us + write + gap + write),
                         stage_line("bus", "PCI retry", 0, 5_us, 5_us + retry),
                         stage_line("bus", "PCI arbitration", kId, 9_us, granted),
                         stage_line("bus", "PCI write", kId, granted, granted + long_write)};
    BOOST_TEST(probe.lines == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(each_passage_of_a_psb_is_a_stage_of_one_crossing)
{
    PsbBench bench;
    JourneyProbe probe;
    bench.simulation.on_journey(probe);
    const Duration crossing = bench.params.crossing;
    bench.pci.store_at(1_us, bench.window, pattern(64));
    bench.run();
    const Duration stored = 1_us + bench.pci.data_after;
    BOOST_TEST_REQUIRE(bench.blink.arrived.size() == 1u);
    const std::uint64_t own = bench.blink.arrived[0].packet.id;
    bench.blink.send_at(4_us, make_packet(Command::kWrite64, PsbBench::kMe, own + 1));
    bench.respond_at(6_us, 0);
    bench.run();
    const Duration written = 4_us + crossing + bench.pci.write_takes;
    const Lines expected{stage_line("psb", "PSB", own, stored, stored + crossing),
                         stage_line("psb", "PSB", own + 1, 4_us, 4_us + crossing),
                         stage_line("psb", "PSB", own + 1, written, written + crossing),
                         stage_line("psb", "PSB", own, 6_us, 6_us + crossing)};
    BOOST_TEST(probe.lines == expected, boost::test_tools::per_element());
    BOOST_TEST((probe.stages[1].leg == Leg::kRequest));
    BOOST_TEST((probe.stages[2].leg == Leg::kResponse));
    BOOST_TEST((probe.stages[3].leg == Leg::kResponse));
}

namespace {

Task<> store_then_poll(PcProcessor& cpu, std::span<const std::byte> bytes)
{
    co_await cpu.library_call();
    const StoreRequest store{.kind = StoreKind::kMemcpy,
                             .address = HostBench::kWindow,
                             .data = bytes.data(),
                             .size = static_cast<std::uint32_t>(bytes.size())};
    co_await cpu.store(store);
    const PollRequest poll{0x1000, 1, 0x55};
    co_await cpu.poll(poll);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_processor_works_on_library_stores_and_the_miss_of_its_poll_loop)
{
    HostBench bench;
    JourneyProbe probe;
    bench.simulation.on_journey(probe);
    const auto bytes = pattern(8);
    const Duration crossing = bench.params.crossing;
    const Duration issue = bench.clocks(bench.params.store_issue);
    const Duration written = 3_us;
    bench.write_at(written, 0x1000, {std::byte{0x55}});
    bench.run(store_then_poll(bench.cpu, bytes));
    const Duration called = bench.params.library;
    const Lines expected{stage_line("cpu", "library call", 0, 0_ns, called),
                         stage_line("cpu", "store", 1, called, called + issue),
                         stage_line("bridge", "host bridge", 1, called + issue, called + issue + crossing),
                         stage_line("cpu", "store", 1, called + issue, called + issue * 2),
                         stage_line("bridge", "host bridge", 1, called + issue * 2, called + issue * 2 + crossing),
                         stage_line("bridge", "host bridge", 0, written - crossing, written)};
    BOOST_TEST_REQUIRE(probe.lines.size() == expected.size() + 1);
    const Stage miss = probe.stages.back();
    BOOST_TEST(miss.what == "poll miss");
    BOOST_TEST(miss.from >= written);
    BOOST_TEST(miss.from < written + bench.loop());
    BOOST_TEST(miss.to == miss.from + bench.params.poll_miss);
    probe.lines.pop_back();
    BOOST_TEST(probe.lines == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
