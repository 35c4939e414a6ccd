// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/process/output_file.h"
#include "lab/report/page.h"
#include "lab/report/report_request.h"

namespace ringmesh::lab {

/// The report of a command, whose file is opened before anything runs.
class ReportFile {
public:
    /// @throws UserError if the file cannot be written, or is standard output, which has the command's own text
    explicit ReportFile(const ReportRequest& request);

    bool wanted() const { return file_.wanted(); }
    /// Adds the command and writes the page. @throws UserError
    void write(Page page);

private:
    std::string command_;
    OutputFile file_;
};

}  // namespace ringmesh::lab
