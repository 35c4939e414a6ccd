// SPDX-License-Identifier: Apache-2.0
/// Whole machines, explained: the steps of the papers' figure, and sums that are exact.
#include <array>
#include <functional>
#include <memory>
#include <ostream>
#include <string>

#include "hw/sci/link/link_timing.h"
#include "lab/explain/explanation.h"
#include "lab/process/child_process.h"
#include "tests/platforms/wulfkit/ring_bench.h"
#include "tests/support/cases.h"
#include "workloads/libraries/raw/raw_library.h"
#include "workloads/probes/single_message.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;
using namespace ringmesh::test;
using platforms::WulfkitParams;
using sci::Command;

struct Between {
    unsigned from = 0;
    unsigned to = 0;
    std::uint32_t bytes = 64;
};
std::ostream& operator<<(std::ostream& out, const Between& way)
{
    return out << way.from << " to " << way.to << ", " << way.bytes << " bytes";
}

/// One message on a machine of its own, recorded.
struct Watched {
    Watched(const WulfkitParams& params, const Between& way)
        : bench(params), message(std::make_unique<workloads::RawLibrary>(), way.from, way.to, way.bytes)
    {
        message.start(bench.machine);
        bench.simulation.on_journey(recorder);
        bench.simulation.run();
        bench.simulation.require_drained();
        message.check();
        Programs programs;
        for (unsigned node = 0; node < bench.machine.nodes(); ++node) programs.insert(cpu(node));
        ways = ways_of_message(recorder.stages(), message.begun(), message.received(), cpu(way.to), programs, true);
    }
    static std::string cpu(unsigned node) { return "node" + std::to_string(node) + ".cpu"; }
    const ringmesh::lab::Way& request() const { return ways[0]; }
    const ringmesh::lab::Way& response() const { return ways[1]; }

    RingBench bench;
    workloads::SingleMessage message;
    JourneyRecorder recorder;
    std::vector<ringmesh::lab::Way> ways;
};

WulfkitParams torus(std::vector<std::int64_t> dimensions)
{
    WulfkitParams params;
    params.topology.dimensions = std::move(dimensions);
    return params;
}

/// The stages of a 64-byte request and its response by the parameters, without load.
struct Formulas {
    explicit Formulas(const WulfkitParams& p) : params(p), timing(p.link, p.cable, p.lc2, p.blink) {}

    Duration pci(Cycles cycles) const { return cycles * Clock(params.pci.clock); }
    Duration blink(Cycles cycles) const { return cycles * Clock(params.blink.clock); }
    Duration arbitration() const { return blink(params.blink.arbitration); }
    Duration transfer(Command command) const
    {
        return blink(params.blink.header + params.blink.data(command) + params.blink.trailer);
    }
    /// From the packet at a B-Link's port to the start of its head on the link.
    Duration onto_link(Command command) const { return arbitration() + timing.from_blink(command, transfer(command)); }
    /// From the head at a node to the request for its B-Link.
    Duration off_link(Command command) const { return timing.to_blink[sci::index(command)]; }
    Duration switching(Command command) const { return off_link(command) + onto_link(command); }
    Duration off_blink(Command command) const { return off_link(command) + arbitration() + transfer(command); }

    Duration send() const
    {
        const Duration write = pci(params.pci.address_phase + params.pci.write_wait + params.pci.data_phase);
        return params.host.library + params.host.store_issue * Clock(params.host.clock) + params.host.crossing +
               write * 16 + pci(params.pci.turnaround) * 15 + params.psb.crossing + onto_link(Command::kWrite64);
    }
    /// Without the phase of the poll loop.
    Duration receive() const
    {
        return off_blink(Command::kWrite64) + params.psb.crossing + pci(params.pci.arbitration) +
               pci(params.pci.address_phase + params.pci.write_wait + params.pci.data_phase * 16) +
               params.host.crossing + params.host.poll_miss + params.host.library;
    }
    Duration answer() const { return params.psb.crossing + onto_link(Command::kResponse0); }
    Duration take_answer() const { return off_blink(Command::kResponse0) + params.psb.crossing; }
    Duration poll_loop() const { return params.host.poll_loop * Clock(params.host.clock); }

    WulfkitParams params;
    hw::LinkTiming timing;
};

struct Change {
    const char* name;
    std::function<void(WulfkitParams&)> apply;
};
std::ostream& operator<<(std::ostream& out, const Change& change) { return out << change.name; }

const std::vector<Change> kChanges{
    {"as the testbed was", [](WulfkitParams&) {}},
    {"fast B-Link", [](WulfkitParams& p) { p.blink.clock = 100_MHz; }},
    {"long cables", [](WulfkitParams& p) { p.cable.length = Length::micrometres(30'000'000); }},
    {"fast links and slow hosts",
     [](WulfkitParams& p) {
         p.link.symbol_time = 2_ns;
         p.host.crossing = 311_ns;
         p.host.library = 222_ns;
         p.psb.crossing = 111_ns;
         p.host.poll_loop = 100_cycles;
     }},
    {"PCI with wait states", [](WulfkitParams& p) { p.pci.write_wait = 2_cycles; }},
    {"cut-through", [](WulfkitParams& p) { p.lc2.switching = "cut-through"; }},
};

}  // namespace

