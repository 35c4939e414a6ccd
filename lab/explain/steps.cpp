// SPDX-License-Identifier: Apache-2.0
#include "lab/explain/steps.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

using Entry = std::pair<std::string_view, std::string_view>;

constexpr std::string_view kOverhead = "o";
constexpr std::string_view kPropagation = "l_p";
constexpr std::string_view kForwarding = "l_f";
constexpr std::string_view kSwitching = "l_s";
constexpr std::string_view kRepair = "r";

constexpr std::array<Entry, 5> kSciTitles{{{kOverhead, "o    overhead"},
                                           {kPropagation, "l_p  propagation"},
                                           {kForwarding, "l_f  forwarding"},
                                           {kSwitching, "l_s  switching"},
                                           {kRepair, "r    lost, and sent again"}}};

/// Units by what they do.
const std::map<std::string_view, std::set<std::string_view>> kUnits{
    {"library", {"computing"}},
    {"core", {"issue", "instructions", "CL1INVMB", "load", "flush", "write-back", "acknowledge"}},
    {"poll", {"look", "until the poll looks"}},
    {"MPB", {"MPB"}},
    {"registers", {"registers"}},
    {"router",
     {"into the mesh", "router", "routing", "VC allocation", "VC and switch allocation", "switch allocation",
      "switch traversal"}},
    {"link", {"link", "rest of the packet"}},
    {"call", {"call, route", "call, allocate", "call, match", "return", "release", "start the request"}},
    {"copy", {"copy, route", "deliver, copy"}},
    {"channel", {"data", "control"}},
    {"source", {"born"}},
    {"memory", {"memory"}}};

/// Units by the ends of their blocks' names.
constexpr std::array<Entry, 2> kBlocks{{{".miu", "MIU"}, {".source", "source"}}};
constexpr std::string_view kHandlers = ".handlers";
constexpr std::string_view kLibrary = "library";  // "library call", "library flag write"

std::string_view unit_of(const PathPart& part)
{
    if (part.where.ends_with(kHandlers)) return "handler";
    if (part.what.starts_with(kLibrary)) return kLibrary;
    for (const auto& [unit, words] : kUnits) {
        if (words.contains(part.what)) return unit;
    }
    for (const auto& [end, unit] : kBlocks) {
        if (part.where.ends_with(end)) return unit;
    }
    if (part.where.find(".mc") != std::string::npos) return "memory";
    return std::string_view(part.where).substr(part.where.find_last_of('.') + 1);
}

/// What becomes of a packet on SCI that a fault took, until it is sent again.
bool is_repair(const PathPart& part)
{
    return part.what == "lost on the cable" || part.what == "CRC error" || part.what == "echo time-out";
}

bool is_cable(const PathPart& part) { return part.kind == StageKind::kPropagation; }

/// Of the parts between two cables, from the first up to the second.
std::string_view between_cables(std::span<const PathPart> parts, const PathPart& before, const PathPart& after)
{
    if (before.packet != after.packet || before.leg != after.leg) return kOverhead;
    const bool passed = std::all_of(parts.begin(), parts.end(), [](const PathPart& part) {
        return part.waiting || part.kind == StageKind::kForwarding;
    });
    return passed ? kForwarding : kSwitching;
}

}  // namespace

Duration Way::sum(std::string_view group) const
{
    Duration sum;
    for (const Step& step : steps) {
        if (step.group == group) sum += step.span();
    }
    return sum;
}

Duration Way::waiting() const
{
    Duration sum;
    for (const Step& step : steps) sum += waiting_of(step.parts);
    return sum;
}

std::size_t Way::steps_of(std::string_view group) const
{
    return static_cast<std::size_t>(
        std::count_if(steps.begin(), steps.end(), [group](const Step& step) { return step.group == group; }));
}

std::vector<std::string> Way::groups() const
{
    std::vector<std::string> all;
    for (const Step& step : steps) {
        if (std::find(all.begin(), all.end(), step.group) == all.end()) all.push_back(step.group);
    }
    return all;
}

std::vector<PathPart> Way::parts() const
{
    std::vector<PathPart> all;
    for (const Step& step : steps) all.insert(all.end(), step.parts.begin(), step.parts.end());
    return all;
}

std::vector<Step> sci_steps(std::span<const PathPart> path, int first)
{
    std::vector<Step> steps;
    const auto add = [&steps, first](std::string_view group, std::span<const PathPart> parts) {
        if (parts.empty()) return;
        steps.push_back({first + static_cast<int>(steps.size()), std::string(group), {parts.begin(), parts.end()}});
    };
    const auto cable_after = [path](std::size_t begin) {
        return static_cast<std::size_t>(
            std::find_if(path.begin() + static_cast<std::ptrdiff_t>(begin), path.end(), &is_cable) - path.begin());
    };
    // Up to where the packet is lost, and what follows
    const auto add_in_two = [&add](const auto& group_of, std::span<const PathPart> parts) {
        const auto lost = std::find_if(parts.begin(), parts.end(), &is_repair);
        const auto before = static_cast<std::size_t>(lost - parts.begin());
        if (before > 0) add(group_of(parts.first(before)), parts.first(before));
        add(kRepair, parts.subspan(before));
    };
    const auto overhead = [](std::span<const PathPart>) { return kOverhead; };
    std::size_t cable = cable_after(0);
    if (cable == path.size()) throw ModelError("explain: the path crosses no cable");
    add_in_two(overhead, path.first(cable));
    for (;;) {
        add(kPropagation, path.subspan(cable, 1));
        const std::size_t next = cable_after(cable + 1);
        const auto parts = path.subspan(cable + 1, next - cable - 1);
        if (next == path.size()) {
            add_in_two(overhead, parts);
            return steps;
        }
        add_in_two([&](const auto& before) { return between_cables(before, path[cable], path[next]); }, parts);
        cable = next;
    }
}

std::vector<Step> steps_by_unit(std::span<const PathPart> path, int first)
{
    std::vector<Step> steps;
    std::vector<PathPart> waits;  // they belong to the unit that works next, unless they say of which they are
    const auto add = [&](std::string_view unit, const PathPart& part) {
        if (steps.empty() || steps.back().group != unit) {
            steps.push_back({first + static_cast<int>(steps.size()), std::string(unit), {}});
        }
        auto& parts = steps.back().parts;
        parts.insert(parts.end(), std::make_move_iterator(waits.begin()), std::make_move_iterator(waits.end()));
        waits.clear();
        parts.push_back(part);
    };
    for (const PathPart& part : path) {
        if (part.waiting) {
            waits.push_back(part);
        } else {
            add(unit_of(part), part);
        }
    }
    if (!waits.empty()) {
        const PathPart last = std::move(waits.back());
        waits.pop_back();
        add(unit_of(last), last);
    }
    return steps;
}

std::string title_of_group(std::string_view group)
{
    const auto* const sci = std::find_if(kSciTitles.begin(), kSciTitles.end(),
                                         [group](const Entry& entry) { return entry.first == group; });
    return std::string(sci == kSciTitles.end() ? group : sci->second);
}

std::string short_title_of_group(std::string_view group)
{
    const std::string title = title_of_group(group);
    const std::size_t gap = title.rfind("  ");
    return gap == std::string::npos ? title : title.substr(gap + 2);
}

}  // namespace ringmesh::lab
