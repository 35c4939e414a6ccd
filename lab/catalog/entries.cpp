// SPDX-License-Identifier: Apache-2.0
#include "lab/catalog/lists.h"

#include <fmt/format.h>

#include "lab/process/standard_streams.h"
#include "lab/table/results.h"

namespace ringmesh::lab {
namespace {

std::string member_text(const Json& value, const char* otherwise)
{
    if (value.is_null()) return otherwise;
    if (value.is_text()) return value.as_text();
    if (value.is_unsigned()) return std::to_string(value.as_unsigned());
    if (value.is_float()) return fmt::format("{:.1f}", value.as_number());
    return value.values().empty() ? otherwise : joined(value.as_texts());
}

}  // namespace

std::string list_text(const TextTable& table, Format format)
{
    if (format == Format::kCsv) {
        workloads::Results results;
        for (const TableColumn& column : table.columns()) results.columns.push_back({column.title, column.unit});
        for (const auto& row : table.cells()) results.rows.emplace_back(row.begin(), row.end());
        return results_csv(results);
    }
    return format == Format::kMarkdown ? table.markdown() : table.text(0, output_room());
}

std::string headed(const std::string& title, const TextTable& table, Format format, const char* mark)
{
    if (format == Format::kCsv) return fmt::format("# {}\n{}", title, list_text(table, format));
    const std::string heading =
        format == Format::kMarkdown ? fmt::format("{} {}", mark, title) : wrapped(title, 0, output_room().prose());
    return heading + "\n\n" + list_text(table, format);
}

TextTable entry_table(const std::vector<EntryColumn>& columns, const Json& entries)
{
    std::vector<TableColumn> headings;
    for (const EntryColumn& column : columns) headings.push_back({column.title});
    TextTable table(std::move(headings));
    for (const Json& entry : entries.values()) {
        std::vector<std::string> cells;
        for (const EntryColumn& column : columns)
            cells.push_back(member_text(entry.at(column.member), column.otherwise));
        table.row(std::move(cells));
    }
    return table;
}

std::string list_text(const char* key, const Json& entries, const std::vector<EntryColumn>& columns, Format format)
{
    if (format == Format::kJson) return json_text({{"ringmesh", program_json()}, {key, entries}});
    return list_text(entry_table(columns, entries), format);
}

std::string joined(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

}  // namespace ringmesh::lab
