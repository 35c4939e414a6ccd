// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "lab/commands/line/outputs.h"
#include "lab/explain/load_report.h"
#include "lab/explain/report.h"
#include "lab/process/standard_streams.h"
#include "lab/report/parts.h"
#include "lab/run/suitable_platforms.h"
#include "lab/run/workload_spec.h"
#include "lab/table/writers/cells.h"
#include "lab/truth/evidence.h"
#include "platforms/builder.h"
#include "tlm/error.h"
#include "tlm/scc/scc_machine.h"
#include "tlm/sci/sci_machine.h"
#include "tlm/simulation/log.h"
#include "workloads/probes/single_message.h"
#include "workloads/probes/single_packet.h"
#include "workloads/sizes.h"

namespace ringmesh::lab {
namespace {

constexpr CommandHelp kExplain{.name = "explain",
                               .meaning = "Show where one message, or the slowest packets of a run, spend their time",
                               .arguments = "explain PLATFORM {--from A --to B | --workload NAME} [OPTIONS]",
                               .examples = R"(Examples:
  ringmesh explain wulfkit-ring --from 0 --to 2
  ringmesh explain wulfkit-ring --from 0 --to 1 --bytes 512 --set topology.dimensions=4 --csv stages.csv
  ringmesh explain wulfkit-torus-3x3 --from 0 --to 8 --overlay link-4.0Gbps --json -
  ringmesh explain scc --from 0 --to 47 --bytes 32 --library rcce
  ringmesh explain mesh-8x8 --workload traffic:load=0.3 --slowest 5

Without --workload the machine does nothing else. The times of work and of waiting add up to the latency exactly.
docs/reference/results/explain.md has more.
)",
                               .status_1 = "a fault ended a run"};

class ExplainCommand final : public Command {
public:
    const CommandHelp& help() const override { return kExplain; }
    void describe(OptionList& list) override
    {
        const auto add_rank = [&list](const char* name, std::int64_t& rank, const char* meaning, const char* value) {
            list.parsed(
                name, rank,
                [name](const std::string& text) {
                    const auto number = number_from<std::uint32_t>(text);
                    if (number) return *number;
                    throw UserError(fmt::format("not the rank of a node; write a whole number, {} 0", name));
                },
                meaning, value);
        };
        add_rank("--from", from_, "Node that sends", "A");
        add_rank("--to", to_, "Node that receives", "B");
        list.parsed(
            "--bytes", bytes_,
            [](const std::string& text) {
                const auto number = number_from<std::int64_t>(text);
                if (number) return *number;
                throw UserError("not a whole number of bytes; write --bytes 64");
            },
            "Size of the message; 64 if not given", "N");
        add_machine(list, request_);
        add_workload(list, workload_, "Run this workload in place of one message, and explain its slowest packets");
        list.add({"--slowest", "N", "How many packets to explain; 5 if not given", OptionList::Kind::kText,
                  [this](const auto& words) { slowest_ = parse_slowest(words.front()); }});
        add_seed(list, request_.seed);
        list.text("--library", request_.library,
                  "Message passing library, with its options; the first suitable one if not given",
                  "NAME[:KEY=VALUE,...]");
        add_outputs(list, files_, "every stage", "every stage");
        add_report(list, files_.report);
        add_pictures(list, files_.pictures);
    }
    int execute() override;

private:
    void explain_message(const platforms::MachineKind& kind, const platforms::Configuration& configuration,
                         Explanation& explanation);
    void explain_packet(const platforms::MachineKind& kind, const platforms::Configuration& configuration,
                        Explanation& explanation);
    void start_simulation();
    /// @return false if a fault ended the run, which is explained then
    template <class Program>
    bool run(const Program& program, bool is_sci, JourneyRecorder& recorder, Explanation& explanation);
    /// @return the exit status
    template <class Explained>
    int write(const Explained& explained, Json (*json)(const Explained&), std::string (*csv)(const Explained&),
              std::string (*text)(const Explained&, std::size_t width), Outputs& outputs) const;
    /// Options that do not go together. @throws UserError
    void check() const;

    ExperimentRequest request_;  ///< without a workload one message is explained
    std::int64_t from_ = 0;
    std::int64_t to_ = 0;
    std::int64_t bytes_ = 64;
    std::size_t slowest_ = 5;  ///< packets of the workload
    AskedWorkload workload_;
    OutputOptions files_;
    /// Left standing after execute(), as that of a run.
    std::unique_ptr<Simulation> simulation_;
    std::unique_ptr<workloads::SingleMessage> message_;
    std::unique_ptr<workloads::SinglePacket> packet_;
    std::unique_ptr<Machine> machine_;
    std::unique_ptr<Experiment> experiment_;
};

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
    simulation_ = std::make_unique<Simulation>(request_.seed);
}

