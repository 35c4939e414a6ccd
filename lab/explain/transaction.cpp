// SPDX-License-Identifier: Apache-2.0
#include "lab/explain/transaction.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

bool is_cable(const PathPart& part) { return part.kind == StageKind::kPropagation; }

LatencyComponent between_cables(std::span<const PathPart> parts)
{
    const bool passed = std::all_of(parts.begin(), parts.end(), [](const PathPart& part) {
        return part.waiting || part.kind == StageKind::kForwarding;
    });
    return passed ? LatencyComponent::kForwarding : LatencyComponent::kSwitching;
}

/// The stage of this leg that was reported last and ends at that time. @return its index
template <class Belongs>
std::size_t last_stage(std::span<const RecordedStage> stages, const Belongs& belongs, std::string_view of_what)
{
    for (std::size_t i = stages.size(); i-- > 0;) {
        if (belongs(stages[i].stage)) return i;
    }
    throw ModelError(fmt::format("explain: no stage ends with {}", of_what));
}

void require_sum(const LegSteps& leg, std::string_view name)
{
    Duration sum;
    for (const Step& step : leg.steps) {
        for (const PathPart& part : step.parts) sum += part.span();
    }
    if (sum == leg.span() && leg.steps.front().from() == leg.from && leg.steps.back().to() == leg.to) return;
    throw ModelError(fmt::format("explain: the stages of the {} add up to {} ps, but it took {} ps", name, sum.ps(),
                                 leg.span().ps()));
}

/// The packet that the program's last stages waited for.
std::uint64_t last_packet(std::span<const PathPart> path)
{
    const auto part = std::find_if(path.rbegin(), path.rend(), [](const auto& each) { return each.transaction != 0; });
    if (part == path.rend()) throw ModelError("explain: the message came without a packet");
    return part->transaction;
}

}  // namespace

Duration LegSteps::sum(LatencyComponent component) const
{
    Duration sum;
    for (const Step& step : steps) {
        if (step.component == component) sum += step.span();
    }
    return sum;
}

Duration LegSteps::waiting() const
{
    Duration sum;
    for (const Step& step : steps) {
        for (const PathPart& part : step.parts) {
            if (part.waiting) sum += part.span();
        }
    }
    return sum;
}

std::size_t LegSteps::steps_of(LatencyComponent component) const
{
    return static_cast<std::size_t>(std::count_if(
        steps.begin(), steps.end(), [component](const Step& step) { return step.component == component; }));
}

std::vector<Step> steps_of(std::span<const PathPart> path, int first)
{
    for (std::size_t i = 1; i < path.size(); ++i) {
        if (path[i].from != path[i - 1].to) {
            throw ModelError(fmt::format("explain: {} of {} does not begin when {} of {} ends", path[i].what,
                                         path[i].where, path[i - 1].what, path[i - 1].where));
        }
    }
    std::vector<Step> steps;
    const auto add = [&steps, first](LatencyComponent component, std::span<const PathPart> parts) {
        if (parts.empty()) return;
        steps.push_back({first + static_cast<int>(steps.size()), component, {parts.begin(), parts.end()}});
    };
    const auto cable_after = [path](std::size_t begin) {
        return static_cast<std::size_t>(
            std::find_if(path.begin() + static_cast<std::ptrdiff_t>(begin), path.end(), &is_cable) - path.begin());
    };
    std::size_t cable = cable_after(0);
    if (cable == path.size()) throw ModelError("explain: the path crosses no cable");
    add(LatencyComponent::kOverhead, path.first(cable));
    for (;;) {
        add(LatencyComponent::kPropagation, path.subspan(cable, 1));
        const std::size_t next = cable_after(cable + 1);
        const auto parts = path.subspan(cable + 1, next - cable - 1);
        if (next == path.size()) {
            add(LatencyComponent::kOverhead, parts);
            return steps;
        }
        add(between_cables(parts), parts);
        cable = next;
    }
}

Transaction explain(std::span<const RecordedStage> stages, Duration begun, Duration received)
{
    Transaction all;
    const auto arrival = last_stage(
        stages, [received](const Stage& s) { return s.leg == Leg::kRequest && s.transaction == 0 && s.to == received; },
        "the message in the receiver's program");
    const auto request = critical_path(stages, arrival, begun);
    all.request = {last_packet(request), begun, received, steps_of(request, 1)};
    require_sum(all.request, "request");

    const auto answer = [packet = all.request.packet](const Stage& s) {
        return s.leg == Leg::kResponse && s.transaction == packet;
    };
    const auto last = last_stage(stages, answer, "the response in the stream buffer");
    const auto first = std::find_if(stages.begin(), stages.end(), [&](const auto& each) { return answer(each.stage); });
    const auto response = critical_path(stages, last, first->stage.from);
    all.response = {all.request.packet, first->stage.from, stages[last].stage.to,
                    steps_of(response, all.request.steps.back().number + 1)};
    require_sum(all.response, "response");
    return all;
}

}  // namespace ringmesh::lab
