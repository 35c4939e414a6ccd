// SPDX-License-Identifier: Apache-2.0
#include "lab/run/parameter_tables.h"

#include <fmt/format.h>

#include <cstddef>

namespace ringmesh::lab {
namespace {

std::string group_of(const ParameterRow& row)
{
    std::size_t dot = row.key.rfind('.');
    if (dot != std::string::npos && dot > 1 && row.key[dot - 1] == '.') dot = row.key.rfind('.', dot - 2);  // "0..3"
    return dot == std::string::npos ? std::string() : row.key.substr(0, dot);
}

std::string heading_of(const ParameterRow& row)
{
    const std::string group = group_of(row);
    if (group.empty()) return "general";
    return row.group_meaning.empty() ? group : fmt::format("{}: {}", group, row.group_meaning);
}

std::string provenance_of(const Origin& origin) { return std::string(kProvenanceNames.name(origin.from)); }

Json text_json(const std::string& text) { return text.empty() ? Json() : Json(text); }
Json list_or_null(const std::vector<std::string>& texts) { return texts.empty() ? Json() : Json(texts); }

/// What the value of a parameter rests on: members of an object, null where nothing is said.
std::vector<Json::Member> origin_members(const ParameterRow& row)
{
    const Origin& origin = row.origin;
    return {{"provenance", provenance_of(origin)},   {"source", text_json(origin.source)},
            {"set_by", list_or_null(origin.set_by)}, {"low", text_json(origin.low)},
            {"high", text_json(origin.high)},        {"alternatives", list_or_null(origin.alternatives)},
            {"note", text_json(origin.note)},        {"not_in_use", text_json(row.not_in_use)}};
}

}  // namespace

std::string allowed_values(const ParameterRow& row)
{
    if (!row.choices.empty()) return fmt::format("{}", fmt::join(row.choices, ", "));
    if (row.kind == "boolean") return "true, false";
    if (row.low.empty()) return "";
    return fmt::format("{} to {}", row.low, row.high);
}

std::string origin_text(const Origin& origin)
{
    std::string text = provenance_of(origin);
    if (!origin.source.empty()) text += ": " + origin.source;
    if (!origin.set_by.empty()) text += fmt::format(" by {}", fmt::join(origin.set_by, ", "));
    if (!origin.low.empty()) text += fmt::format(", {} to {}", origin.low, origin.high);
    if (!origin.alternatives.empty()) text += fmt::format(", or {}", fmt::join(origin.alternatives, ", "));
    if (!origin.note.empty()) text += "; " + origin.note;
    return text;
}

TextTable parameter_table(const std::vector<ParameterRow>& rows, OriginIn origin)
{
    TextTable table(origin == OriginIn::kColumn
                        ? std::vector<TableColumn>{{"key"}, {"value"}, {"allowed"}, {"meaning"}, {"provenance"}}
                        : std::vector<TableColumn>{{"key"}, {"value"}, {"allowed"}, {"meaning [provenance]"}});
    std::string group = "\n";  // none has this name
    for (const ParameterRow& row : rows) {
        if (group_of(row) != group) table.section(heading_of(row));
        group = group_of(row);
        std::string meaning = row.meaning;
        if (!row.not_in_use.empty()) meaning = fmt::format("not in use while {}: {}", row.not_in_use, meaning);
        std::vector<std::string> cells{row.key, row.value, allowed_values(row)};
        if (origin == OriginIn::kColumn) {
            cells.insert(cells.end(), {std::move(meaning), origin_text(row.origin)});
        } else {
            cells.push_back(fmt::format("{} [{}]", meaning, origin_text(row.origin)));
        }
        table.row(std::move(cells));
    }
    return table;
}

TextTable option_table(const std::vector<ParameterRow>& rows, const std::string& heading)
{
    TextTable table({{"option"}, {heading}, {"allowed"}, {"meaning"}});
    for (const ParameterRow& row : rows) {
        const bool said = row.origin.from != Provenance::kAssumed || !row.origin.note.empty();
        table.row({row.key, row.value, allowed_values(row),
                   said ? fmt::format("{} [{}]", row.meaning, origin_text(row.origin)) : row.meaning});
    }
    return table;
}

Json parameters_json(const std::vector<ParameterRow>& rows)
{
    return Json::list(rows, [](const ParameterRow& row) {
        Json one = {{"key", row.key},
                    {"kind", row.kind},
                    {"value", row.value},
                    {"smallest", text_json(row.low)},
                    {"largest", text_json(row.high)},
                    {"choices", list_or_null(row.choices)},
                    {"meaning", row.meaning}};
        for (const auto& [key, value] : origin_members(row)) one.add(key, value);
        return one;
    });
}

Json origins_json(const std::vector<ParameterRow>& rows)
{
    Json json = Json::object();
    for (const ParameterRow& row : rows) {
        for (const auto& [key, value] : origin_members(row)) {
            if (!value.is_null()) json[row.key][key] = value;
        }
    }
    return json;
}

}  // namespace ringmesh::lab
