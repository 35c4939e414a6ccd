// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "lab/report/page.h"
#include "lab/run/record/run_record.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

Json table_json(const PageTable& table)
{
    const workloads::Results& content = table.content;
    Json values = Json::array();
    for (std::size_t i = 0; i < content.columns.size(); ++i) {
        values.push_back(Json::list(content.rows, [i](const auto& row) { return cell_json(row[i]); }));
    }
    return {{"id", table.id},
            {"title", table.title},
            {"columns", Json::list(content.columns,
                                   [](const workloads::Column& column) -> Json {
                                       return {{"name", column.name},
                                               {"title", column_title(column)},
                                               {"unit", column.unit},
                                               {"rate", is_rate(column)}};
                                   })},
            {"values", std::move(values)},
            {"notes", content.notes}};
}

Json quantity_json(const Chart::Quantity& quantity)
{
    return {{"column", quantity.column}, {"half", quantity.half}, {"low", quantity.low}, {"high", quantity.high}};
}

Json published_json(const PublishedMark& mark)
{
    return {{"id", mark.id},   {"label", mark.label}, {"source", mark.source}, {"x", mark.x},        {"y", mark.y},
            {"low", mark.low}, {"high", mark.high},   {"series", mark.series}, {"facet", mark.facet}};
}

Json crossing_json(const CrossingMark& mark)
{
    return {{"x", mark.x},           {"label", mark.label},
            {"curves", mark.curves}, {"y_column", mark.y_column},
            {"facet", mark.facet},   {"within_noise", mark.within_noise},
            {"low", mark.low},       {"high", mark.high}};
}

Json chart_json(const Chart& chart)
{
    return {{"id", chart.id},
            {"title", chart.title},
            {"table", chart.table},
            {"x", chart.x},
            {"y", Json::list(chart.y, quantity_json)},
            {"series", chart.series},
            {"facets", chart.facets},
            {"x_title", chart.x_title},
            {"x_unit", chart.x_unit},
            {"y_title", chart.y_title},
            {"y_unit", chart.y_unit},
            {"x_scale", kScales.name(chart.x_scale)},
            {"y_scale", kScales.name(chart.y_scale)},
            {"form", kChartForms.name(chart.form)},
            {"lines", chart.lines},
            {"points", chart.points},
            {"beneath", chart.beneath ? quantity_json(*chart.beneath) : Json()},
            {"beneath_unit", chart.beneath_unit},
            {"published", Json::list(chart.published, published_json)},
            {"crossings", Json::list(chart.crossings, crossing_json)},
            {"bands", Json::list(chart.bands,
                                 [](const BandMark& band) -> Json {
                                     return {{"low", band.low},
                                             {"high", band.high},
                                             {"label", band.label},
                                             {"series", band.series},
                                             {"facet", band.facet}};
                                 })},
            {"notes", chart.notes}};
}

Json drawing_json(const platforms::Drawing& drawing)
{
    const auto node_json = [](const platforms::DrawnNode& node) -> Json {
        return {{"id", node.id}, {"label", node.label}, {"kind", node.kind}, {"x", node.x}, {"y", node.y}};
    };
    const auto link_json = [](const platforms::DrawnLink& link) -> Json {
        return {{"place", link.place},
                {"from", link.from},
                {"to", link.to},
                {"dimension", link.dimension},
                {"stub", link.stub}};
    };
    const auto block_json = [](const platforms::DrawnBlock& block) -> Json {
        return {{"place", block.place}, {"node", block.node}};
    };
    return {{"kind", platforms::kDrawingKinds.name(drawing.kind)},
            {"nodes", Json::list(drawing.nodes, node_json)},
            {"links", Json::list(drawing.links, link_json)},
            {"blocks", Json::list(drawing.blocks, block_json)}};
}

Json machine_json(const PageMachine& machine)
{
    return {{"title", machine.title},           {"what", machine.what},     {"drawing", drawing_json(machine.drawing)},
            {"parameters", machine.parameters}, {"places", machine.places}, {"bottleneck", machine.bottleneck},
            {"series", machine.series},         {"notes", machine.notes}};
}

}  // namespace

std::string Page::add(const std::string& name, std::string heading, workloads::Results content)
{
    std::string base;
    for (const char c : name) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        base += plain ? c : '-';
    }
    std::string id = base;
    const auto taken = [&id](const PageTable& other) { return other.id == id; };
    for (int i = 2; std::any_of(tables.begin(), tables.end(), taken); ++i) id = fmt::format("{}-{}", base, i);
    tables.push_back({id, std::move(heading), std::move(content)});
    return id;
}

const PageTable& Page::table(const std::string& id) const
{
    const auto found = std::find_if(tables.begin(), tables.end(), [&id](const auto& each) { return each.id == id; });
    if (found == tables.end()) throw ModelError(fmt::format("a report has no table '{}'", id));
    return *found;
}

bool Page::empty() const
{
    return ledgers.empty() && machines.empty() && waterfalls.empty() &&
           std::all_of(tables.begin(), tables.end(), [](const auto& table) { return table.content.rows.empty(); });
}

Json page_json(const Page& page)
{
    const auto question_json = [](const std::pair<std::string, std::string>& fact) -> Json {
        return {{"name", fact.first}, {"value", fact.second}};
    };
    const auto waterfall_json = [](const PageWaterfall& waterfall) -> Json {
        return {{"title", waterfall.title}, {"table", waterfall.table}, {"notes", waterfall.notes}};
    };
    const auto heading_json = [](const std::pair<std::string, std::string>& heading) -> Json {
        return {{"name", heading.first}, {"title", heading.second}};
    };
    const auto ledger_json = [&heading_json](const PageLedger& ledger) -> Json {
        return {{"title", ledger.title},
                {"table", ledger.table},
                {"columns", Json::list(ledger.columns, heading_json)},
                {"texts", Json::list(ledger.texts, [](const auto& row) -> Json { return row; })},
                {"words", Json::list(ledger.words, heading_json)},
                {"summary", ledger.summary},
                {"notes", ledger.notes}};
    };
    return {{"ringmesh", program_json()},
            {"title", page.title},
            {"command", page.command},
            {"answer", page.answer},
            {"evidence", page.evidence},
            {"question", Json::list(page.question, question_json)},
            {"notes", page.notes},
            {"ledgers", Json::list(page.ledgers, ledger_json)},
            {"charts", Json::list(page.charts, chart_json)},
            {"machines", Json::list(page.machines, machine_json)},
            {"waterfalls", Json::list(page.waterfalls, waterfall_json)},
            {"tables", Json::list(page.tables, table_json)}};
}

}  // namespace ringmesh::lab
