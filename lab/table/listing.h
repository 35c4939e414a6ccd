// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "lab/table/results.h"
#include "lab/table/writers/json.h"
#include "lab/table/writers/text_table.h"
#include "tlm/units/units.h"
#include "workloads/workload.h"

namespace ringmesh::lab {

/// Nothing for no number, for an empty text and for "no".
inline workloads::Cell cell_of(workloads::Cell cell) { return cell; }
inline workloads::Cell cell_of(double number) { return number; }
inline workloads::Cell cell_of(Duration time) { return time.ns(); }
template <std::integral Count>
workloads::Cell cell_of(Count count)
{
    return static_cast<std::int64_t>(count);
}
inline workloads::Cell cell_of(std::string text)
{
    return text.empty() ? workloads::Cell(std::monostate()) : workloads::Cell(std::move(text));
}
inline workloads::Cell cell_of(std::string_view text) { return cell_of(std::string(text)); }
inline workloads::Cell cell_of(bool flag) { return cell_of(std::string(flag ? "yes" : "")); }
template <class Value>
workloads::Cell cell_of(const std::optional<Value>& value)
{
    return value ? cell_of(*value) : workloads::Cell(std::monostate());
}

/// Where a column is shown. Tables of one kind of rows alone have further bits, from 16 on.
enum Shown : std::uint8_t {
    kOnTerminal = 1,
    kInMarkdown = 2,  ///< a table on a page of docs/, which may be wide
    kInFiles = 4,     ///< CSV and JSON
    kInSql = 8,       ///< a study's database, the index of a store, the page
    kEverywhere = 15,
};

/// All that is known about one column of a table whose rows are structs: a new column is one of these.
template <class Row>
struct ListedColumn {
    std::string name;                                  ///< in CSV, JSON, SQL and on the page: "error_percent"
    std::string title;                                 ///< for readers: "error"; empty: for programs alone
    std::function<workloads::Cell(const Row&)> value;  ///< exact; std::monostate if there is none
    std::string unit = {};                             ///< "%"; empty for words and plain counts
    std::function<std::string(const Row&)> text = {};  ///< for readers; none: the value, as its column prints it
    unsigned shown = kEverywhere;                      ///< Shown, added up
    Align align = Align::kRight;                       ///< of texts for readers

    ListedColumn titled(std::string words, std::string of_unit = {}) &&
    {
        title = std::move(words);
        unit = std::move(of_unit);
        return std::move(*this);
    }
    ListedColumn printed(std::function<std::string(const Row&)> as) &&
    {
        text = std::move(as);
        return std::move(*this);
    }
    /// Numbers with so many decimals; an empty text where there is nothing.
    ListedColumn printed(int decimals) &&
    {
        text = [value = value, decimals](const Row& row) {
            const workloads::Cell cell = value(row);
            return std::holds_alternative<std::monostate>(cell) ? std::string() : cell_text(cell, decimals);
        };
        return std::move(*this);
    }
    ListedColumn in(unsigned places) &&
    {
        shown = places;
        return std::move(*this);
    }
};

/// A column of a member, or of what a function of the row gives, in any type that cell_of() takes; its title is its
/// name.
template <class Row, class Value>
ListedColumn<Row> listed(std::string name, Value value)
{
    using Result = std::remove_cvref_t<std::invoke_result_t<Value, const Row&>>;
    constexpr bool kIsText = std::is_same_v<Result, std::string> || std::is_same_v<Result, std::string_view>;
    return {.name = name,
            .title = name,
            .value = [value](const Row& row) { return cell_of(std::invoke(value, row)); },
            .align = kIsText ? Align::kLeft : Align::kRight};
}

/// Rows of one kind in every form that is written: text, Markdown, CSV, JSON, SQLite, page.
template <class Row>
class Listing {
public:
    explicit Listing(std::vector<ListedColumn<Row>> columns) : columns_(std::move(columns)) {}

    const std::vector<ListedColumn<Row>>& columns() const { return columns_; }

    /// Names and titles.
    std::vector<std::pair<std::string, std::string>> headings(unsigned where) const
    {
        std::vector<std::pair<std::string, std::string>> all;
        for (const auto& column : columns_) {
            if (column.shown & where) all.emplace_back(column.name, column.title);
        }
        return all;
    }

    /// Names, units and exact values, for CSV, SQL and the page.
    workloads::Results results(std::span<const Row> rows, unsigned where = kInFiles) const
    {
        workloads::Results made;
        for (const auto& column : columns_) {
            if (column.shown & where) made.columns.push_back({column.name, column.unit});
        }
        for (const Row& row : rows) {
            auto& cells = made.rows.emplace_back();
            for (const auto& column : columns_) {
                if (column.shown & where) cells.push_back(column.value(row));
            }
        }
        return made;
    }

    /// {name: value, ...}; null where there is none.
    Json json(const Row& row, unsigned where = kInFiles) const
    {
        Json object = Json::object();
        for (const auto& column : columns_) {
            if (column.shown & where) object.add(column.name, cell_json(column.value(row)));
        }
        return object;
    }

    /// A table without rows, for readers; row() gives its cells.
    TextTable table(unsigned where = kOnTerminal) const
    {
        std::vector<TableColumn> shown;
        for (const auto& column : columns_) {
            if (column.shown & where) shown.push_back({column.title, column.align, column.unit});
        }
        return TextTable(std::move(shown));
    }
    std::vector<std::string> texts(const Row& row, unsigned where = kOnTerminal) const
    {
        std::vector<std::string> cells;
        for (const auto& column : columns_) {
            if (column.shown & where) cells.push_back(column.text ? column.text(row) : cell_text(column.value(row), 3));
        }
        return cells;
    }

    /// [{name: value, ...}, ...]
    Json json(std::span<const Row> rows, unsigned where = kInFiles) const
    {
        return Json::list(rows, [&](const Row& row) { return json(row, where); });
    }

    /// A line for all that is known of a row: title and value, texts whole. @param more such lines, behind these
    std::string description(const Row& row, Room room,
                            const std::vector<std::pair<std::string_view, std::string>>& more = {}) const
    {
        std::vector<std::pair<std::string_view, std::string>> lines;
        std::size_t widest = 0;
        for (const auto& column : columns_) {
            const workloads::Cell cell = column.value(row);
            if (column.title.empty() || std::holds_alternative<std::monostate>(cell)) continue;
            const bool is_text = std::holds_alternative<std::string>(cell);
            lines.emplace_back(column.title, column.text && !is_text ? column.text(row) : cell_text(cell, 3));
            if (!column.unit.empty()) lines.back().second += ' ' + column.unit;
            widest = std::max(widest, column.title.size());
        }
        lines.insert(lines.end(), more.begin(), more.end());
        for (const auto& [title, text] : more) widest = std::max(widest, title.size());
        std::string all;
        for (const auto& [title, text] : lines) {
            all += std::string(title) + std::string(widest + 2 - title.size(), ' ') +
                   wrapped(text, widest + 2, room.prose()) + '\n';
        }
        return all;
    }

    /// For readers, a line for each row.
    TextTable table(std::span<const Row> rows, unsigned where = kOnTerminal) const
    {
        TextTable made = table(where);
        for (const Row& row : rows) made.row(texts(row, where));
        return made;
    }

private:
    std::vector<ListedColumn<Row>> columns_;
};

}  // namespace ringmesh::lab