namespace ringmesh::test::wulfkit_test {  // outside it, `system` is a function of the C library

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(explained)

/// [000 Fig. 3]: fourteen steps on the 3x3 torus from node (0,0) to node (2,2), each of the length that the parameters
/// give.
BOOST_DATA_TEST_CASE(a_message_over_the_3x3_torus_takes_the_fourteen_steps_of_the_figure, data::make(kChanges), change)
{
    WulfkitParams params = torus({3, 3});
    change.apply(params);
    const Watched watched(params, {.from = 0, .to = 8});
    const Formulas expected(params);
    const Duration l_p = expected.timing.propagation;
    const Duration l_f = expected.timing.bypass;

    constexpr const char *kOverhead = "o", *kPropagation = "l_p", *kForwarding = "l_f", *kSwitching = "l_s";
    struct Expected {
        std::string group;
        Duration span;
    };
    const std::array<Expected, 14> figure{{{kOverhead, expected.send()},
                                           {kPropagation, l_p},
                                           {kForwarding, l_f},
                                           {kPropagation, l_p},
                                           {kSwitching, expected.switching(Command::kWrite64)},
                                           {kPropagation, l_p},
                                           {kForwarding, l_f},
                                           {kPropagation, l_p},
                                           {kOverhead, expected.receive()},
                                           {kOverhead, expected.answer()},
                                           {kPropagation, l_p},
                                           {kSwitching, expected.switching(Command::kResponse0)},
                                           {kPropagation, l_p},
                                           {kOverhead, expected.take_answer()}}};
    auto steps = watched.request().steps;
    const auto& answer = watched.response().steps;
    steps.insert(steps.end(), answer.begin(), answer.end());
    BOOST_TEST_REQUIRE(steps.size() == figure.size());
    const Duration phase = watched.request().waiting();
    BOOST_TEST(phase < expected.poll_loop());
    for (std::size_t i = 0; i < figure.size(); ++i) {
        BOOST_TEST_CONTEXT("step " << i + 1)
        {
            BOOST_TEST(steps[i].number == static_cast<int>(i + 1));
            BOOST_TEST((steps[i].group == figure[i].group));
            BOOST_TEST(steps[i].span() == figure[i].span + (i + 1 == 9 ? phase : 0_ns));
        }
    }
    BOOST_TEST(watched.response().waiting() == 0_ns);
}

BOOST_DATA_TEST_CASE(a_message_crosses_as_many_cables_as_its_route_has_links,
                     data::make({Between{4, 0}, Between{4, 1}, Between{4, 3}, Between{4, 5}, Between{4, 8},
                                 Between{8, 0, 1}, Between{7, 2, 13}, Between{0, 4, 100}, Between{0, 1, 5000}}),
                     way)
{
    Watched watched(torus({3, 3}), way);
    const auto check = [&](const ringmesh::lab::Way& leg, unsigned from, unsigned to, sci::Class kind) {
        const Route route = watched.bench.machine.route(from, to, kind);
        unsigned hops = 0;
        for (const RingUse& use : route) hops += use.hops;
        BOOST_TEST(leg.steps_of("l_p") == hops);
        BOOST_TEST(leg.steps_of("l_f") == hops - route.count);
        BOOST_TEST(leg.steps_of("l_s") == route.count - 1);
        BOOST_TEST(leg.steps_of("o") == 2u);
        Duration sum;
        for (const std::string& group : leg.groups()) sum += leg.sum(group);
        BOOST_TEST(sum == leg.to - leg.from);
    };
    check(watched.request(), way.from, way.to, sci::Class::kRequest);
    check(watched.response(), way.to, way.from, sci::Class::kResponse);
    BOOST_TEST(watched.request().span() == watched.message.received() - watched.message.begun());
}

BOOST_AUTO_TEST_CASE(a_message_over_a_switch_changes_rings_there)
{
    WulfkitParams params = torus({2, 4});
    params.topology.kind = "switch";
    const Watched watched(params, {.from = 0, .to = 7});
    const auto& steps = watched.request().steps;
    const auto change = std::find_if(steps.begin(), steps.end(), [](const Step& step) { return step.group == "l_s"; });
    BOOST_TEST_REQUIRE((change != steps.end()));
    for (const PathPart& part : change->parts) BOOST_TEST(part.where.starts_with("switch."), part.where);
}

/// A full buffer of posted writes, retries on PCI and partly filled blocks: the sum is exact under all of them.
BOOST_DATA_TEST_CASE(sums_are_exact_under_contention, data::make({1, 63, 100, 128, 777, 4096}), bytes)
{
    WulfkitParams params = torus({4});
    params.psb.stream_buffers = 1;
    params.host.posted_writes = 2;
    params.host.inbound_writes = 1;
    const Watched watched(params, {.from = 3, .to = 1, .bytes = static_cast<std::uint32_t>(bytes)});
    for (const auto* leg : {&watched.request(), &watched.response()}) {
        Duration end = leg->from;
        for (const Step& step : leg->steps) {
            for (const PathPart& part : step.parts) {
                BOOST_TEST(part.from == end);
                end = part.to;
            }
        }
        BOOST_TEST(end == leg->to);
    }
}

BOOST_AUTO_TEST_CASE(recording_does_not_change_the_run)
{
    const auto run = [](bool watched) {
        RingBench bench(torus({3, 3}));
        workloads::SingleMessage message(std::make_unique<workloads::RawLibrary>(), 1, 5, 500);
        message.start(bench.machine);
        JourneyRecorder recorder;
        if (watched) bench.simulation.on_journey(recorder);
        bench.simulation.run();
        return std::to_string(recorder.stages().empty()) + bench.digest() + std::to_string(message.received().ps());
    };
    const std::vector<Job> jobs{[&] { return run(false); }, [&] { return run(true); }};
    const auto results = run_in_children(jobs, 1);
    BOOST_TEST(results[0].substr(0, 1) == "1");
    BOOST_TEST(results[1].substr(0, 1) == "0");
    BOOST_TEST(results[0].substr(1) == results[1].substr(1));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test::wulfkit_test
