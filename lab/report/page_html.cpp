// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "lab/report/assets.h"
#include "lab/report/page.h"
#include "lab/run/record/run_record.h"
#include "lab/table/writers/text_table.h"

namespace ringmesh::lab {
namespace {

/// Rows of a table that a browser without JavaScript gets: it lays all of them out at once.
constexpr std::size_t kMostRowsWithoutScript = 5000;

std::string escaped(std::string text)
{
    for (const auto& [what, by] : {std::pair('&', "&amp;"), {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}}) {
        text = substituted(std::move(text), what, by);
    }
    return text;
}

std::string paragraphs(const std::vector<std::string>& texts)
{
    std::string html;
    for (const std::string& text : texts) html += fmt::format("<p>{}</p>\n", escaped(text));
    return html;
}

std::string table_html(const PageTable& table)
{
    const workloads::Results& content = table.content;
    std::string html = fmt::format("<h2>{}</h2>\n<table>\n<thead><tr>", escaped(table.title));
    std::vector<std::vector<std::string>> texts;
    for (std::size_t i = 0; i < content.columns.size(); ++i) {
        const std::string& unit = content.columns[i].unit;
        html += fmt::format("<th scope=\"col\">{}{}</th>", escaped(column_title(content.columns[i])),
                            unit.empty() ? "" : fmt::format(" ({})", escaped(unit)));
        texts.push_back(column_texts(content, i));
    }
    html += "</tr></thead>\n<tbody>\n";
    const std::size_t shown = std::min(content.rows.size(), kMostRowsWithoutScript);
    for (std::size_t row = 0; row < shown; ++row) {
        html += "<tr>";
        for (const auto& column : texts) html += fmt::format("<td>{}</td>", escaped(column[row]));
        html += "</tr>\n";
    }
    html += "</tbody>\n</table>\n" + paragraphs(content.notes);
    if (shown < content.rows.size()) {
        html += fmt::format("<p>{} more rows: the page's data has them, and `ringmesh` writes them by --csv</p>\n",
                            with_thousands(static_cast<std::int64_t>(content.rows.size() - shown)));
    }
    return html;
}

/// What needs no program: the head with the question and the command.
std::string header_html(const Page& page)
{
    std::string html = fmt::format("<header>\n<h1>{}</h1>\n", escaped(page.title));
    for (const std::string& line : page.answer) html += fmt::format("<p class=\"answer\">{}</p>\n", escaped(line));
    for (const std::string& line : page.evidence) html += fmt::format("<p class=\"evidence\">{}</p>\n", escaped(line));
    html += "<dl class=\"question\">\n";
    for (const auto& [name, value] : page.question) {
        html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", escaped(name), escaped(value));
    }
    html += "</dl>\n";
    if (!page.command.empty()) {
        html += fmt::format("<p class=\"command\"><span>Made by</span> <code id=\"command\">{}</code></p>\n",
                            escaped(page.command));
    }
    return html + "</header>\n";
}

}  // namespace

std::string page_html(const Page& page)
{
    std::string html = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "{}{}\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "script-src 'unsafe-inline'; img-src data: blob:\">\n"
        "<title>{}</title>\n<style>\n",
        kPageMark, RINGMESH_VERSION, escaped(page.title));
    html += report_style();
    html += "</style>\n</head>\n<body>\n" + header_html(page);
    html += "<main id=\"main\"></main>\n<noscript>\n<div class=\"plain\">\n" + paragraphs(page.notes);
    for (const PageLedger& ledger : page.ledgers) html += paragraphs({ledger.summary}) + paragraphs(ledger.notes);
    for (const Chart& chart : page.charts) html += paragraphs(chart.notes);
    for (const PageWaterfall& waterfall : page.waterfalls) html += paragraphs(waterfall.notes);
    for (const PageMachine& machine : page.machines) html += paragraphs(machine.notes);
    for (const PageTable& table : page.tables) html += table_html(table);
    html += "</div>\n</noscript>\n";
    html += "<script type=\"application/json\" id=\"data\">" +
            substituted(page_json(page).line(), '<', "\\u003c") +  // no tag can end it
            "</script>\n";
    html += "<script>\n" + report_script() + "</script>\n</body>\n</html>\n";
    return html;
}

}  // namespace ringmesh::lab
