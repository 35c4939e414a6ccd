// SPDX-License-Identifier: Apache-2.0
#include "lab/explain/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

/// The last one of the stages to which something applies.
template <class Belongs>
std::size_t last_stage(std::span<const RecordedStage> stages, const Belongs& belongs, std::string_view of_what)
{
    for (std::size_t i = stages.size(); i-- > 0;) {
        if (stages[i].stage.kind != StageKind::kWaiting && belongs(stages[i])) return i;
    }
    throw ModelError(fmt::format("explain: no stage ends with {}", of_what));
}

std::vector<Step> steps_of(std::span<const PathPart> path, int first, bool is_sci)
{
    return is_sci ? sci_steps(path, first) : steps_by_unit(path, first);
}

Way checked(Way way, std::span<const PathPart> path, int first, bool is_sci)
{
    require_sum(path, way.from, way.to);
    way.steps = steps_of(path, first, is_sci);
    require_sum(way.parts(), way.from, way.to);
    return way;
}

/// The packet that came last, over a cable if there are any; 0: none.
std::uint64_t last_packet(std::span<const PathPart> path)
{
    auto part =
        std::find_if(path.rbegin(), path.rend(), [](const auto& each) { return each.kind == StageKind::kPropagation; });
    if (part == path.rend()) {
        part = std::find_if(path.rbegin(), path.rend(), [](const auto& each) { return each.packet != 0; });
    }
    return part == path.rend() ? 0 : part->packet;
}

}  // namespace

std::vector<Way> ways_of_message(std::span<const RecordedStage> stages, Duration begun, Duration received,
                                 std::string_view receiver, const Programs& programs, bool is_sci)
{
    const auto arrival = last_stage(
        stages, [&](const RecordedStage& each) { return each.where == receiver && each.stage.to == received; },
        "the message in the receiver's program");
    const auto path = critical_path(stages, arrival, begun, programs);
    const std::uint64_t packet = last_packet(path);
    if (packet == 0) throw ModelError("explain: the message came without a packet");
    std::vector<Way> ways{checked({is_sci ? "request" : "message", packet, begun, received, {}}, path, 1, is_sci)};
    if (!is_sci) return ways;

    const auto answer = [packet](const RecordedStage& each) {
        return each.stage.leg == Leg::kResponse && each.stage.transaction == packet;
    };
    const auto last = last_stage(stages, answer, "the response in the stream buffer");
    const auto first = std::find_if(stages.begin(), stages.end(), answer);
    const Duration from = first->stage.from;
    const auto response = critical_path(stages, last, from);
    ways.push_back(checked({"response", packet, from, stages[last].stage.to, {}}, response,
                           ways[0].steps.back().number + 1, is_sci));
    return ways;
}

Way way_of_packet(std::span<const RecordedStage> stages, std::uint64_t packet, Leg leg, bool is_sci)
{
    std::vector<RecordedStage> own;
    std::copy_if(stages.begin(), stages.end(), std::back_inserter(own), [packet, leg](const RecordedStage& each) {
        return each.stage.transaction == packet && each.stage.leg == leg;
    });
    if (own.empty()) throw ModelError(fmt::format("explain: packet {} has no stage", packet));
    const auto ends_before = [](const auto& a, const auto& b) { return a.stage.to < b.stage.to; };
    const auto begins_before = [](const auto& a, const auto& b) { return a.stage.from < b.stage.from; };
    const Duration from = std::min_element(own.begin(), own.end(), begins_before)->stage.from;
    // The last one of those that end last
    const auto last = std::max_element(own.rbegin(), own.rend(), ends_before);
    const auto index = static_cast<std::size_t>(own.rend() - last) - 1;
    const auto path = critical_path(own, index, from);
    const bool crosses_cables = std::any_of(path.begin(), path.end(),
                                            [](const PathPart& part) { return part.kind == StageKind::kPropagation; });
    const std::string name = leg == Leg::kRequest ? "request" : "response";
    return checked({name, packet, from, own[index].stage.to, {}}, path, 1, is_sci && crosses_cables);
}

std::vector<std::string> notes_of_strikes(const std::vector<RecordedStrike>& strikes, Duration zero)
{
    constexpr std::size_t kMost = 20;
    std::vector<std::string> notes;
    for (const RecordedStrike& strike : strikes) {
        if (notes.size() == kMost) {
            notes.push_back(fmt::format("{} more strikes are not shown", strikes.size() - kMost));
            break;
        }
        notes.push_back(fmt::format("struck by a fault: {} of {}, {} of packet {}, {:.3f} ns", strike.what,
                                    strike.where, strike.leg == Leg::kRequest ? "request" : "response", strike.packet,
                                    (strike.at - zero).ns()));
    }
    return notes;
}

void note_strikes(const std::vector<RecordedStrike>& strikes, Explanation& explanation)
{
    std::set<std::uint64_t> packets;
    for (const Way& way : explanation.ways) {
        packets.insert(way.packet);
        for (const PathPart& part : way.parts()) packets.insert(part.packet);
    }
    std::vector<RecordedStrike> found;
    std::copy_if(strikes.begin(), strikes.end(), std::back_inserter(found),
                 [&packets](const RecordedStrike& each) { return packets.contains(each.packet); });
    for (std::string& note : notes_of_strikes(found, explanation.zero())) explanation.notes.push_back(std::move(note));
}

std::vector<std::string> notes_of(std::span<const RecordedStage> stages, const std::vector<Way>& ways, bool is_sci)
{
    std::vector<std::string> notes;
    if (is_sci) {
        notes = {
            "request: from the sender's call into the library until the receiver's program has the message",
            "response: from the write over the responder's PCI bus to the free stream buffer of the requester",
            fmt::format("the response begins {:.3f} ns {} the request ends; no program waits for it",
                        std::abs((ways[0].to - ways[1].from).ns()), ways[1].from > ways[0].to ? "after" : "before"),
            "echoes travel beside requests and responses; none is on the path"};
    } else {
        notes = {"message: from the sender's call into the library until the receiver's program has the message"};
    }
    std::set<std::uint64_t> all;
    for (const auto& [where, stage] : stages) {
        if (stage.transaction != 0 && stage.from >= ways[0].from) all.insert(stage.transaction);
    }
    std::set<std::uint64_t> on_path;
    for (const PathPart& part : ways[0].parts()) {
        if (part.packet != 0) on_path.insert(part.packet);
    }
    if (all.size() > on_path.size() || all.size() > 1) {
        notes.push_back(fmt::format("the path runs over {} of {} packets; packet {} came last", on_path.size(),
                                    all.size(), ways[0].packet));
    }
    return notes;
}

}  // namespace ringmesh::lab
