// SPDX-License-Identifier: Apache-2.0
#include "lab/commands/outputs.h"

#include <fmt/format.h>

#include "lab/process/standard_streams.h"
#include "lab/table/json.h"
#include "tlm/error.h"
#include "tlm/units/quantity.h"

namespace ringmesh::lab {
namespace {

double parse_width_cm(const std::string& text)
{
    constexpr double kLeast = 4;
    constexpr double kMost = 60;
    constexpr double kMicrometresOfCm = 1e4;
    const auto length = parse_length(text);
    const double cm = length.value ? static_cast<double>(length.value->um()) / kMicrometresOfCm : 0;
    if (cm >= kLeast && cm <= kMost) return cm;
    throw UserError(fmt::format("not a length from {:g} cm to {:g} cm; write --width 8cm", kLeast, kMost));
}

}  // namespace

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

void add_pictures(OptionList& list, PictureRequest& request, bool with_log)
{
    list.text("--svg", request.svg, "Draw the report's first figure as SVG; '-' for standard output", "FILE");
    list.text("--png", request.png, "The same as PNG", "FILE");
    list.text("--pdf", request.pdf, "The same as PDF", "FILE");
    list.flag("--plot", request.plot, "Also draw it in the terminal");
    list.text("--figure", request.figure, "Another figure of the report", "NAME");
    list.text("--x", request.x, "Column of its x axis", "COLUMN");
    list.text("--y", request.y, "Column of its y axis", "COLUMN");
    if (with_log) {
        list.parsed("--log", request.logarithmic, &parse_axes, "Which of its axes are logarithmic", "x|y|x,y|none");
    }
    list.parsed("--width", request.width_cm, &parse_width_cm, "Its width; 8cm if not given", "LENGTH");
}

Outputs::Outputs(const OutputOptions& options, const std::string& command_line)
    : json_((require_one_standard_output(
                 {{"--json", options.json}, {"--csv", options.csv}, {"--svg", options.pictures.svg}}),
             options.json),
            kJsonMark),
      csv_(options.csv),
      report_({options.report, command_line}),
      pictures_(options.pictures)
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
    if (!report_.wanted() && !pictures_.wanted()) return;
    Page made = page();
    if (!answer_.empty()) {
        made.answer = answer_.sentences;
        made.evidence = answer_.evidence;
    }
    if (pictures_.wanted()) pictures_.write(made);
    if (report_.wanted()) report_.write(std::move(made));
}

}  // namespace ringmesh::lab
