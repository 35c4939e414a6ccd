// SPDX-License-Identifier: Apache-2.0
#include "lab/report/report_file.h"

#include <fmt/format.h>

#include <utility>

#include "lab/process/standard_streams.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

std::string checked(const std::string& file)
{
    if (file == "-") throw UserError("--report -: a report needs a file; write --report report.html");
    return file;
}

}  // namespace

ReportFile::ReportFile(const ReportRequest& request)
    : command_(request.command), file_(checked(request.file), kPageMark)
{}

void ReportFile::write(Page page)
{
    page.command = command_;
    file_.write(page_html(page));
    say(fmt::format("report in {}; a browser opens it without a network", file_.path()));
}

}  // namespace ringmesh::lab
