// SPDX-License-Identifier: Apache-2.0
#include "lab/commands/line/outputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "lab/process/standard_streams.h"
#include "lab/table/writers/cells.h"
#include "lab/table/writers/csv.h"
#include "lab/table/writers/json.h"
#include "lab/table/writers/text_table.h"
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

/// Of a file that may be replaced.
constexpr std::string_view kTableMark = "<!-- by ringmesh -->";

/// What a CSV says: the first line of its head as a title, the answer, the table, then the rest of the head as a list.
std::string markdown_of(const Answer& answer, std::string_view csv)
{
    std::vector<std::string> head;
    while (csv.starts_with("# ")) {
        const std::size_t end = std::min(csv.find('\n'), csv.size() - 1);
        head.emplace_back(csv.substr(2, end - 2));
        csv.remove_prefix(end + 1);
    }
    std::string text = fmt::format("{}\n\n", kTableMark);
    if (!head.empty()) text += fmt::format("# {}\n\n", head.front());
    for (const auto* lines : {&answer.sentences, &answer.evidence}) {
        if (!lines->empty()) text += fmt::format("{}\n\n", fmt::join(*lines, "\n"));
    }
    const CsvTable table = csv_from_text(csv, "--markdown");
    std::vector<TableColumn> columns;
    for (const std::string& name : table.columns) columns.push_back({name});
    TextTable shown(std::move(columns));
    for (const CsvTable::Row& row : table.rows) {
        std::vector<std::string> cells;
        for (const std::string& cell : row.cells) {
            const bool is_long = cell.find('.') != std::string::npos || cell.find('e') != std::string::npos;
            const auto number = is_long ? number_from<double>(cell) : std::nullopt;
            cells.push_back(number ? fmt::format("{:.6g}", *number) : cell);
        }
        shown.row(std::move(cells));
    }
    text += shown.markdown();
    for (std::size_t i = 1; i < head.size(); ++i) text += fmt::format("{}- {}\n", i == 1 ? "\n" : "", head[i]);
    return text;
}

}  // namespace

void add_outputs(OptionList& list, OutputOptions& options, const char* json, const char* csv)
{
    list.text("--json", options.json, fmt::format("Write {} as JSON; '-' for standard output", json), "FILE");
    list.text("--csv", options.csv, fmt::format("Write {} as CSV; '-' for standard output", csv), "FILE");
    list.text("--markdown", options.markdown, "Write the same as Markdown, numbers to six digits", "FILE");
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

void add_pictures(OptionList& list, PictureRequest& request)
{
    list.text("--svg", request.svg, "Draw the report's first figure as SVG; '-' for standard output", "FILE");
    list.text("--png", request.png, "The same as PNG", "FILE");
    list.text("--pdf", request.pdf, "The same as PDF", "FILE");
    list.flag("--plot", request.plot, "Also draw it in the terminal");
    list.text("--figure", request.figure, "Another figure of the report", "NAME");
    list.text("--x", request.x, "Column of its x axis", "COLUMN");
    list.text("--y", request.y, "Column of its y axis", "COLUMN");
    list.text("--x-title", request.x_title, "Title of its x axis, without the unit", "TITLE");
    list.text("--y-title", request.y_title, "Title of its y axis, likewise", "TITLE");
    list.parsed("--log-axes", request.logarithmic, &parse_axes, "Which of its axes are logarithmic", "x|y|x,y|none");
    list.parsed("--width", request.width_cm, &parse_width_cm, "Its width; 8cm if not given", "LENGTH");
}

void do_all(std::initializer_list<std::function<void()>> steps)
{
    std::optional<UserError> first;
    for (const auto& step : steps) {
        try {
            step();
        } catch (const UserError& error) {
            if (first) {
                say(error.what());
            } else {
                first = error;
            }
        }
    }
    if (first) throw UserError(*first);
}

void write_page(Page page, ReportFile& report, PictureFiles& pictures)
{
    do_all({[&] {
                if (report.wanted()) report.write(page);
            },
            [&] {
                if (pictures.wanted()) pictures.write(page);
            }});
}

Outputs::Outputs(const OutputOptions& options, const std::string& command_line)
    : json_((require_one_standard_output({{"--json", options.json},
                                          {"--csv", options.csv},
                                          {"--markdown", options.markdown},
                                          {"--svg", options.pictures.svg}}),
             options.json),
            kJsonMark),
      csv_(options.csv),
      markdown_(options.markdown, kTableMark),
      report_({options.report, command_line}),
      pictures_(options.pictures)
{}

void Outputs::write(const Text& json, const Text& csv, const Text& text)
{
    do_all({[&] {
                if (json_.wanted()) json_.write(json());
            },
            [&] {
                const std::string table = csv_.wanted() || markdown_.wanted() ? csv() : "";
                do_all({[&] {
                            if (csv_.wanted()) csv_.write(table);
                        },
                        [&] {
                            if (markdown_.wanted()) markdown_.write(markdown_of(answer_, table));
                        }});
            },
            [&] {
                if (has_standard_output()) return;
                if (talks_) {
                    print_error(text());
                } else {
                    print(text());
                }
            }});
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
    write_page(std::move(made), report_, pictures_);
}

}  // namespace ringmesh::lab
