// SPDX-License-Identifier: Apache-2.0
/// What faults do to packets and go bits between two link controllers.
#include "hw/sci/link/faulty_link.h"

#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>

#include "tests/hw/sci/link_controller/link_bench.h"
#include "tests/support/cases.h"

namespace ringmesh::hw::faulty_link_test {
namespace {

using namespace ringmesh::test;
using sci::Command;

struct Chip final : Component {
    explicit Chip(std::string chip) : name(std::move(chip)) {}
    std::string component_name() const override { return name; }
    void statistics(StatisticsVisitor&) const override {}
    std::string pending() const override { return {}; }
    std::string name;
};

/// A link with one fault, of its sender or its receiver.
struct Bench {
    Bench(const std::string& where, const std::string& what, const std::string& when)
    {
        simulation.faults().set({{"one", {.where = where, .what = what, .when = when, .lasts = ""}}}, 1);
        sender_faults.emplace(sender.name, simulation.faults(), true);
        receiver_faults.emplace(receiver.name, simulation.faults(), true);
        link.emplace("link", simulation, FaultyLink::Config{timing, 100_us}, FaultyLink::End{sender, *sender_faults},
                     FaultyLink::End{receiver, *receiver_faults});
        left.out.bind(link->in);
        link->out.bind(right.in);
        right.out.bind(left.in);
    }
    /// Heads that would arrive at 1 us, 2 us, ..., with numbers from 1 on.
    void send(unsigned count, Command command = Command::kWrite64)
    {
        for (unsigned i = 1; i <= count; ++i) {
            auto packet = make_packet(Command::kWrite64, 5, i);
            if (sci::is_echo(command)) packet = make_echo(sci::EchoStatus::kDone, packet);
            left.send_at(i * 1_us, packet);
        }
        simulation.run();
    }

