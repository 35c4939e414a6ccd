// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "lab/figure/chart_choice.h"
#include "lab/figure/charts_file.h"
#include "lab/table/results.h"
#include "lab/table/writers/cells.h"
#include "tlm/error.h"
#include "tlm/parameters/names.h"

/// A chart as charts.toml asks for it.
namespace ringmesh::lab {
namespace {

using workloads::Results;

/// "FILE:LINE: chart.NAME.KEY = "VALUE": what is wrong".
UserError wrong(const ChartRequest& request, const std::string& where, std::string_view key, const std::string& value,
                const std::string& what)
{
    return UserError(fmt::format("{}: chart.{}.{} = \"{}\": {}", where, request.name, key, value, what));
}

/// Checks the columns of a request against its table.
class Columns {
public:
    Columns(const ChartRequest& request, const Results& table) : request_(request), table_(table) {}

    std::string name(const StudyWord& word, const char* key) const
    {
        if (word.empty() || column_place(table_, word.text)) return word.text;
        std::vector<std::string> known;
        for (const auto& column : table_.columns) known.push_back(column.name);
        throw wrong(request_, word.where, key, word.text,
                    fmt::format("table {} has no such column{}", request_.table.text, suggestion(word.text, known)));
    }

    std::vector<std::string> names(const std::vector<StudyWord>& words, const char* key) const
    {
        std::vector<std::string> all;
        for (const StudyWord& word : words) all.push_back(name(word, key));
        return all;
    }

    std::string numbers(const StudyWord& word, const char* key) const
    {
        std::string column = name(word, key);
        if (column.empty() || !drawn_numbers(table_, column).empty()) return column;
        throw wrong(request_, word.where, key, word.text, "holds no numbers; name a column that does");
    }

