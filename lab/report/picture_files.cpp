// SPDX-License-Identifier: Apache-2.0
#include "lab/report/picture_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string_view>

#include "lab/figure/chart_choice.h"
#include "lab/figure/gnuplot/machine_script.h"
#include "lab/process/standard_streams.h"
#include "lab/table/results.h"
#include "lab/table/writers/cells.h"
#include "tlm/error.h"
#include "tlm/parameters/names.h"

namespace ringmesh::lab {
namespace {

using workloads::Results;

/// "rings" of the chart "chart-rings", which charts.toml calls so.
std::string figure_name(const Chart& chart)
{
    constexpr std::string_view kOfFile = "chart-";
    return chart.id.starts_with(kOfFile) ? chart.id.substr(kOfFile.size()) : chart.id;
}

/// The column of this name, or of an axis as it was typed: "options.load".
std::optional<std::string> column_called(const Results& table, std::string name)
{
    if (!column_place(table, name)) std::replace(name.begin(), name.end(), '.', '_');
    if (!column_place(table, name)) return std::nullopt;
    return name;
}

std::string require_column(const Results& table, const std::string& option, const std::string& name)
{
    if (auto found = column_called(table, name)) return *found;
    std::vector<std::string> known;
    for (const auto& column : table.columns) known.push_back(column.name);
    const std::string guess = suggestion(name, known);
    throw UserError(fmt::format("{} {}: the figure's table has no such column{}", option, name, guess));
}

/// What is marked on a chart stands on its own axes.
void leave_marks_out(Chart& chart)
{
    chart.published.clear();
    chart.crossings.clear();
    chart.bands.clear();
}

/// Another x; the one before tells curves apart where the new one did.
void change_x(Chart& chart, const Results& table, const std::string& name)
{
    const std::string column = require_column(table, "--x", name);
    if (column == chart.x) return;
    for (auto* columns : {&chart.series, &chart.facets})
        std::replace(columns->begin(), columns->end(), column, chart.x);
    chart.x = column;
    const auto& now = table.columns[*column_place(table, column)];
    chart.x_title = column_title(now);
    chart.x_unit = now.unit;
    const bool numeric = category_texts(table, column).empty();
    chart.x_scale = numeric ? scale_of_axis(drawn_numbers(table, column)) : Scale::kLinear;
    if (chart.form == ChartForm::kHeatMap) return;
    if (numeric && chart.form == ChartForm::kBars) chart.form = ChartForm::kLines;
    if (!numeric) chart.form = form_over_words(chart.y_scale);
    leave_marks_out(chart);
}

/// "Latency mean over load" becomes "Accepted load over load".
void name_in_title(Chart& chart, const Results& table, const std::string& column)
{
    const std::string over = " over ";
    const std::size_t end = chart.title.rfind(over);
    if (end == std::string::npos) return;
    std::string before = column_title(column_named(table, chart.y.front().column));
    std::string now = column_title(column_named(table, column));
    const auto same = [&](const std::string& word) {
        return word.size() <= end && chart.title.compare(end - word.size(), word.size(), word) == 0;
    };
    for (const bool capital : {false, true}) {
        if (capital) {
            for (std::string* word : {&before, &now}) {
                (*word)[0] = static_cast<char>(std::toupper(static_cast<unsigned char>((*word)[0])));
            }
        }
        if (!same(before)) continue;
        chart.title.replace(end - before.size(), before.size(), now);
        return;
    }
}

void change_y(Chart& chart, const Results& table, const std::string& name)
{
    const std::string column = require_column(table, "--y", name);
    name_in_title(chart, table, column);
    const auto known = std::find_if(chart.y.begin(), chart.y.end(),
                                    [&](const Chart::Quantity& each) { return each.column == column; });
    if (known == chart.y.begin()) return;
    if (known != chart.y.end()) {
        std::rotate(chart.y.begin(), known, known + 1);
        return;
    }
    const auto values = drawn_numbers(table, column);
    if (values.empty()) throw UserError(fmt::format("--y {}: holds no numbers; name a column that does", name));
    const std::string half = column + "_ci95";
    chart.y = {{.column = column, .half = column_place(table, half) ? half : ""}};
    chart.y_unit = table.columns[*column_place(table, column)].unit;
    chart.y_title.clear();
    chart.y_scale = scale_of_results(values);
    chart.beneath.reset();
    leave_marks_out(chart);
}

/// @throws UserError for a logarithmic axis with values that it has not
void change_scales(Chart& chart, const Results& table, LogarithmicAxes logarithmic)
{
    if (chart.form == ChartForm::kHeatMap && logarithmic.x) {
        throw UserError("--log-axes x: a heat map has cells of one width; write --log-axes y for its colours");
    }
    const auto choose = [&](const char* axis, bool wanted, Scale& scale, const std::string& column) {
        scale = wanted ? Scale::kLog : Scale::kLinear;
        if (!wanted) return;
        const auto values = drawn_numbers(table, column);
        const bool possible = category_texts(table, column).empty() && !values.empty() &&
                              *std::min_element(values.begin(), values.end()) > 0;
        if (possible) return;
        throw UserError(
            fmt::format("--log-axes {}: {} has values that are not above zero; leave {} out", axis, column, axis));
    };
    choose("x", logarithmic.x, chart.x_scale, chart.x);
    choose("y", logarithmic.y, chart.y_scale, chart.y.front().column);
}

/// Those that are drawn, by the names of their figures: "machine", "machine-2".
std::map<std::string, const PageMachine*> machines_of(const Page& page)
{
    std::map<std::string, const PageMachine*> machines;
    for (const PageMachine& machine : page.machines) {
        if (machine.drawing.nodes.empty()) continue;
        machines.emplace(
            machines.empty() ? std::string(kMachineFigure) : fmt::format("{}-{}", kMachineFigure, machines.size() + 1),
            &machine);
    }
    return machines;
}

/// The chart that is asked for, or the one that has the asked y.
const Chart& chart_asked(const Page& page, const PictureRequest& request, const std::vector<std::string>& names)
{
    if (!request.figure.empty()) {
        const auto found = std::find(names.begin(), names.end(), request.figure);
        return page.charts[static_cast<std::size_t>(found - names.begin())];
    }
    const auto has_y = [&](const Chart& chart) {
        return std::any_of(chart.y.begin(), chart.y.end(), [&](const auto& each) { return each.column == request.y; });
    };
    const auto found = std::find_if(page.charts.begin(), page.charts.end(), has_y);
    return found == page.charts.end() ? page.charts.front() : *found;
}

/// How a file of each form begins.
std::string_view mark_of(PictureForm form)
{
    switch (form) {
        case PictureForm::kSvg: return "<svg";
        case PictureForm::kPng: return "\x89PNG";
        case PictureForm::kPdf: return "%PDF-";
        case PictureForm::kText: break;
    }
    return {};
}

}  // namespace

LogarithmicAxes parse_axes(const std::string& text)
{
    if (text == "x" || text == "y") return {.x = text == "x", .y = text == "y"};
    if (text == "x,y" || text == "y,x") return {.x = true, .y = true};
    if (text == "none") return {};
    throw UserError("no axes; write --log-axes x, --log-axes y, --log-axes x,y or --log-axes none");
}

void require_columns(const Results& table, const PictureRequest& request)
{
    if (!request.x.empty()) require_column(table, "--x", request.x);
    if (!request.y.empty()) require_column(table, "--y", request.y);
}

ChosenFigure chosen_figure(const Page& page, const PictureRequest& request)
{
    const auto machines = machines_of(page);
    std::vector<std::string> names;
    for (const Chart& chart : page.charts) names.push_back(figure_name(chart));
    if (!page.waterfalls.empty()) names.emplace_back(kMessageFigure);
    for (const auto& [name, machine] : machines) names.push_back(name);
    const bool own_axes = request.has_axes();
    const auto others = [&names](const std::string& chosen) {
        std::erase(names, chosen);
        return names;
    };
    if (!request.figure.empty() && std::find(names.begin(), names.end(), request.figure) == names.end()) {
        throw UserError(
            fmt::format("--figure {}: there is no such figure; there are: {}", request.figure, fmt::join(names, ", ")));
    }
    if (const auto found = machines.find(request.figure); found != machines.end()) {
        if (own_axes) throw UserError("--x, --y, --log: a machine has no axes; leave them out");
        if (request.plot) throw UserError("--plot: a machine is drawn in files only; write --png FILE");
        const PageMachine& machine = *found->second;
        return {.chart = {},
                .table = machine.places.empty() ? nullptr : &page.table(machine.places),
                .machine = &machine,
                .others = others(request.figure)};
    }
    if (page.charts.empty() || request.figure == kMessageFigure) {
        if (page.waterfalls.empty()) {
            throw UserError(
                "there is nothing to draw: no numbers over an axis; run a list of sizes, sweep a parameter, "
                "or add --figure machine");
        }
        if (own_axes) {
            throw UserError("--x, --y, --log: the figure of a message has axes of its own; leave them out");
        }
        return {.chart = {},
                .table = &page.table(page.waterfalls.front().table),
                .is_waterfall = true,
                .others = others(std::string(kMessageFigure))};
    }
    ChosenFigure chosen;
    const Chart& asked = chart_asked(page, request, names);
    chosen.chart = asked;
    chosen.table = &page.table(chosen.chart.table);
    const Results& table = chosen.table->content;
    if (!request.x.empty()) change_x(chosen.chart, table, request.x);
    if (!request.y.empty()) change_y(chosen.chart, table, request.y);
    if (!request.x_title.empty()) chosen.chart.x_title = request.x_title;
    if (!request.y_title.empty()) chosen.chart.y_title = request.y_title;
    if (request.logarithmic) change_scales(chosen.chart, table, *request.logarithmic);
    chosen.others = others(figure_name(asked));
    return chosen;
}

PictureFiles::PictureFiles(PictureRequest request) : request_(std::move(request))
{
    for (const auto& [form, file] :
         {std::pair(PictureForm::kSvg, &request_.svg), std::pair(PictureForm::kPng, &request_.png),
          std::pair(PictureForm::kPdf, &request_.pdf)}) {
        if (file->empty()) continue;
        if (form != PictureForm::kSvg && *file == "-") {
            throw UserError(fmt::format("--{0} -: needs a file; write --{0} figure.{0}", kPictureForms.name(form)));
        }
        files_.emplace_back(form, OutputFile(*file, mark_of(form)));
    }
    if (!wanted()) {
        if (!request_.figure.empty() || request_.has_axes()) {
            throw UserError(
                "--figure, --x, --y, --x-title, --y-title, --log: are of a figure; add --svg FILE, --png FILE, --pdf "
                "FILE or --plot");
        }
        return;
    }
    if (!has_gnuplot()) {
        throw UserError("figures are drawn by gnuplot, which is not installed; run: sudo apt-get install gnuplot-nox");
    }
}

bool PictureFiles::has_standard_output() const
{
    return std::any_of(files_.begin(), files_.end(), [](const auto& each) { return each.second.is_standard_output(); });
}

void PictureFiles::write(const Page& page)
{
    const ChosenFigure chosen = chosen_figure(page, request_);
    const auto drawn = [&](const PictureFormat& format) {
        if (chosen.machine != nullptr) {
            const auto& drawing = chosen.machine->drawing;
            const MachineUse use = chosen.table == nullptr
                                       ? MachineUse{}
                                       : use_of(drawing, chosen.table->content, chosen.machine->bottleneck);
            return drawn_by_gnuplot(machine_script(drawing, use, format));
        }
        const Results& table = chosen.table->content;
        return drawn_by_gnuplot(chosen.is_waterfall ? waterfall_script(table, format)
                                                    : gnuplot_script(chosen.chart, table, format));
    };
    const std::string& title = chosen.machine != nullptr ? chosen.machine->title
                               : chosen.is_waterfall     ? page.title
                                                         : chosen.chart.title;
    std::vector<std::string> pictures;  // all before the first is written
    for (const auto& [form, file] : files_) pictures.push_back(drawn({.form = form, .width_cm = request_.width_cm}));
    for (std::size_t i = 0; i < files_.size(); ++i) {
        OutputFile& file = files_[i].second;
        file.write(pictures[i]);
        if (file.is_standard_output()) continue;
        say(fmt::format("figure in {}: {}", file.path(), title));
    }
    if (!chosen.others.empty()) say(fmt::format("other figures, by --figure NAME: {}", fmt::join(chosen.others, ", ")));
    const Room room = output_room();
    if (!request_.plot || !room.splits) return;
    std::string plot = drawn({.form = PictureForm::kText, .columns = room.width - 1});
    std::erase(plot, '\f');
    print(plot);
}

}  // namespace ringmesh::lab
