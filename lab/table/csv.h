// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

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

/// Reads RFC 4180: cells in quotation marks may hold commas, line ends and "" for a quotation mark; lines end with LF
/// or CRLF; a byte order mark is skipped, and so are empty lines. Beyond that, blanks around a cell without quotation
/// marks do not count.
/// @throws UserError "FILE:LINE: ..." if the file cannot be read, is not UTF-8, has no header, a column without a name
/// or twice, a row with more or fewer cells, or a quotation mark in a wrong place
CsvTable read_csv(const std::filesystem::path& path);
/// The same from a text. @param path for messages
CsvTable csv_from_text(std::string_view text, const std::filesystem::path& path);

}  // namespace ringmesh::lab