    const workloads::Column& operator[](const std::string& name) const { return column_named(table_, name); }

private:
    const ChartRequest& request_;
    const Results& table_;
};

/// @throws UserError for what a map of cells has not
void require_heat_map(const ChartRequest& request)
{
    const auto problem = [&request](std::string_view key, const std::string& value, const char* what) {
        return wrong(request, request.where, key, value, what);
    };
    if (request.series.size() != 1) {
        std::vector<std::string> columns;
        for (const StudyWord& column : request.series) columns.push_back(column.text);
        throw problem("series", fmt::format("{}", fmt::join(columns, ", ")),
                      "a heat map has one other axis; write series = \"COLUMN\"");
    }
    if (request.x_scale)
        throw problem("x_scale", std::string(kScales.name(*request.x_scale)),
                      "a heat map has cells of one width; leave it out");
    if (!request.lines.empty())
        throw problem("lines", request.lines.front(), "is of curves; leave it out of a heat map");
    if (!request.points.empty())
        throw problem("points", request.points.front(), "is of curves; leave it out of a heat map");
    if (!request.beneath.empty())
        throw problem("beneath", request.beneath.text, "is of curves; leave it out of a heat map");
    if (!request.published.empty()) {
        throw problem("published", request.published.front().id.text, "a heat map has no marks; leave it out");
    }
}

/// What the * of an id stands for.
std::string star_of(const std::string& pattern, const std::string& id)
{
    const std::size_t before = pattern.find('*');
    const std::size_t behind = pattern.size() - before - 1;
    return id.substr(before, id.size() - before - behind);
}

/// Rows of published.csv whose ids the pattern has; one that is a series itself has no number.
std::vector<const PublishedRow*> matching(const Published& published, const std::string& id)
{
    PublishedRow pattern;
    pattern.id = id;
    std::vector<const PublishedRow*> rows;
    for (const PublishedRow& row : published.rows()) {
        const bool same = row.id == id || (id.find('*') != std::string::npos && pattern.matches(row.id));
        if (same && row.value && row.id.find('*') == std::string::npos) rows.push_back(&row);
    }
    return rows;
}

std::vector<PublishedMark> marks_of(const ChartRequest& request, const ChartRequest::Reference& reference,
                                    const Published& published, const Chart& chart)
{
    const bool is_place = reference.x == "x";
    const std::string& unit = is_place ? chart.x_unit : chart.y_unit;
    const auto problem = [&](const std::string& what) {
        return wrong(request, reference.id.where, fmt::format("published.\"{}\"", reference.id.text), reference.x,
                     what);
    };
    const auto rows = matching(published, reference.id.text);
    if (rows.empty()) {
        std::vector<std::string> known;
        for (const PublishedRow& row : published.rows()) known.push_back(row.id);
        throw problem("published.csv has no number of this id" + suggestion(reference.id.text, known));
    }
    std::vector<PublishedMark> marks;
    for (const PublishedRow* const row : rows) {
        if (!unit.empty() && !row->unit.empty() && row->unit != unit) {
            throw problem(fmt::format("{} is published in {}, and the chart is in {}; choose a column in {}", row->id,
                                      row->unit, unit, row->unit));
        }
        PublishedMark mark{
            row->id,        row->quantity_and_conditions(), row->source, {}, *row->value, {}, {}, reference.series,
            reference.facet};
        if (is_place) {
            std::swap(mark.x, mark.y);
        } else if (reference.x != "level") {
            const std::string text = reference.x == "*" ? star_of(reference.id.text, row->id) : reference.x;
            mark.x = number_from<double>(text);
            if (!mark.x) {
                throw problem(fmt::format("in {} the * stands for '{}', which is no number; write its place by itself",
                                          row->id, text));
            }
        }
        if (!row->tolerance.empty()) {
            const Tolerance tolerance = tolerance_of(row->tolerance, *row->value, row->unit);
            mark.low = tolerance.low;
            mark.high = tolerance.high;
        }
        marks.push_back(std::move(mark));
    }
    return marks;
}

}  // namespace

Chart chart_as_asked(const ChartRequest& request, const Means& means, const std::string& id, const Published& published)
{
    const Columns columns(request, means.table);
    Chart chart{.id = "chart-" + request.name,
                .title = request.title.empty() ? request.name : request.title.text,
                .table = id,
                .x = columns.name(request.x, "x"),
                .y = {},
                .series = columns.names(request.series, "series"),
                .facets = columns.names(request.facets, "facets"),
                .x_title = request.x_title.text,
                .x_unit = request.x_unit.text,
                .y_title = request.y_title.text,
                .y_unit = request.y_unit.text,
                .notes = request.notes};
    for (const StudyWord& word : request.y) {
        Chart::Quantity quantity{.column = columns.numbers(word, "y"),
                                 .half = columns.numbers(request.interval, "interval"),
                                 .low = columns.numbers(request.low, "low"),
                                 .high = columns.numbers(request.high, "high")};
        const auto known = std::find_if(means.quantities.begin(), means.quantities.end(),
                                        [&](const Chart::Quantity& each) { return each.column == quantity.column; });
        const bool none = quantity.half.empty() && quantity.low.empty();
        if (none && known != means.quantities.end()) quantity.half = known->half;
        chart.y.push_back(std::move(quantity));
    }
    const std::string& first = chart.y.front().column;
    const Means::Dimension* const axis = means.find(chart.x);
    if (chart.x_title.empty()) chart.x_title = axis != nullptr ? axis->title : column_title(columns[chart.x]);
    if (chart.x_unit.empty()) chart.x_unit = columns[chart.x].unit;
    if (chart.y_unit.empty()) chart.y_unit = columns[first].unit;
    const auto on_x = drawn_numbers(means.table, chart.x);
    const bool numeric = on_x.size() == means.table.rows.size();
    chart.x_scale = request.x_scale.value_or(numeric ? scale_of_axis(on_x) : Scale::kLinear);
    chart.y_scale = request.y_scale.value_or(scale_of_results(drawn_numbers(means.table, first)));
    chart.form = request.form.value_or(numeric ? ChartForm::kLines : form_over_words(chart.y_scale));
    if (chart.form == ChartForm::kHeatMap) require_heat_map(request);
    chart.lines = request.lines;
    chart.points = request.points;
    if (!request.beneath.empty()) {
        chart.beneath = Chart::Quantity{.column = columns.numbers(request.beneath, "beneath")};
        chart.beneath_unit =
            request.beneath_unit.empty() ? columns[chart.beneath->column].unit : request.beneath_unit.text;
    }
    const auto require_positive = [&](const std::optional<Scale>& asked, const std::string& column, const char* key) {
        const auto values = drawn_numbers(means.table, column);
        if (asked != Scale::kLog || values.empty() || *std::min_element(values.begin(), values.end()) > 0) return;
        throw wrong(request, request.where, key, "log",
                    fmt::format("column {} has values that are not above zero; write \"linear\"", column));
    };
    require_positive(request.x_scale, chart.x, "x_scale");
    for (const auto& quantity : chart.y) require_positive(request.y_scale, quantity.column, "y_scale");
    if (request.crossings && numeric && chart.form != ChartForm::kHeatMap) mark_crossings(chart, means);
    for (const ChartRequest::Reference& reference : request.published) {
        for (PublishedMark& mark : marks_of(request, reference, published, chart)) {
            chart.published.push_back(std::move(mark));
        }
    }
    return chart;
}

}  // namespace ringmesh::lab