    Simulation simulation{1};
    Chip sender{"sender"};
    Chip receiver{"receiver"};
    std::shared_ptr<const LinkTiming> timing =
        std::make_shared<const LinkTiming>(LinkParams{}, CableParams{}, LinkControllerParams{}, std::nullopt);
    LinkEnd left{"left", simulation};
    LinkEnd right{"right", simulation};
    std::optional<LinkFaults> sender_faults, receiver_faults;
    std::optional<FaultyLink> link;
};

struct Loss {
    const char* where;
    const char* what;
    const char* when;
    Command command;
    friend std::ostream& operator<<(std::ostream& out, const Loss& loss) { return out << loss.where << loss.what; }
};

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(faulty_link)

/// The second of three is gone: from the pool, too.
BOOST_DATA_TEST_CASE(a_lost_packet_does_not_arrive_and_its_go_bits_do,
                     data::make(std::vector<Loss>{
                         {"sender", "lose-packet", "packet 2", Command::kWrite64},
                         {"sender", "lose-echo", "packet 2", Command::kEcho},
                         {"sender", "cut", "1500ns..2500ns", Command::kWrite64},
                         {"sender", "stop", "1500ns..2500ns", Command::kEcho},
                         {"receiver", "stop", "1500ns..2500ns", Command::kWrite64},
                     }),
                     loss)
{
    Bench bench(loss.where, loss.what, loss.when);
    bench.send(3, loss.command);
    BOOST_TEST_REQUIRE(bench.right.seen.size() == 2u);
    BOOST_TEST(bench.right.seen[0].packet.id == 1u);
    BOOST_TEST(bench.right.seen[1].packet.id == 3u);
    BOOST_TEST(bench.right.seen[1].time == 3_us);
    BOOST_TEST(bench.simulation.objects_in_use() == 0u);
    const bool at_receiver = std::string(loss.where) == "receiver";
    BOOST_TEST(bench.sender_faults->lost.count() == (at_receiver ? 0u : 1u));
    BOOST_TEST(bench.receiver_faults->dropped.count() == (at_receiver ? 1u : 0u));
    // A receiver that has stopped takes no notice of idle symbols either
    BOOST_TEST(bench.right.go_bits.size() == (at_receiver ? 0u : 1u));
}

/// Though those before it are not asked about: each is counted, and echoes by themselves. A write has 40 symbols.
BOOST_DATA_TEST_CASE(what_passes_before_a_strike_counts, data::make({"packet", "symbol"}), unit)
{
    const std::string when = std::string(unit) == "packet" ? "0.1/packet" : "0.003/symbol";
    constexpr unsigned kPackets = 500;
    Bench bench("sender", "lose-packet", when);
    FaultTimes times({.where = "sender", .what = "lose-packet", .when = when, .lasts = ""},
                     Random(seed_for(1, "fault.one.1.sender")));
    std::set<std::uint64_t> struck;
    for (unsigned i = 1; i <= kPackets; ++i) {
        auto packet = make_packet(Command::kWrite64, 5, i);
        bench.left.send_at(i * 1_us, packet);
        bench.left.send_at(i * 1_us + 500_ns, make_echo(sci::EchoStatus::kDone, packet));
        if (times.strike(i * 1_us, sci::symbols(Command::kWrite64))) struck.insert(i);
    }
    bench.simulation.run();
    unsigned echoes = 0;
    for (const LinkEnd::Head& head : bench.right.seen) {
        if (sci::is_echo(head.packet.command)) ++echoes;
        if (!sci::is_echo(head.packet.command)) BOOST_TEST(struck.count(head.packet.id) == 0u);
    }
    BOOST_TEST(echoes == kPackets);
    BOOST_TEST(struck.size() > kPackets / 20);
    BOOST_TEST(bench.right.seen.size() == 2 * kPackets - struck.size());
}

BOOST_DATA_TEST_CASE(a_corrupted_packet_arrives_with_a_wrong_crc,
                     data::make({"corrupt-header", "corrupt-data", "corrupt-echo"}), what)
{
    Bench bench("sender", what, "packet 2");
    bench.send(3, std::string(what) == "corrupt-echo" ? Command::kEcho : Command::kWrite64);
    BOOST_TEST_REQUIRE(bench.right.seen.size() == 3u);
    for (unsigned i = 0; i < 3; ++i) {
        const sci::Packet& packet = bench.right.seen[i].packet;
        const sci::NodeId target = sci::is_echo(packet.command) ? packet.target : 5;
        BOOST_TEST(packet.bad == (i == 1));
        BOOST_TEST((packet.target == target) == (i != 1 || std::string(what) != "corrupt-header"));
        BOOST_TEST(bench.right.seen[i].time == (i + 1) * 1_us);
    }
}

BOOST_AUTO_TEST_CASE(a_slow_sender_is_late_by_its_bypass_and_catches_up_in_gaps)
{
    Bench bench("sender", "slow", "1500ns..2500ns");
    bench.send(3);
    BOOST_TEST_REQUIRE(bench.right.seen.size() == 3u);
    BOOST_TEST(bench.right.seen[0].time == 1_us);
    BOOST_TEST(bench.right.seen[1].time == 2_us + bench.timing->bypass);
    BOOST_TEST(bench.right.seen[2].time == 3_us);
}

BOOST_AUTO_TEST_CASE(idle_symbols_without_go_bits_have_them_again_when_the_fault_is_over)
{
    Bench bench("sender", "lost-go", "1500ns..2500ns");
    bench.left.go_at(1_us);
    bench.left.go_at(2_us);
    bench.send(3);
    BOOST_TEST_REQUIRE(bench.right.seen.size() == 3u);
    for (unsigned i = 0; i < 3; ++i) BOOST_TEST(bench.right.seen[i].packet.stop == (i == 1));
    BOOST_TEST(bench.right.go_bits.size() == 1u);
    BOOST_TEST_REQUIRE(bench.left.go_again.size() == 2u);  // of the call that said go, and of the packet
    for (const Duration again : bench.left.go_again) BOOST_TEST(again == 2500_ns);
    BOOST_TEST(bench.sender_faults->lost_go.count() == 2u);
}

/// Others have their sockets bound to each other.
BOOST_AUTO_TEST_CASE(a_link_is_needed_for_what_shows_on_it)
{
    struct Case {
        const char* where;
        const char* what;
        bool shows;
    };
    for (const Case& each :
         {Case{"sender", "cut", true}, Case{"sender", "stop", true}, Case{"sender", "full", false},
          Case{"receiver", "stop", true}, Case{"receiver", "cut", false}, Case{"receiver", "full", false}}) {
        FaultPlan plan;
        plan.set({{"one", {.where = each.where, .what = each.what, .when = "1us", .lasts = ""}}}, 1);
        const LinkFaults sender("sender", plan, true);
        const LinkFaults receiver("receiver", plan, true);
        BOOST_TEST(FaultyLink::shows(sender, receiver) == each.shows, each.where << ' ' << each.what);
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace ringmesh::hw::faulty_link_test
