// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "analytic/deck.h"
#include "lab/validation/deck_parts.h"
#include "tlm/error.h"
#include "workloads/deck/steps.h"

/// DECK's protocols 2 and 3 stage by stage, and which of the contradicting published figures they support.
namespace ringmesh::lab::deck {
namespace {

using workloads::deck::kStepNames;
using workloads::deck::Step;

constexpr std::int64_t kSize = 64;
/// Half-way round the ring of four: the average of the ping-pong's one hop there and three back.
constexpr int kReceiver = 2;

/// Period after which the places in the rings map to the same stream buffers again.
constexpr int kRound = 8;

/// @param before exchanges
std::string name_of(int protocol, int before) { return fmt::format("deck protocol {} stages {}", protocol, before); }

/// A row of the workload's.
struct Stage {
    std::string step;
    bool at_sender;
    double us;
    double end_us;

    bool is(Step other) const { return step == kStepNames.name(other); }
};

std::vector<Stage> stages_of(const Experiments& experiments, int protocol, int before)
{
    const Outcome& outcome = experiments.outcome(name_of(protocol, before));
    const auto ranks = column(outcome, "rank");
    const auto ends = column(outcome, "end_ns");
    const auto durations = column(outcome, "duration_ns");
    std::vector<Stage> stages;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        stages.push_back({std::get<std::string>(outcome.results.rows.at(i).at(0)), ranks[i] != kReceiver,
                          durations.at(i) / 1e3, ends.at(i) / 1e3});
    }
    if (stages.empty()) throw ModelError("deck-stages reported no step of protocol " + std::to_string(protocol));
    return stages;
}

std::string place(const Stage& stage)
{
    if (stage.is(Step::kArrived)) return stage.at_sender ? "to the sender" : "to the receiver";
    return stage.at_sender ? "sender" : "receiver";
}

Report::Table table_of(int protocol, const std::vector<Stage>& stages, std::vector<std::string> notes)
{
    TextTable table({{"step"}, {"at"}, {"time", Align::kRight, "us"}, {"in all", Align::kRight, "us"}});
    for (const Stage& stage : stages) {
        table.row({stage.step, place(stage), fmt::format("{:.3f}", stage.us), fmt::format("{:.3f}", stage.end_us)});
    }
    return {fmt::format("Protocol {}, {} B, stage by stage", protocol, kSize), std::move(table), std::move(notes)};
}

/// Until protocol 3 has its reply: two control messages, without the sender's call.
double control_messages_us(const std::vector<Stage>& protocol_3)
{
    double sum = 0;
    for (const Stage& stage : protocol_3) {
        if (stage.is(Step::kDataStored)) break;
        if (!stage.is(Step::kCall)) sum += stage.us;
    }
    return sum;
}

/// Of the ping-pong over all sizes.
double smallest_us(const Experiments& experiments, int protocol)
{
    const Outcome& outcome = experiments.outcome(fmt::format("deck protocol {} latency", protocol));
    return column(outcome, "latency_avg_ns").at(0) / 1e3;
}

double barrier_us(const std::vector<Stage>& stages)
{
    const auto found = std::find_if(stages.begin(), stages.end(), [](auto& stage) { return stage.is(Step::kSettled); });
    return found == stages.end() ? 0 : found->us;
}

std::vector<std::string> notes_on_protocol_2(const Experiments& experiments, const std::vector<Stage>& shown)
{
    int held_up = 0;
    double longest = 0;
    double sum = 0;
    for (int before = 1; before <= kRound; ++before) {
        const auto stages = stages_of(experiments, 2, before);
        sum += stages.back().end_us;
        longest = std::max(longest, barrier_us(stages));
        if (barrier_us(stages) > 1.1 * barrier_us(shown)) ++held_up;
    }
    std::vector<std::string> notes{
        "To the node half-way round, as far as there and back on average. With its header the message has two "
        "blocks;",
        fmt::format("the smallest, of one block, takes {:.2f} us in the ping-pong, and {:.2f} us were published.",
                    smallest_us(experiments, 2), published("deck.protocol2_min_latency"))};
    if (held_up == 0) return notes;
    notes.push_back(
        fmt::format("In {} of {} messages in a row the barrier takes longer, up to {:.2f} us; the average of all is "
                    "{:.2f} us.",
                    held_up, kRound, longest, sum / kRound));
    notes.emplace_back(
        "Their data meets a stream buffer that still waits for the response to the read position written back.");
    return notes;
}

std::vector<std::string> notes_on_protocol_3(const Experiments& experiments, const std::vector<Stage>& stages)
{
    const double simulated = stages.back().end_us;
    const double two = published("deck.protocol2_min_latency");
    const double three = published("deck.protocol3_min_latency");
    const double peak_3 = published("deck.protocol3_peak_bandwidth");
    const double crossing = published("deck.protocol2_3_crossover");
    const double short_message = published("deck.protocol1_latency");
    const analytic::TimeLine line_2{two, published("deck.protocol2_peak_bandwidth")};
    const double needed = analytic::latency_for_crossing(line_2, peak_3, crossing);
    const double each = (three - two) / 2;
    const double simulated_each = control_messages_us(stages) / 2;
    const auto found =
        crossover(experiments.outcome("deck protocol 2 latency"), experiments.outcome("deck protocol 3 latency"));
    const std::string found_text = found ? fmt::format("{:.0f} B", *found) : std::string("none");
    const bool supports_crossing = std::abs(simulated - needed) < std::abs(simulated - three);
    return {
        fmt::format("Published {:.2f} us, here {:.2f} us.", three, simulated),
        fmt::format(
            "The published figures exclude each other: with {:.2f} us, {:.2f} us and the peaks the lines cross at "
            "{:.0f} B;",
            two, three, analytic::crossing_bytes(line_2, {three, peak_3})),
        fmt::format("to cross at {:.0f} B protocol 3 needs {:.2f} us.", crossing, needed),
        fmt::format("Protocol 3 has two control messages one way more than protocol 2; {:.2f} - {:.2f} = {:.2f} us "
                    "leaves {:.2f} us for each.",
                    three, two, three - two, each),
        fmt::format("That is {:.0f} % of the {:.2f} us measured for protocol 1, and {:.0f} % of the {:.2f} us of each "
                    "here, without a call.",
                    100 * each / short_message, short_message, 100 * each / simulated_each, simulated_each),
        supports_crossing ? fmt::format("It supports protocol 2's {:.2f} us (here {:.2f} in one block) and the "
                                        "crossover (here {}), not {:.2f} us.",
                                        two, smallest_us(experiments, 2), found_text, three)
                          : fmt::format("The sequence supports {:.2f} us, not the published crossover (here {}).",
                                        three, found_text)};
}

}  // namespace

void plan_stages(Experiments& experiments)
{
    const auto plan = [&experiments](int protocol, int before) {
        ExperimentRequest stages = request("deck-stages");
        stages.workload = fmt::format("deck-stages:size={},warm_up={},from=0,to={}", kSize, before, kReceiver);
        experiments.plan(name_of(protocol, before), over(fmt::format("deck:protocol={}", protocol), std::move(stages)));
    };
    for (int before = 1; before <= kRound; ++before) plan(2, before);
    plan(3, 1);
}

std::vector<Report::Table> stages(const Experiments& experiments)
{
    const auto two = stages_of(experiments, 2, 1);
    const auto three = stages_of(experiments, 3, 1);
    return {table_of(2, two, notes_on_protocol_2(experiments, two)),
            table_of(3, three, notes_on_protocol_3(experiments, three))};
}

}  // namespace ringmesh::lab::deck
