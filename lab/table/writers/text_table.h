// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tlm/units/units.h"

/// Tables on a terminal and in Markdown, and the texts in their cells.
namespace ringmesh::lab {

/// The maximum length of lines of text that can be wrapped.
inline constexpr std::size_t kTextWidth = 120;

/// A width of which no line is broken.
inline constexpr std::size_t kUnbroken = std::string::npos - 1;

/// Room for text: a terminal, or what is not one.
struct Room {
    std::size_t width = kTextWidth;  ///< in columns
    bool splits = false;             ///< a table that is wider all the same is shown in several parts: a terminal
    bool wraps = true;               ///< cells are broken

    Room() = default;
    Room(std::size_t columns, bool splits_tables = false) : width(columns), splits(splits_tables) {}
    /// Lines of prose are easy to read up to here.
    std::size_t prose() const { return width < kTextWidth ? width : kTextWidth; }
    /// For results: in a file their cells stay on one line, because programs look for them.
    Room for_results() const
    {
        Room room = *this;
        room.wraps = splits;
        return room;
    }
};

enum class Align : std::uint8_t { kLeft, kRight };

struct TableColumn {
    std::string title;
    Align align = Align::kLeft;
    std::string unit = {};  ///< a second line of the header, if any column has one
};

/// Rows of texts under headings. Columns are as wide as their widest cell; text in the last column may be of any
/// length.
class TextTable {
public:
    explicit TextTable(std::vector<TableColumn> columns) : columns_(std::move(columns)) {}

    /// Starts a section: a heading line between the rows.
    void section(std::string heading);
    /// A line between the rows, two columns left of them if they are indented, wrapped behind as many blanks as they
    /// have; not in Markdown.
    void words(std::string text);
    /// @pre as many cells as columns
    void row(std::vector<std::string> cells);
    bool empty() const { return rows_.empty(); }
    /// Leaves out columns, from the first of these on, until the table fits the room with its texts whole, if the room
    /// splits tables. @return the titles of those left out
    std::vector<std::string> leave_out(const std::vector<std::string>& expendable, Room room);
    /// Leaves out columns in which all rows are alike, but for the first, if the table does not fit the room and the
    /// room splits tables; needs two rows. @return title and cell with its unit of those left out
    std::vector<std::pair<std::string, std::string>> leave_out_equal(Room room);
    /// Leaves out the column of this title, if there is one.
    void leave_out(std::string_view title);
    const std::vector<TableColumn>& columns() const { return columns_; }
    /// The cells of each row, without what stands between them.
    std::vector<std::vector<std::string>> cells() const;

    /// Aligned, with two spaces between columns and `indent` before each line; ends with a new line. If it is wider
    /// than the room, titles are wrapped at blanks, then texts within their columns, except in the first. Then, if the
    /// room splits, columns that are empty go; the first one becomes narrower, with a line of its own above the row for
    /// what is too long; or there are several tables, each with as many columns as have room, behind the first ones
    /// that tell the rows of a section apart. A word is never broken.
    std::string text(std::size_t indent = 0, Room room = {}) const;
    /// A GitHub table for each section, under its heading as a title of the given level.
    std::string markdown(unsigned heading_level = 3) const;

private:
    enum class Kind : std::uint8_t { kCells, kSection, kWords };
    struct Row {
        Kind kind = Kind::kCells;
        std::vector<std::string> cells;
    };
    std::string markdown_header() const;
    /// @param for_cells of the room's width, without indent and gaps
    std::vector<std::size_t> widths(std::size_t for_cells, Room room) const;
    /// The numbers of the columns of each part, if they are as wide as this.
    std::vector<std::vector<std::size_t>> parts(const std::vector<std::size_t>& widths, std::size_t indent,
                                                Room room) const;
    bool fits(Room room, std::size_t indent = 0) const;
    void erase(std::size_t column);
    /// How many of the first columns tell the rows of each section apart; a row that begins with empty cells continues
    /// the one above.
    std::size_t keys() const;
    /// @param repeated so many columns stand in an earlier part, too: rows of which no other has a text are left out
    std::string part_text(const std::vector<std::size_t>& columns, const std::vector<std::size_t>& widths,
                          std::size_t indent, Room room, std::size_t repeated) const;

    std::vector<TableColumn> columns_;
    std::vector<Row> rows_;
};

/// Columns that a text takes on a terminal: its characters, each counted as one column.
std::size_t display_width(std::string_view text);

/// Of the widest line.
std::size_t widest_line(std::string_view text);

/// A text as a cell of CSV, in quotation marks if necessary.
std::string csv_cell(std::string_view text);
/// Each such character replaced by a text.
std::string substituted(std::string text, char what, std::string_view by);
/// Six digits, as in files that are compared and committed; empty for none.
std::string six_digits(const std::optional<double>& number);

/// Broken at blanks into lines of at most `width`, all but the first behind `indent` blanks; no new line at the end.
std::string wrapped(std::string_view text, std::size_t indent = 0, std::size_t width = kTextWidth);

/// "1 point", "12 points": of a word that has its plural by an s
std::string counted(std::size_t number, std::string_view word);

/// "1,234,567"
std::string with_thousands(std::int64_t number);
/// "4,177.35": rounded to this many decimals, trailing zeros kept. A number that is not finite is "nan" or "inf".
std::string with_thousands(double number, int decimals);

/// "1.2", "35", "154": two digits or all before the point, never an exponent; "<0.001" for less.
std::string two_digits(double number);
/// The same with a sign: "+1.2", "-154", "+<0.001".
std::string signed_two_digits(double number);

/// The number of decimals (0 to 3) that shows five digits of the smallest nonzero number; 0 if all are whole. If all
/// are below 0.1, up to 6, for three digits of the smallest.
int decimals_for(std::span<const double> numbers);

/// "15.300 ms": four digits or more, in the unit that leaves at least one before the point.
std::string rounded(Duration duration);

}  // namespace ringmesh::lab
