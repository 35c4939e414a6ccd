// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "lab/commands/line/command.h"
#include "lab/process/output_file.h"
#include "lab/report/picture_files.h"
#include "lab/report/report_file.h"
#include "lab/table/answer.h"

namespace ringmesh::lab {

/// --json, --csv, --markdown and --report of a command: files, "-" for standard output but for a report; empty for
/// none.
struct OutputOptions {
    std::string json = {};
    std::string csv = {};
    std::string markdown = {};
    std::string report = {};
    PictureRequest pictures = {};
};
/// --json, --csv, and --markdown, which has the table of the CSV. @param json, csv what they write: "the curve as a
/// table"
void add_outputs(OptionList& list, OutputOptions& options, const char* json, const char* csv);

/// The answer with the evidence that `find` gives. What is wrong in the files of the evidence is said, for a result is
/// worth more.
Answer with_evidence(Answer answer, const std::function<std::vector<std::string>()>& find);

/// --svg, --png, --pdf, --plot and what they draw.
void add_pictures(OptionList& list, PictureRequest& request);

/// Does every step, so that what one cannot write does not take the others along.
/// @throws UserError the first that a step threw, behind the last step; the others are said
void do_all(std::initializer_list<std::function<void()>> steps);

/// What of both is wanted. @throws UserError as do_all()
void write_page(Page page, ReportFile& report, PictureFiles& pictures);

/// The files, open before anything runs. What goes to none is text on standard output.
class Outputs {
public:
    using Text = std::function<std::string()>;
    /// @param command_line for the report
    /// @throws UserError if a file cannot be written, or several are to go to standard output
    Outputs(const OutputOptions& options, const std::string& command_line);

    bool wants_files() const { return json_.wanted() || csv_.wanted() || markdown_.wanted(); }
    bool has_standard_output() const
    {
        return json_.is_standard_output() || csv_.is_standard_output() || markdown_.is_standard_output() ||
               pictures_.has_standard_output();
    }
    /// Text goes to standard error from now on, because standard output is a program's.
    void talk() { talks_ = true; }
    void write(const Text& json, const Text& csv, const Text& text);
    /// The answer stands before the text, in the JSON, and on the report.
    void write(const Answer& answer, const std::function<Json()>& json, const Text& csv, const Text& text);
    /// The report and the pictures of the page, which is made if any is wanted.
    void report(const std::function<Page()>& page);

private:
    Answer answer_;
    bool talks_ = false;
    OutputFile json_;
    OutputFile csv_;
    OutputFile markdown_;
    ReportFile report_;
    PictureFiles pictures_;
};

}  // namespace ringmesh::lab
