// SPDX-License-Identifier: Apache-2.0
#include "lab/explain/critical_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

/// Stages of one leg by the time of their end.
class Stages {
public:
    Stages(std::span<const RecordedStage> stages, Leg leg) : stages_(stages)
    {
        for (std::size_t i = 0; i < stages.size(); ++i) {
            if (stages[i].stage.leg != leg) continue;
            of_transaction_[stages[i].stage.transaction].push_back(i);
            at_block_[stages[i].where].push_back(i);
        }
        const auto sort_by_end = [this](auto& lists) {
            for (auto& [key, list] : lists) {
                std::stable_sort(list.begin(), list.end(), [this](std::size_t a, std::size_t b) {
                    return stages_[a].stage.to < stages_[b].stage.to;
                });
            }
        };
        sort_by_end(of_transaction_);
        sort_by_end(at_block_);
    }

    /// The predecessor of this stage; empty for the first.
    std::optional<std::size_t> before(std::size_t index) const
    {
        const RecordedStage& stage = stages_[index];
        auto found = latest(of_transaction_, stage.stage.transaction, index);
        if (stage.stage.transaction == 0) return later(found, latest(at_block_, stage.where, index));
        if (!found) found = latest(of_transaction_, std::uint64_t{0}, index);
        return found;
    }

private:
    /// Of one list, the stage that ended last among those reported before this one and ended by its begin.
    template <class Key>
    std::optional<std::size_t> latest(const std::map<Key, std::vector<std::size_t>>& lists, const Key& key,
                                      std::size_t index) const
    {
        const auto list = lists.find(key);
        if (list == lists.end()) return std::nullopt;
        const Duration begin = stages_[index].stage.from;
        auto after = std::upper_bound(list->second.begin(), list->second.end(), begin,
                                      [this](Duration time, std::size_t i) { return time < stages_[i].stage.to; });
        while (after != list->second.begin()) {
            --after;
            if (*after < index) return *after;
        }
        return std::nullopt;
    }
    std::optional<std::size_t> later(std::optional<std::size_t> a, std::optional<std::size_t> b) const
    {
        if (!a || !b) return a ? a : b;
        return std::pair(stages_[*a].stage.to, *a) < std::pair(stages_[*b].stage.to, *b) ? b : a;
    }

    std::span<const RecordedStage> stages_;
    std::map<std::uint64_t, std::vector<std::size_t>> of_transaction_;
    std::map<std::string, std::vector<std::size_t>> at_block_;
};

PathPart part_of(const RecordedStage& recorded)
{
    const Stage& stage = recorded.stage;
    if (stage.to < stage.from) {
        throw ModelError(fmt::format("{}: the stage '{}' ends before it begins", recorded.where, stage.what));
    }
    return {recorded.where, std::string(stage.what), stage.transaction, stage.kind, false, stage.from, stage.to};
}

/// The waiting time of the next part's block.
PathPart waiting_before(const PathPart& next, Duration from)
{
    return {next.where, "waits", next.transaction, StageKind::kWork, true, from, next.from};
}

/// "node0.pci", or "node0.*" if several blocks of a node take part.
std::string place_of(std::span<const PathPart> parts)
{
    const std::string& first = parts.front().where;
    const bool one =
        std::all_of(parts.begin(), parts.end(), [&first](const auto& part) { return part.where == first; });
    return one ? first : first.substr(0, first.find_last_of('.') + 1) + '*';
}

/// "16 x PCI write, 3 x PCI retry", in order of first appearance.
std::string counted(std::span<const PathPart> parts)
{
    std::vector<std::pair<std::string_view, std::size_t>> counts;
    for (const PathPart& part : parts) {
        if (part.waiting) continue;
        const auto known =
            std::find_if(counts.begin(), counts.end(), [&part](const auto& count) { return count.first == part.what; });
        if (known == counts.end()) {
            counts.emplace_back(part.what, 1);
        } else {
            ++known->second;
        }
    }
    std::string text;
    for (const auto& [what, count] : counts) text += fmt::format("{}{} x {}", text.empty() ? "" : ", ", count, what);
    return text;
}

/// The number of leading parts that form one repetition: up to the last one that repeats the first one's work.
std::size_t repetition(std::span<const PathPart> parts)
{
    const PathPart& first = parts.front();
    std::size_t length = 1;
    if (first.waiting || first.transaction != 0) return length;
    for (std::size_t i = 1; i < parts.size() && parts[i].transaction == 0; ++i) {
        if (!parts[i].waiting && parts[i].where == first.where && parts[i].what == first.what) length = i + 1;
    }
    return length;
}

FoldedPart folded(std::span<const PathPart> parts)
{
    FoldedPart result{parts.front(), {}};
    result.part.to = parts.back().to;
    if (parts.size() > 1) {
        result.part.where = place_of(parts);
        result.part.what = counted(parts);
    }
    for (const PathPart& part : parts) {
        if (part.waiting) result.waiting += part.span();
    }
    return result;
}

}  // namespace

std::vector<PathPart> critical_path(std::span<const RecordedStage> stages, std::size_t last, Duration begin)
{
    const Stages by_end(stages, stages[last].stage.leg);
    std::vector<PathPart> path{part_of(stages[last])};
    for (auto index = by_end.before(last); index && stages[*index].stage.from >= begin; index = by_end.before(*index)) {
        PathPart part = part_of(stages[*index]);
        if (part.to < path.back().from) path.push_back(waiting_before(path.back(), part.to));
        path.push_back(std::move(part));
    }
    if (begin < path.back().from) path.push_back(waiting_before(path.back(), begin));
    std::erase_if(path, [](const PathPart& part) { return part.span() == Duration::zero(); });
    std::reverse(path.begin(), path.end());
    return path;
}

std::vector<FoldedPart> fold(std::span<const PathPart> path)
{
    std::vector<FoldedPart> all;
    while (!path.empty()) {
        const std::size_t length = repetition(path);
        all.push_back(folded(path.first(length)));
        path = path.subspan(length);
    }
    return all;
}

}  // namespace ringmesh::lab
