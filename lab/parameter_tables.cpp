// SPDX-License-Identifier: Apache-2.0
#include "lab/parameter_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "lab/json.h"
#include "lab/json_text.h"

namespace ringmesh::lab {
namespace {

std::string group_of(const ParameterRow& row)
{
    const std::size_t dot = row.key.rfind('.');
    return dot == std::string::npos ? std::string() : row.key.substr(0, dot);
}

std::string heading_of(const ParameterRow& row)
{
    const std::string group = group_of(row);
    if (group.empty()) return "general";
    return row.group_meaning.empty() ? group : fmt::format("{}: {}", group, row.group_meaning);
}

const ParameterRow* find(const std::vector<ParameterRow>* rows, const std::string& key)
{
    if (rows == nullptr) return nullptr;
    const auto found = std::find_if(rows->begin(), rows->end(), [&key](const auto& row) { return row.key == key; });
    return found == rows->end() ? nullptr : &*found;
}

/// The default, if it differs from the row's value.
std::string other_default(const ParameterRow& row, const std::vector<ParameterRow>* defaults)
{
    const ParameterRow* original = find(defaults, row.key);
    return original == nullptr || original->value == row.value ? std::string() : original->value;
}

std::string provenance_of(const ParameterRow& row) { return std::string(kProvenanceNames.name(row.provenance)); }

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

}  // namespace

std::string allowed_values(const ParameterRow& row)
{
    if (!row.choices.empty()) return fmt::format("{}", fmt::join(row.choices, ", "));
    if (row.kind == "boolean") return "true, false";
    if (row.low.empty()) return "";
    return fmt::format("{} to {}", row.low, row.high);
}

TextTable parameter_table(const std::vector<ParameterRow>& rows, const std::vector<ParameterRow>* defaults,
                          OriginIn origin)
{
    std::vector<TableColumn> columns{{"key"}, {defaults == nullptr ? "default" : "value"}};
    if (defaults != nullptr) columns.push_back({"default"});
    columns.push_back({"allowed"});
    if (origin == OriginIn::kColumns) {
        columns.push_back({"provenance"});
        columns.push_back({"source"});
    }
    columns.push_back({origin == OriginIn::kColumns ? "meaning" : "meaning [provenance: source]"});
    TextTable table(std::move(columns));
    std::string group = "\n";  // none has this name
    for (const ParameterRow& row : rows) {
        if (group_of(row) != group) table.section(heading_of(row));
        group = group_of(row);
        std::vector<std::string> cells{row.key, row.value};
        if (defaults != nullptr) cells.push_back(other_default(row, defaults));
        cells.push_back(allowed_values(row));
        if (origin == OriginIn::kColumns) {
            cells.insert(cells.end(), {provenance_of(row), row.source, row.meaning});
        } else {
            cells.push_back(fmt::format("{} [{}{}{}]", row.meaning, provenance_of(row), row.source.empty() ? "" : ": ",
                                        row.source));
        }
        table.row(std::move(cells));
    }
    return table;
}

TextTable option_table(const std::vector<ParameterRow>& rows)
{
    TextTable table({{"option"}, {"default"}, {"allowed"}, {"meaning"}});
    for (const ParameterRow& row : rows) table.row({row.key, row.value, allowed_values(row), row.meaning});
    return table;
}

Json parameters_json(const std::vector<ParameterRow>& rows, const std::vector<ParameterRow>* defaults)
{
    Json json = Json::array();
    for (const ParameterRow& row : rows) {
        const ParameterRow* original = find(defaults, row.key);
        json.push_back({{"key", row.key},
                        {"kind", row.kind},
                        {"value", row.value},
                        {"default", original == nullptr ? row.value : original->value},
                        {"smallest", text_or_null(row.low)},
                        {"largest", text_or_null(row.high)},
                        {"choices", row.choices.empty() ? Json() : Json(row.choices)},
                        {"provenance", provenance_of(row)},
                        {"source", text_or_null(row.source)},
                        {"meaning", row.meaning}});
    }
    return json;
}

}  // namespace ringmesh::lab