template <class Program>
bool ExplainCommand::run(const Program& program, bool is_sci, JourneyRecorder& recorder, Explanation& explanation)
{
    simulation_->on_journey(recorder);
    try {
        simulation_->run();
        simulation_->require_drained();
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
    if (!request_.library.empty()) spec = parse_workload_spec("--library", request_.library);
    const auto* info = choose_library(explained_program(), spec.name, request_.platform, kind);
    auto program = std::make_unique<workloads::SingleMessage>(info->make(), from_, to_, explanation.bytes);
    const auto walk_library = [&program](ParameterVisitor& visitor) { program->library()->visit(visitor); };
    platforms::read_assignments(spec.options, "--library " + spec.name, walk_library);
    platforms::require_effects(spec.options, "--library " + spec.name, walk_library);
    explanation.library = info->name;
    explanation.library_options = list_parameters_of(walk_library);
    explanation.parameters = checked_parameters(configuration, {NodeKind::kProcessor, program->uses()});

    start_simulation();
    machine_ = kind.build(configuration, NodeKind::kProcessor, *simulation_);
    program->start(*machine_);
    message_ = std::move(program);
    JourneyRecorder recorder;
    const bool is_sci = dynamic_cast<SciMachine*>(machine_.get()) != nullptr;
    explanation.from = message_->pair().from;
    explanation.to = message_->pair().to;
    if (!run(*message_, is_sci, recorder, explanation)) return;

    if (dynamic_cast<SccMachine*>(machine_.get()) != nullptr) explanation.node = "core";
    Programs programs;
    for (unsigned rank = 0; rank < machine_->nodes(); ++rank) programs.insert(block_of(*machine_, rank));
    explanation.ways = ways_of_message(recorder.stages(), message_->begun(), message_->received(),
                                       block_of(*machine_, explanation.to), programs, is_sci);
    explanation.notes = notes_of(recorder.stages(), explanation.ways, is_sci);
    note_strikes(recorder.strikes(), explanation);
    if (message_->overtaken()) {
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
    if (!request_.library.empty()) {
        throw UserError(fmt::format("--library {}: {} has packet sources and no processors; leave --library out",
                                    request_.library, request_.platform));
    }
    require_offered("explain", {TrafficMachine::kIs}, request_.platform, kind);
    explanation.parameters = checked_parameters(configuration, {NodeKind::kPacketSource});
    start_simulation();
    machine_ = kind.build(configuration, NodeKind::kPacketSource, *simulation_);
    packet_ = std::make_unique<workloads::SinglePacket>(machine_as<TrafficMachine>(*machine_, "explain"), from_, to_,
                                                        explanation.bytes);
    JourneyRecorder recorder;
    explanation.from = packet_->pair().from;
    explanation.to = packet_->pair().to;
    if (!run(*packet_, false, recorder, explanation)) return;
    const Stage& first = recorder.stages().front().stage;
    explanation.ways = {way_of_packet(recorder.stages(), first.transaction, first.leg, false)};
    explanation.ways[0].name = "packet";
    explanation.notes = {"packet: from its birth in the source until its last flit is in the target"};
    note_strikes(recorder.strikes(), explanation);
}

void ExplainCommand::check() const
{
    if (workload_.is_given()) {
        const std::string option = first_typed({"--from", "--to", "--bytes"});
        if (option.empty()) return;
        throw UserError(fmt::format(
            "explain: {}: is of one message, and a workload sends its own packets; leave one of the two out", option));
    }
    if (const std::string option = first_typed({"--background", "--map"}); !option.empty()) {
        throw UserError(
            fmt::format("explain: {}: one message is explained on a machine that does nothing else; write --workload "
                        "NAME, such as --workload ping-pong",
                        option));
    }
    if (typed.contains("--slowest")) {
        throw UserError(
            "explain: --slowest: one message has no slowest packets; write --workload NAME, such as --workload "
            "traffic:load=0.3");
    }
    for (const char* option : {"--from", "--to"}) {
        if (typed.contains(option)) continue;
        throw UserError(
            fmt::format("explain: no {0}; write {0} and the rank of a node{1}", option, see_help("explain")));
    }
    if (bytes_ < workloads::kSmallestMessage || bytes_ > workloads::kLargestMessage) {
        throw UserError(fmt::format("explain: --bytes {}: a message has {} to {} bytes", bytes_,
                                    workloads::kSmallestMessage, workloads::kLargestMessage));
    }
}

template <class Explained>
int ExplainCommand::write(const Explained& explained, Json (*json)(const Explained&),
                          std::string (*csv)(const Explained&),
                          std::string (*text)(const Explained&, std::size_t width), Outputs& outputs) const
{
    const bool changed = !request_.overlays.empty() || !request_.settings.empty();
    const Answer answer = with_evidence(answer_of(explained), [&] {
        const std::string& workload = request_.workload;
        return workload.empty()
                   ? evidence_lines({request_.platform, "explain", explained.library}, {bytes_}, changed)
                   : evidence_lines({request_.platform, workload.substr(0, workload.find(':')), explained.library}, {},
                                    changed);
    });
    outputs.write(
        answer, [&] { return json(explained); }, [&] { return csv(explained); },
        [&] { return text(explained, output_room().width); });
    outputs.report([&] {
        Page page{.title = title_of(explained)};
        add_explanation(page, explained);
        return page;
    });
    if (!explained.ended_by_fault.empty()) throw FaultError(explained.ended_by_fault);
    return 0;
}

int ExplainCommand::execute()
{
    check();
    request_.workload = workload_.text("explain");
    Outputs outputs(files_, command_line);
    if (!request_.workload.empty()) {
        return write(explain_load(request_, slowest_, experiment_), &load_json, &load_csv, &load_text, outputs);
    }
    const auto configuration = configuration_of(request_);
    const auto& kind = platforms::machine_kind(configuration);
    Explanation explanation;
    explanation.request = request_;
    explanation.bytes = static_cast<std::uint32_t>(bytes_);
    if (carries_messages(kind)) {
        explain_message(kind, configuration, explanation);
    } else {
        explain_packet(kind, configuration, explanation);
    }
    return write(explanation, &explain_json, &explain_csv, &explain_text, outputs);
}

std::unique_ptr<Command> make_explain() { return std::make_unique<ExplainCommand>(); }

}  // namespace ringmesh::lab
