// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/table/json.h"
#include "lab/table/results.h"
#include "lab/table/text_table.h"
#include "workloads/workload.h"

namespace ringmesh::lab {

/// Where a column is shown.
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
    std::string title;                                 ///< for readers: "error"
    std::string unit;                                  ///< "%"; empty for words and plain counts
    std::function<workloads::Cell(const Row&)> value;  ///< exact; std::monostate if there is none
    std::function<std::string(const Row&)> text = {};  ///< for readers; none: the value, as its column prints it
    unsigned shown = kEverywhere;                      ///< Shown, added up
    Align align = Align::kRight;                       ///< of texts for readers
};

/// Rows of one kind in every form that is written: text, Markdown, CSV, JSON, SQLite, page.
template <class Row>
class Listing {
public:
    explicit Listing(std::vector<ListedColumn<Row>> columns) : columns_(std::move(columns)) {}

    const std::vector<ListedColumn<Row>>& columns() const { return columns_; }

    /// Names, units and exact values, for CSV, SQL and the page.
    workloads::Results results(std::span<const Row> rows, Shown where = kInFiles) const
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
    Json json(const Row& row) const
    {
        Json object = Json::object();
        for (const auto& column : columns_) {
            if (column.shown & kInFiles) object[column.name] = cell_json(column.value(row));
        }
        return object;
    }

    /// A table without rows, for readers; row() gives its cells.
    TextTable table(Shown where = kOnTerminal) const
    {
        std::vector<TableColumn> shown;
        for (const auto& column : columns_) {
            if (column.shown & where) shown.push_back({column.title, column.align, column.unit});
        }
        return TextTable(std::move(shown));
    }
    std::vector<std::string> texts(const Row& row, Shown where = kOnTerminal) const
    {
        std::vector<std::string> cells;
        for (const auto& column : columns_) {
            if (column.shown & where) cells.push_back(column.text ? column.text(row) : cell_text(column.value(row), 3));
        }
        return cells;
    }

private:
    std::vector<ListedColumn<Row>> columns_;
};

}  // namespace ringmesh::lab
