// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/explain/explanation.h"
#include "lab/explain/load_report.h"
#include "lab/process/child_process.h"
#include "tlm/error.h"
#include "tlm/sci/sci_machine.h"

namespace ringmesh::lab {
namespace {

std::string find_slowest(const ExperimentRequest& request, const Slowest& asked)
{
    // Not destroyed, as in a run: destroying a big machine takes seconds
    auto& experiment = *new Experiment(request);
    SlowestFinder finder;
    experiment.prepare_simulation();
    experiment.simulation().on_journey(finder);
    experiment.build();
    try {
        experiment.run();
    } catch (const FaultError&) {
        if (finder.packets() == 0) throw;  // else those that arrived are worth to be seen
    }
    return text_of(finder.slowest(asked), finder.packets());
}

}  // namespace

LoadExplanation explain_load(const ExperimentRequest& request, const Slowest& asked,
                             std::unique_ptr<Experiment>& experiment)
{
    experiment = std::make_unique<Experiment>(request);  // mistakes are told before anything runs
    const std::vector<Job> first{[&request, &asked] { return find_slowest(request, asked); }};
    const auto [chosen, packets] = packets_of(run_in_children(first, 1).front());
    if (chosen.empty()) {
        throw UserError(
            fmt::format("explain: no packet arrived in a run of {} on {}; choose a workload that sends some",
                        experiment->workload_name(), request.platform));
    }
    ChosenRecorder recorder(chosen);
    experiment->prepare_simulation();
    experiment->simulation().on_journey(recorder);
    experiment->build();
    std::string ended_by_fault;
    try {
        experiment->run();
    } catch (const FaultError& error) {
        ended_by_fault = error.what();
    }

    LoadExplanation explanation{.request = request,
                                .library = experiment->library_name(),
                                .parameters = experiment->parameters(),
                                .workload_options = experiment->workload_options(),
                                .packets = packets,
                                .ways = {},
                                .ended_by_fault = std::move(ended_by_fault)};
    const bool is_sci = experiment->machine_kind() == "wulfkit";
    for (const SlowPacket& packet : chosen) {
        Way way = way_of_packet(recorder.stages(packet.key), packet.key.packet, packet.key.leg, is_sci);
        if (way.span() != packet.latency) {
            throw ModelError(fmt::format("explain: packet {} took {} ps in the first run and {} ps in the second",
                                         packet.key.packet, packet.latency.ps(), way.span().ps()));
        }
        explanation.ways.push_back(std::move(way));
    }
    explanation.notes = notes_of_strikes(recorder.strikes(), Duration::zero());
    const auto note_others = [&explanation](const std::vector<RecordedStrike>& strikes, std::string_view what) {
        if (strikes.empty()) return;
        explanation.notes.push_back(fmt::format("struck, of packets that {}: {}", what, strikes.size()));
        for (std::string& note : notes_of_strikes(strikes, Duration::zero())) {
            explanation.notes.push_back(std::move(note));
        }
    };
    note_others(recorder.strikes_on_others(), "arrived and are not among these");
    note_others(recorder.strikes_on_lost(), "never arrived");
    return explanation;
}

}  // namespace ringmesh::lab
