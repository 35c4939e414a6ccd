// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/error.h"

namespace ringmesh::lab {

/// A CSV file as written: a line of names, then rows of texts, each with as many cells as there are names.
struct CsvTable {
    struct Row {
        std::vector<std::string> cells;
        std::size_t line = 0;  ///< where it begins, from 1
    };

    std::filesystem::path path;
    std::vector<std::string> columns;
    std::vector<Row> rows;

    /// The place of a column. @throws UserError with the known ones
    std::size_t column(std::string_view name) const;
    /// "FILE:LINE", for messages.
    std::string where(const Row& row) const;
};

/// A row of a file that a command wrote, by the names of its columns. Each member throws UserError "FILE:LINE: COLUMN =
/// CELL: what is wrong; cure" for a cell that is not what it asks for.
class CsvCells {
public:
    /// @param cure outlives it: "freeze the predictions again"
    CsvCells(const CsvTable& table, const CsvTable::Row& row, std::string_view cure)
        : table_(&table), row_(&row), cure_(cure)
    {}

    const std::string& text(std::string_view column) const { return row_->cells[table_->column(column)]; }
    double number(std::string_view column) const;
    std::optional<double> number_if_any(std::string_view column) const;
    /// Of what cannot be less than nothing.
    double uncertainty(std::string_view column) const;
    std::size_t count(std::string_view column) const;
    /// "yes", or nothing
    bool flag(std::string_view column) const;
    UserError wrong(std::string_view column, std::string_view what) const;

private:
    const CsvTable* table_;
    const CsvTable::Row* row_;
    std::string_view cure_;
};

/// Reads RFC 4180: cells in quotation marks may hold commas, line ends and "" for a quotation mark; lines end with LF
/// or CRLF; a byte order mark is skipped, and so are empty lines and those that begin with #. Beyond that, blanks
/// around a cell without quotation marks do not count.
/// @throws UserError "FILE:LINE: ..." if the file cannot be read, is not UTF-8, has no header, a column without a name
/// or twice, a row with more or fewer cells, or a quotation mark in a wrong place
CsvTable read_csv(const std::filesystem::path& path);
/// The same from a text. @param path for messages
CsvTable csv_from_text(std::string_view text, const std::filesystem::path& path);

}  // namespace ringmesh::lab
