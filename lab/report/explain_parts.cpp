// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "lab/explain/report.h"
#include "lab/report/parts.h"
#include "lab/table/listing.h"

/// Messages and packets from begin to end.
namespace ringmesh::lab {
namespace {

using workloads::Cell;
using workloads::Results;

/// Every part of all ways, in times from `zero` on.
Results parts_table(const std::vector<Way>& ways, Duration zero)
{
    Results table;
    table.columns = {{"leg", ""},       {"packet", ""},  {"group", ""},         {"where", ""},   {"what", ""},
                     {"from_ns", "ns"}, {"to_ns", "ns"}, {"duration_ns", "ns"}, {"waiting", ""}, {"behind", ""}};
    const auto number = [](std::uint64_t packet) { return static_cast<std::int64_t>(packet); };
    for (const Way& way : ways) {
        const auto has_name = [&way](const Way& other) { return other.name == way.name; };
        const bool unique = std::count_if(ways.begin(), ways.end(), has_name) == 1;  // not the slowest of a run
        const std::string name = unique ? way.name : fmt::format("packet {}, {}", way.packet, way.name);
        for (const Step& step : way.steps) {
            for (const PathPart& part : step.parts) {
                table.rows.push_back({name, number(part.packet),
                                      step.group.empty() ? Cell(std::monostate()) : Cell(step.group), part.where,
                                      part.what, (part.from - zero).ns(), (part.to - zero).ns(), part.span().ns(),
                                      std::string(part.waiting ? "waiting" : "working"),
                                      part.behind == 0 ? Cell(std::monostate()) : Cell(number(part.behind))});
            }
        }
    }
    return table;
}

void add_waterfall(Page& page, const std::string& title, const std::vector<Way>& ways, Duration zero,
                   const std::vector<std::string>& notes)
{
    page.question.emplace_back("message", title);
    const std::string id = page.add("parts", title + ", part by part", parts_table(ways, zero));
    page.waterfalls.push_back({.title = title, .table = id, .notes = notes});
}

}  // namespace

void add_explanation(Page& page, const Explanation& explanation)
{
    add_waterfall(page, title_of(explanation), explanation.ways, explanation.zero(), explanation.notes);
    add_machine(page, explanation.request, nullptr);
}

void add_explanation(Page& page, const LoadExplanation& explanation)
{
    add_waterfall(page, title_of(explanation), explanation.ways, Duration::zero(), explanation.notes);
    page.add("waits", "Waits by place", wait_columns().results(waits_by_place(explanation.ways)));
    add_machine(page, explanation.request, nullptr);
}

}  // namespace ringmesh::lab
