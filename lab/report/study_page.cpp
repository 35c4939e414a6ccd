// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "lab/report/parts.h"
#include "tlm/error.h"

namespace ringmesh::lab {

Page study_page(const AskedPoints& asked, const Store& store, Findings& findings, const std::string& path,
                bool with_long)
{
    const bool any =
        std::any_of(asked.granted.begin(), asked.granted.end(), [](const auto& one) { return one.done(); });
    if (!any) {
        throw UserError(
            fmt::format("report: none of the points of {} has run; write ringmesh study run {}", path, path));
    }
    const Study& study = findings.study();
    Page page{.title = study.title.empty() ? study.folder.filename().string() : study.title};
    add_question(page, asked);
    findings.find(asked.points, asked.granted, store);
    if (findings.has_published()) {
        // Rows of points that are not asked for would count as missing
        const bool whole =
            asked.points.size() == findings.points(with_long).size() &&
            std::all_of(asked.granted.begin(), asked.granted.end(), [](const Granted& one) { return one.done(); });
        if (whole) {
            add_ledger(page, findings.report(asked.points, with_long), findings);
        } else {
            page.notes.push_back(
                fmt::format("no ledger: points are missing; run ringmesh validate {}, then the report again", path));
        }
    }
    add_findings(page, asked, store, findings);
    add_machines(page, asked, store);
    return page;
}

Page sweep_page(const AskedPoints& asked, const Store& store)
{
    const StudyTest& test = asked.study->tests.front();
    Page page{.title = fmt::format("{} on {}", test.program.text, test.platform.text)};
    add_question(page, asked);
    add_tests(page, asked, store);
    add_machines(page, asked, store);
    return page;
}

}  // namespace ringmesh::lab
