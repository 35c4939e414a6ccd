// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "lab/commands.h"
#include "lab/explain/report.h"
#include "lab/output_file.h"
#include "lab/standard_streams.h"
#include "lab/suitable_platforms.h"
#include "platforms/builder.h"
#include "tlm/error.h"
#include "tlm/log.h"
#include "workloads/single_message.h"
#include "workloads/sizes.h"

namespace ringmesh::lab {
namespace {

/// A block may wait for a response: a stream buffer sends its 16-byte requests one at a time.
std::vector<std::string> waits_for_responses(std::span<const RecordedStage> stages, const Transaction& transaction)
{
    std::vector<std::string> notes;
    for (const Step& step : transaction.request.steps) {
        for (const PathPart& part : step.parts) {
            if (!part.waiting || part.transaction == 0) continue;
            const auto cause = std::find_if(stages.begin(), stages.end(), [&part](const RecordedStage& each) {
                return each.stage.leg == Leg::kResponse && each.where == part.where && each.stage.to == part.to;
            });
            if (cause == stages.end()) continue;
            notes.push_back(fmt::format("{} waits {:.3f} ns until the response to packet {} is there", part.where,
                                        part.span().ns(), cause->stage.transaction));
        }
    }
    return notes;
}

std::vector<std::string> notes_of(std::span<const RecordedStage> stages, const Transaction& transaction, bool overtaken)
{
    std::set<std::uint64_t> packets;
    for (const auto& [where, stage] : stages) {
        if (stage.transaction != 0) packets.insert(stage.transaction);
    }
    std::vector<std::string> notes{
        "request: from the sender's call into the library until the receiver's program has the message",
        "response: from the write over the responder's PCI bus to the free stream buffer of the requester",
        fmt::format("the response begins {:.3f} ns before the request ends; no program waits for it",
                    transaction.overlap().ns()),
        "echoes travel beside requests and responses; none is on the path"};
    if (packets.size() > 1) {
        notes.push_back(fmt::format("the message left in {} packets; this is the way of packet {}, which came last",
                                    packets.size(), transaction.request.packet));
    }
    for (auto& note : waits_for_responses(stages, transaction)) notes.push_back(std::move(note));
    if (overtaken) notes.emplace_back("the last word came before other bytes, and the receiver waited for these");
    return notes;
}

}  // namespace

int ExplainCommand::execute()
{
    if (bytes < workloads::kSmallestMessage || bytes > workloads::kLargestMessage) {
        throw UserError(fmt::format("explain: --bytes {}: a message has {} to {} bytes", bytes,
                                    workloads::kSmallestMessage, workloads::kLargestMessage));
    }
    const auto configuration = configuration_of(request);
    const auto& kind = platforms::machine_kind(configuration);
    require_offered("explain", {SciMachine::kIs}, request.platform, kind);
    Explanation explanation{
        .request = request,
        .parameters = checked_parameters(configuration, {NodeKind::kProcessor, workloads::SingleMessage::uses()})};
    ResultOutputs outputs{OutputFile(json), OutputFile(csv)};

    route_kernel_reports_to_log();
    // Not destroyed, as in a run: destroying a big machine takes seconds
    simulation = std::make_unique<Simulation>(request.seed);
    machine = kind.build(configuration, NodeKind::kProcessor, *simulation);
    const auto ranks = workloads::choose_ranks("explain", from, to, machine->nodes());
    message = std::make_unique<workloads::SingleMessage>(machine_as<SciMachine>(*machine, "explain"), ranks,
                                                         static_cast<std::uint32_t>(bytes));
    JourneyRecorder recorder;
    simulation->on_journey(recorder);
    simulation->run();
    simulation->require_drained();
    message->check();

    explanation.from = ranks.from;
    explanation.to = ranks.to;
    explanation.bytes = static_cast<std::uint32_t>(bytes);
    explanation.transaction = explain(recorder.stages(), message->begun(), message->received());
    explanation.notes = notes_of(recorder.stages(), explanation.transaction, message->overtaken());
    outputs.write([&] { return explain_json(explanation); }, [&] { return explain_csv(explanation); },
                  [&] { return explain_text(explanation, output_room().width); });
    return 0;
}

}  // namespace ringmesh::lab
