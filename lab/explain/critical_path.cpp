// SPDX-License-Identifier: Apache-2.0
#include "lab/explain/critical_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

/// Stages by packet and by block, in the order of their end.
class Stages {
public:
    Stages(std::span<const RecordedStage> stages, const Programs& programs) : stages_(stages), programs_(programs)
    {
        for (std::size_t i = 0; i < stages.size(); ++i) {
            const Stage& stage = stages[i].stage;
            if (stage.transaction != 0) of_packet_[stage.transaction].push_back(i);
            if (stage.kind != StageKind::kWaiting) at_block_[stages[i].where].push_back(i);
        }
        const auto sort_by_end = [this](auto& lists) {
            for (auto& [key, list] : lists) {
                std::stable_sort(list.begin(), list.end(), [this](std::size_t a, std::size_t b) {
                    return stages_[a].stage.to < stages_[b].stage.to;
                });
            }
        };
        sort_by_end(of_packet_);
        sort_by_end(at_block_);
    }

    /// The predecessor of this stage; empty for the first.
    std::optional<std::size_t> before(std::size_t index) const
    {
        const auto& [where, stage] = stages_[index];
        std::optional<std::size_t> found;
        if (stage.transaction != 0) found = latest(of_packet_, stage.transaction, index, stage.leg);
        const bool waits = stage.kind == StageKind::kWaiting;
        if (stage.other != 0 && !waits) found = later(found, latest(of_packet_, stage.other, index, Leg::kResponse));
        if (!found || (!waits && programs_.contains(where))) {
            found = later(found, latest(at_block_, where, index, Leg::kResponse));
        }
        return found;
    }

private:
    /// Of one list, the stage that ended last among those reported before this one and ended by its begin.
    /// @param leg a request does not follow from a response
    template <class Key>
    std::optional<std::size_t> latest(const std::unordered_map<Key, std::vector<std::size_t>>& lists, const Key& key,
                                      std::size_t index, Leg leg) const
    {
        const auto list = lists.find(key);
        if (list == lists.end()) return std::nullopt;
        const Stage& stage = stages_[index].stage;
        const Duration begin = stage.kind == StageKind::kWaiting ? stage.to : stage.from;
        auto after = std::upper_bound(list->second.begin(), list->second.end(), begin,
                                      [this](Duration time, std::size_t i) { return time < stages_[i].stage.to; });
        while (after != list->second.begin()) {
            --after;
            if (*after < index && (leg == Leg::kResponse || stages_[*after].stage.leg == Leg::kRequest)) return *after;
        }
        return std::nullopt;
    }
    std::optional<std::size_t> later(std::optional<std::size_t> a, std::optional<std::size_t> b) const
    {
        if (!a || !b) return a ? a : b;
        return std::pair(stages_[*a].stage.to, *a) < std::pair(stages_[*b].stage.to, *b) ? b : a;
    }

    std::span<const RecordedStage> stages_;
    const Programs& programs_;
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> of_packet_;
    std::unordered_map<std::string_view, std::vector<std::size_t>> at_block_;
};

PathPart part_of(const RecordedStage& recorded)
{
    const auto& [where, stage] = recorded;
    if (stage.to < stage.from) {
        throw ModelError(fmt::format("{}: the stage '{}' ends before it begins", where, stage.what));
    }
    const bool waits = stage.kind == StageKind::kWaiting;
    return {.where = std::string(where),
            .what = std::string(stage.what),
            .packet = stage.transaction,
            .leg = stage.leg,
            .kind = stage.kind,
            .waiting = waits,
            .from = stage.from,
            .to = stage.to,
            .behind = waits ? stage.other : 0};
}

/// The waiting time of the next part's block.
PathPart waiting_before(const PathPart& next, Duration from)
{
    return {.where = next.where,
            .what = std::string(kWaits),
            .packet = next.packet,
            .leg = next.leg,
            .kind = StageKind::kWaiting,
            .waiting = true,
            .from = from,
            .to = next.from};
}

}  // namespace

std::vector<PathPart> critical_path(std::span<const RecordedStage> stages, std::size_t last, Duration begin,
                                    const Programs& programs)
{
    const Stages by_end(stages, programs);
    std::vector<PathPart> path{part_of(stages[last])};
    for (auto index = by_end.before(last); index && stages[*index].stage.from >= begin; index = by_end.before(*index)) {
        PathPart part = part_of(stages[*index]);
        // What the packet's other bytes do meanwhile is no waiting
        if (path.back().waiting) path.back().from = std::max(path.back().from, part.to);
        if (part.to < path.back().from) path.push_back(waiting_before(path.back(), part.to));
        path.push_back(std::move(part));
    }
    if (begin < path.back().from) path.push_back(waiting_before(path.back(), begin));
    std::erase_if(path, [](const PathPart& part) { return part.span() == Duration::zero(); });
    std::reverse(path.begin(), path.end());
    return path;
}

Duration waiting_of(std::span<const PathPart> parts)
{
    Duration sum;
    for (const PathPart& part : parts) {
        if (part.waiting) sum += part.span();
    }
    return sum;
}

void require_sum(std::span<const PathPart> parts, Duration from, Duration to)
{
    Duration end = from;
    for (const PathPart& part : parts) {
        if (part.from != end) {
            throw ModelError(fmt::format("explain: '{}' of {} begins at {} ps, and what came before ends at {} ps",
                                         part.what, part.where, part.from.ps(), end.ps()));
        }
        end = part.to;
    }
    if (end == to) return;
    throw ModelError(
        fmt::format("explain: the parts add up to {} ps, but it took {} ps", (end - from).ps(), (to - from).ps()));
}

}  // namespace ringmesh::lab
