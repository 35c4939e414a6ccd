// SPDX-License-Identifier: Apache-2.0
/// What a mesh tells about itself: waveforms, journeys, statistics, mistakes.
#include <map>

#include "tests/hw/journey_probe.h"
#include "tests/hw/mesh/mesh_bench.h"
#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/statistics.h"
#include "tests/traces/read_vcd.h"
#include "tests/traces/waveform_bench.h"
#include "tlm/error.h"
#include "traces/recorder.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using hw::MeshDetail;
using mesh::Class;

const auto kDetails = data::make({MeshDetail::kPath, MeshDetail::kFlit});

hw::MeshParams params_for(MeshDetail detail)
{
    hw::MeshParams params;
    params.columns = 3;
    params.rows = 2;
    params.detail = detail;
    return params;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(mesh_observation)

/// Two hops, each a router and a link, then the flits behind the head: one stage begins where the one before it ends.
BOOST_DATA_TEST_CASE(the_stages_of_a_lone_packet_fill_its_latency, kDetails* data::make({1, 3}) * data::make({0, 2}),
                     detail, flits, terminal)
{
    hw::MeshParams params = params_for(detail);
    params.terminal = Cycles(terminal);
    MeshBench bench(params);
    JourneyProbe probe;
    bench.simulation.on_journey(probe);
    const auto length = static_cast<std::uint32_t>(flits);
    bench.at_cycle(10, [&] { bench.at(0, 0).offer(bench.tile(1, 1), length, Class::kResponse); });
    bench.run();
    std::vector<std::string> expected;
    std::int64_t at = 10;
    const auto stage = [&](const char* where, const char* what, std::int64_t cycles) {
        expected.push_back(stage_line(where, what, 1, bench.cycles(at), bench.cycles(at + cycles)));
        at += cycles;
    };
    stage("mesh.r0_0", "into the mesh", terminal);
    for (const char* router : {"mesh.r0_0", "mesh.r1_0", "mesh.r1_1"}) {
        if (detail == MeshDetail::kPath) {
            stage(router, "router", 3);
        } else {
            for (const char* part : {"VC allocation", "switch allocation", "switch traversal"}) stage(router, part, 1);
        }
        stage(router, "link", 1);
    }
    stage("mesh.r1_1", "rest of the packet", flits - 1);
    BOOST_TEST(probe.lines == expected, boost::test_tools::per_element());
    BOOST_TEST_REQUIRE(bench.at(1, 1).seen.size() == 1u);
    BOOST_TEST(bench.at(1, 1).seen[0].at == bench.cycles(at));
    for (const Stage& one : probe.stages) {
        BOOST_TEST((one.leg == Leg::kResponse));
        BOOST_TEST((one.kind == StageKind::kPropagation) == (one.what == "link"));
    }
}

/// Fewer stages of the pipeline, fewer parts; together they are always as long as it.
BOOST_DATA_TEST_CASE(the_stages_of_a_router_are_those_of_its_pipeline, data::make({1, 2, 3, 4, 7}), pipeline)
{
    hw::MeshParams params = params_for(MeshDetail::kFlit);
    params.pipeline = Cycles(pipeline);
    MeshBench bench(params);
    JourneyProbe probe;
    bench.simulation.on_journey(probe);
    bench.at_cycle(10, [&] { bench.at(0, 0).offer(bench.tile(1, 0), 1); });
    bench.run();
    std::vector<std::pair<const char*, std::int64_t>> parts{{"switch allocation", 1}, {"switch traversal", 1}};
    if (pipeline > 3) parts.insert(parts.begin(), {"routing", pipeline - 3});
    if (pipeline >= 3) parts.insert(parts.end() - 2, {"VC allocation", 1});
    if (pipeline == 2) parts[0].first = "VC and switch allocation";
    if (pipeline == 1) parts = {{"router", 1}};
    parts.emplace_back("link", 1);
    std::vector<std::string> expected{stage_line("mesh.r0_0", "into the mesh", 1, bench.cycles(10), bench.cycles(10))};
    std::int64_t at = 10;
    for (const char* router : {"mesh.r0_0", "mesh.r1_0"}) {
        for (const auto& [what, cycles] : parts) {
            expected.push_back(stage_line(router, what, 1, bench.cycles(at), bench.cycles(at + cycles)));
            at += cycles;
        }
    }
    expected.push_back(stage_line("mesh.r1_0", "rest of the packet", 1, bench.cycles(at), bench.cycles(at)));
    BOOST_TEST(probe.lines == expected, boost::test_tools::per_element());
    BOOST_TEST(probe.waits.empty());
}

/// Work and waits of every packet, ordered by time, touch: none overlap and nothing is left unsaid.
BOOST_DATA_TEST_CASE(a_packet_in_a_crowd_works_or_says_for_what_it_waits,
                     data::make({1, 2, 3, 5}) * data::make({1, 2, 8}), pipeline, channels)
{
    hw::MeshParams params = params_for(MeshDetail::kFlit);
    params.pipeline = Cycles(pipeline);
    params.virtual_channels = channels;
    params.reserved_channels = channels > 2 ? 1 : 0;
    params.flow = "wormhole";
    params.buffer_flits = 2;
    MeshBench bench(params);
    JourneyProbe probe;
    bench.simulation.on_journey(probe);
    bench.load(0.6, 3, 300, [&](MeshProbe& from, Random& random) { from.offer(bench.any_tile(random), 3); });
    bench.run();
    std::map<std::uint64_t, std::vector<Stage>> packets;
    std::map<std::string_view, unsigned> waits;
    for (const Stage& stage : probe.stages) packets[stage.transaction].push_back(stage);
    for (const Stage& wait : probe.waits) {
        packets[wait.transaction].push_back(wait);
        ++waits[wait.what];
        const bool is_behind = wait.what == "no credit" || wait.what == "switch" || wait.what == "behind others";
        if (is_behind) BOOST_TEST(wait.other != 0u, wait.what);
        BOOST_TEST(wait.other != wait.transaction);
    }
    for (auto& [packet, stages] : packets) {
        std::stable_sort(stages.begin(), stages.end(), [](const Stage& a, const Stage& b) {
            return std::pair(a.from, a.to) < std::pair(b.from, b.to);
        });
        for (std::size_t i = 1; i < stages.size(); ++i) BOOST_TEST(stages[i].from == stages[i - 1].to);
    }
    for (const char* what : {"no credit", "behind others", "flits held up"}) BOOST_TEST(waits[what] > 0u, what);
    // With one channel who wins the output's channel wins the switch
    BOOST_TEST((waits["switch"] > 0u) == (channels > 1));
}

/// Under contention stages are still in order, and the last one ends when the packet arrives.
BOOST_DATA_TEST_CASE(the_stages_of_a_packet_in_a_crowd_follow_each_other, kDetails, detail)
{
    MeshBench bench(params_for(detail));
    JourneyProbe probe;
    bench.simulation.on_journey(probe);
    bench.load(0.6, 3, 300, [&](MeshProbe& from, Random& random) { from.offer(bench.any_tile(random), 3); });
    bench.run();
    std::map<std::uint64_t, Duration> end;
    for (const Stage& stage : probe.stages) {
        BOOST_TEST(stage.from <= stage.to);
        BOOST_TEST(stage.from >= end[stage.transaction]);
        end[stage.transaction] = stage.to;
    }
    for (const auto& terminal : bench.probes) {
        for (const auto& seen : terminal->seen) BOOST_TEST(end[seen.packet.id] == seen.at);
    }
}

BOOST_DATA_TEST_CASE(a_waveform_shows_links_and_queues_while_they_are_busy, kDetails, detail)
{
    const TemporaryFolder folder;
    MeshBench bench(params_for(detail));
    Recorder file(to_vcd("run.vcd"));
    bench.mesh->trace(&file);
    bench.at_cycle(10, [&] {
        bench.at(0, 0).offer(bench.tile(1, 0), 2);
        bench.at(0, 0).offer(bench.tile(1, 0), 2);
    });
    bench.run();
    file.close();
    auto signals = read_vcd("run.vcd");
    // The heads leave the first router three cycles after their arrival; the packets follow back to back.
    const Changes& link = signals.at("mesh.r0_0.east");
    BOOST_TEST(first_time(link, "request") == bench.cycles(13));
    BOOST_TEST((link.back() == std::pair<Duration, std::string>(bench.cycles(17), "idle")));
    BOOST_TEST(first_time(signals.at("mesh.r0_0.east_id"), "10") == bench.cycles(15));
    BOOST_TEST(first_time(signals.at("mesh.r0_0.local_requests_fill"), "1") != Duration::never());
    if (detail == MeshDetail::kFlit) {
        BOOST_TEST(first_time(signals.at("mesh.r0_0.fill"), "1") != Duration::never());
    }
    // Outer ports without terminal have no signal.
    BOOST_TEST(signals.contains("mesh.r0_1.south"));
    BOOST_TEST(!signals.contains("mesh.r0_0.south"));
}

BOOST_DATA_TEST_CASE(statistics_count_every_packet_and_flit, kDetails, detail)
{
    MeshBench bench(params_for(detail));
    std::uint64_t hops = 0;
    for (unsigned x = 0; x < 3; ++x) {
        for (unsigned flits = 1; flits <= 4; ++flits) {
            bench.at(0, 0).offer(bench.tile(x, 1), flits);
            hops += flits * (x + 1);
        }
    }
    bench.run();
    auto values = statistics_of(*bench.mesh);
    BOOST_TEST(values["injected"] == 12);
    BOOST_TEST(values["delivered"] == 12);
    BOOST_TEST(values["flit_hops"] == static_cast<double>(hops));
    BOOST_TEST(values["injection_full"] == static_cast<double>(bench.at(0, 0).refusals));
    BOOST_TEST(bench.mesh->flit_hops() == hops);
    std::uint64_t sum = 0;
    for (const std::uint64_t flits : bench.mesh->link_flits()) sum += flits;
    BOOST_TEST(sum == hops);
    BOOST_TEST(bench.mesh->detail() == hw::kMeshDetails.name(detail));
}

/// By path a packet that waits holds up nobody on its way.
BOOST_DATA_TEST_CASE(only_the_path_detail_has_doubts_and_only_about_packets_that_wait, kDetails, detail)
{
    MeshBench alone(params_for(detail));
    MeshBench crowded(alone, "crowded_", params_for(detail));
    MeshBench refusing(alone, "refusing_", params_for(detail));
    for (int i = 0; i < 60; ++i) {
        alone.at_cycle(10 + 100 * i, [&] { alone.at(0, 0).offer(alone.tile(2, 1), 3); });
        for (unsigned x : {0u, 1u}) crowded.at(x, 0).offer(crowded.tile(2, 1), 3);
        refusing.at_cycle(10 + 100 * i, [&] { refusing.at(0, 0).offer(refusing.tile(2, 1), 3); });
    }
    refusing.at(2, 1).take_only(Class::kRequest, 0);
    refusing.at_cycle(1000, [&] { refusing.at(2, 1).take_only(Class::kRequest, UINT64_MAX); });
    alone.run();
    const bool path = detail == MeshDetail::kPath;
    BOOST_TEST(alone.mesh->doubts().empty());
    BOOST_TEST(crowded.mesh->doubts().empty() != path);
    BOOST_TEST_REQUIRE(refusing.mesh->doubts().size() == (path ? 1u : 0u));
    if (path) {
        BOOST_TEST(refusing.mesh->doubts()[0] ==
                   "refusing_mesh by path, beyond what it is good for: the targets of 3.3 % of the packets refused "
                   "their class; flit by flit they would hold up others: set mesh.detail=flit");
    }
}

BOOST_DATA_TEST_CASE(an_idle_mesh_costs_no_event, kDetails, detail)
{
    MeshBench bench(params_for(detail));
    bench.at_cycle(10, [&] { bench.at(0, 0).offer(bench.tile(2, 1), 3); });
    bench.at_cycle(100, [&] { bench.at(0, 0).offer(bench.tile(2, 1), 3, Class::kRequest, bench.cycles(1000)); });
    bench.at_cycle(1'000'000, [] {});
    bench.run();
    BOOST_TEST(bench.simulation.steps() < 120u);
    BOOST_TEST(bench.taken() == 2u);
}

BOOST_DATA_TEST_CASE(invalid_wiring_is_reported_with_its_place, kDetails, detail)
{
    MeshBench bench(params_for(detail));
    bench.at(2, 1).take_only(Class::kResponse, 0);
    bench.at_cycle(10, [&] { bench.at(0, 0).offer(bench.tile(2, 1), 3, Class::kResponse); });
    bench.simulation.run();
    BOOST_TEST(bench.mesh->pending() == "1 response refused at r2_1.local");
}

BOOST_DATA_TEST_CASE(packets_without_a_sender_or_receiver_are_errors, kDetails, detail)
{
    MeshBench bench(params_for(detail));
    BOOST_CHECK_THROW(bench.at(0, 0).offer({0, 0, mesh::Port::kWest}, 1), ModelError);  // a stub
    BOOST_CHECK_THROW(bench.at(1, 0).offer(bench.tile(3, 0), 1), ModelError);
    BOOST_CHECK_THROW(bench.at(2, 0).offer(bench.tile(1, 0), 0), ModelError);
    BOOST_CHECK_THROW(bench.at(0, 1).offer(bench.tile(1, 0), mesh::kMostFlits + 1), ModelError);
    BOOST_CHECK_THROW(bench.mesh->port({0, 0, mesh::Port::kEast}), ModelError);
    BOOST_CHECK_THROW(bench.mesh->port({9, 0, mesh::Port::kLocal}), ModelError);
    using Edges = std::vector<mesh::Terminal>;
    const auto make = [&](const Edges& edges) { hw::make_mesh("other", bench.simulation, params_for(detail), edges); };
    BOOST_CHECK_THROW(make({{0, 0, mesh::Port::kEast}}), ModelError);
    BOOST_CHECK_THROW(make({{1, 0, mesh::Port::kLocal}}), ModelError);
    BOOST_CHECK_THROW(make({{0, 5, mesh::Port::kWest}}), ModelError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
