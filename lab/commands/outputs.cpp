// SPDX-License-Identifier: Apache-2.0
#include "lab/commands/outputs.h"

#include <fmt/format.h>

#include "lab/process/standard_streams.h"
#include "lab/table/json.h"
#include "tlm/error.h"

namespace ringmesh::lab {

void add_outputs(OptionList& list, OutputOptions& options, const char* json, const char* csv)
{
    list.text("--json", options.json, fmt::format("Write {} as JSON; '-' for standard output", json), "FILE");
    list.text("--csv", options.csv, fmt::format("Write {} as CSV; '-' for standard output", csv), "FILE");
}

Answer with_evidence(Answer answer, const std::function<std::vector<std::string>()>& find)
{
    try {
        if (!answer.empty()) answer.evidence = find();
    } catch (const UserError& error) {
        say(fmt::format("no evidence is shown: {}", error.what()));
    }
    return answer;
}

Outputs::Outputs(const OutputOptions& options, const std::string& command_line)
    : json_((require_one_standard_output({{"--json", options.json}, {"--csv", options.csv}}), options.json), kJsonMark),
      csv_(options.csv),
      report_({options.report, command_line})
{}

void Outputs::write(const Text& json, const Text& csv, const Text& text)
{
    if (json_.wanted()) json_.write(json());
    if (csv_.wanted()) csv_.write(csv());
    if (!has_standard_output()) print(text());
}

void Outputs::write(const Answer& answer, const std::function<Json()>& json, const Text& csv, const Text& text)
{
    answer_ = answer;
    write([&] { return json_text(with_answer(json(), answer)); }, csv,
          [&] { return answer_lines(answer, output_room()) + text(); });
}

void Outputs::report(const std::function<Page()>& page)
{
    if (!report_.wanted()) return;
    Page made = page();
    if (!answer_.empty()) {
        made.answer = answer_.sentences;
        made.evidence = answer_.evidence;
    }
    report_.write(made);
}

}  // namespace ringmesh::lab
