// SPDX-License-Identifier: Apache-2.0
#include "lab/explain/report.h"
#include "lab/report/parts.h"
#include "lab/table/listing.h"

/// Messages and packets from begin to end.
namespace ringmesh::lab {
namespace {

void add_waterfall(Page& page, const std::string& title, const std::vector<Way>& ways, Duration zero,
                   const std::vector<std::string>& notes)
{
    page.question.emplace_back("message", title);
    const std::string id = page.add("parts", title + ", part by part", legs_table(ways, zero));
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
