// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "lab/commands/commands.h"
#include "lab/explain/load.h"
#include "lab/explain/report.h"
#include "lab/process/output_file.h"
#include "lab/process/standard_streams.h"
#include "lab/report/parts.h"
#include "lab/report/report_file.h"
#include "lab/run/suitable_platforms.h"
#include "lab/run/workload_spec.h"
#include "lab/table/json.h"
#include "platforms/builder.h"
#include "tlm/error.h"
#include "tlm/log.h"
#include "tlm/scc/scc_machine.h"
#include "tlm/sci/sci_machine.h"
#include "workloads/single_message.h"
#include "workloads/single_packet.h"
#include "workloads/sizes.h"

namespace ringmesh::lab {
namespace {

/// What explain runs, as a program that any library carries.
workloads::WorkloadInfo explained_program()
{
    return {.name = "explain", .description = {}, .runs_on = {}, .needs = {}, .over = {}, .make = {}};
}

bool carries_messages(const platforms::MachineKind& kind)
{
    const auto sorts = kind.offers();
    return std::any_of(workloads::libraries().begin(), workloads::libraries().end(), [&sorts](const auto& library) {
        return std::find(sorts.begin(), sorts.end(), library.runs_on) != sorts.end();
    });
}

std::string block_of(Machine& machine, unsigned rank)
{
    const auto* block = dynamic_cast<const Component*>(&machine_as<ProcessorMachine>(machine).processor(rank));
    return block == nullptr ? "" : block->component_name();
}

}  // namespace

/// It is left standing, as in a run: destroying a big machine takes seconds.
void ExplainCommand::start_simulation()
{
    route_kernel_reports_to_log();
    simulation = std::make_unique<Simulation>(request.seed);
}

template <class Program>
bool ExplainCommand::run(const Program& program, bool is_sci, JourneyRecorder& recorder, Explanation& explanation)
{
    simulation->on_journey(recorder);
    try {
        simulation->run();
        simulation->require_drained();
        program.check();
        return true;
    } catch (const FaultError& error) {
        if (recorder.strikes().empty()) throw;
        const RecordedStrike& first = recorder.strikes().front();
        explanation.ways = {way_of_packet(recorder.stages(), first.packet, first.leg, is_sci)};
        explanation.notes = {"as far as the packet came that was struck first; the run ended by a fault"};
        note_strikes(recorder.strikes(), explanation);
        explanation.ended_by_fault = error.what();
        return false;
    }
}

void ExplainCommand::explain_message(const platforms::MachineKind& kind, const platforms::Configuration& configuration,
                                     Explanation& explanation)
{
    WorkloadSpec spec;
    if (!request.library.empty()) spec = parse_workload_spec("--library", request.library);
    const auto* info = choose_library(explained_program(), spec.name, request.platform, kind);
    auto program =
        std::make_unique<workloads::SingleMessage>(info->make(), from, to, static_cast<std::uint32_t>(bytes));
    const auto walk_library = [&program](ParameterVisitor& visitor) { program->library()->visit(visitor); };
    platforms::read_assignments(spec.options, "--library " + spec.name, walk_library);
    platforms::require_effects(spec.options, "--library " + spec.name, walk_library);
    explanation.library = info->name;
    explanation.library_options = list_parameters_of(walk_library);
    explanation.parameters = checked_parameters(configuration, {NodeKind::kProcessor, program->uses()});

    start_simulation();
    machine = kind.build(configuration, NodeKind::kProcessor, *simulation);
    program->start(*machine);
    message = std::move(program);
    JourneyRecorder recorder;
    const bool is_sci = dynamic_cast<SciMachine*>(machine.get()) != nullptr;
    explanation.from = message->pair().from;
    explanation.to = message->pair().to;
    if (!run(*message, is_sci, recorder, explanation)) return;

    if (dynamic_cast<SccMachine*>(machine.get()) != nullptr) explanation.node = "core";
    Programs programs;
    for (unsigned rank = 0; rank < machine->nodes(); ++rank) programs.insert(block_of(*machine, rank));
    explanation.ways = ways_of_message(recorder.stages(), message->begun(), message->received(),
                                       block_of(*machine, explanation.to), programs, is_sci);
    explanation.notes = notes_of(recorder.stages(), explanation.ways, is_sci);
    note_strikes(recorder.strikes(), explanation);
    if (message->overtaken()) {
        explanation.notes.emplace_back("the last word came before other bytes, and the receiver waited for these");
    }
    if (explanation.node == "core") {
        explanation.notes.emplace_back(
            "an exchange of the same size went before, so that caches hold program and bytes");
    }
}

void ExplainCommand::explain_packet(const platforms::MachineKind& kind, const platforms::Configuration& configuration,
                                    Explanation& explanation)
{
    if (!request.library.empty()) {
        throw UserError(fmt::format("--library {}: {} has packet sources and no processors; leave --library out",
                                    request.library, request.platform));
    }
    require_offered("explain", {TrafficMachine::kIs}, request.platform, kind);
    explanation.parameters = checked_parameters(configuration, {NodeKind::kPacketSource});
    start_simulation();
    machine = kind.build(configuration, NodeKind::kPacketSource, *simulation);
    packet =
        std::make_unique<workloads::SinglePacket>(machine_as<TrafficMachine>(*machine, "explain"), from, to, bytes);
    JourneyRecorder recorder;
    explanation.from = packet->pair().from;
    explanation.to = packet->pair().to;
    if (!run(*packet, false, recorder, explanation)) return;
    const Stage& first = recorder.stages().front().stage;
    explanation.ways = {way_of_packet(recorder.stages(), first.transaction, first.leg, false)};
    explanation.ways[0].name = "packet";
    explanation.notes = {"packet: from its birth in the source until its last flit is in the target"};
    note_strikes(recorder.strikes(), explanation);
}

int ExplainCommand::execute()
{
    ResultOutputs outputs{OutputFile(json), OutputFile(csv)};
    ReportFile report_file(report);
    const auto write_report = [&](const std::string& title, const std::string& explanation) {
        if (!report_file.wanted()) return;
        Page page{.title = title};
        add_explanation(page, title, request, Json::parse(explanation));
        report_file.write(std::move(page));
    };
    if (!request.workload.empty()) {
        const LoadExplanation load = explain_load(request, slowest, experiment);
        outputs.write([&] { return load_json(load); }, [&] { return load_csv(load); },
                      [&] { return load_text(load, output_room().width); });
        write_report(title_of(load), load_json(load));
        if (!load.ended_by_fault.empty()) throw FaultError(load.ended_by_fault);
        return 0;
    }
    if (bytes < workloads::kSmallestMessage || bytes > workloads::kLargestMessage) {
        throw UserError(fmt::format("explain: --bytes {}: a message has {} to {} bytes", bytes,
                                    workloads::kSmallestMessage, workloads::kLargestMessage));
    }
    const auto configuration = configuration_of(request);
    const auto& kind = platforms::machine_kind(configuration);
    Explanation explanation;
    explanation.request = request;
    explanation.bytes = static_cast<std::uint32_t>(bytes);
    if (carries_messages(kind)) {
        explain_message(kind, configuration, explanation);
    } else {
        explain_packet(kind, configuration, explanation);
    }
    outputs.write([&] { return explain_json(explanation); }, [&] { return explain_csv(explanation); },
                  [&] { return explain_text(explanation, output_room().width); });
    write_report(title_of(explanation), explain_json(explanation));
    if (!explanation.ended_by_fault.empty()) throw FaultError(explanation.ended_by_fault);
    return 0;
}

}  // namespace ringmesh::lab
