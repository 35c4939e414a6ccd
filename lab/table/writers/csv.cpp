// SPDX-License-Identifier: Apache-2.0
#include "lab/table/writers/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "lab/table/writers/cells.h"
#include "lab/table/writers/plain_text.h"
#include "lab/table/writers/text_table.h"
#include "platforms/files/toml_document.h"
#include "tlm/error.h"
#include "tlm/files/input_lines.h"
#include "tlm/parameters/names.h"

namespace ringmesh::lab {
namespace {

/// Takes rows of cells off a text.
class CsvReader {
public:
    CsvReader(std::string_view text, std::string file) : rest_(without_mark(text)), file_(std::move(file)) {}

    /// @return false at the end
    bool read(CsvTable::Row& row)
    {
        while (take_line_end() || take_comment()) {
        }
        if (rest_.empty()) return false;
        row = {.cells = {}, .line = line_};
        do row.cells.push_back(cell());
        while (take(","));
        if (!rest_.empty() && !take_line_end()) {
            fail(line_, fmt::format("text behind the closing quotation mark of cell {}; write \"\" for a quotation "
                                    "mark within quotation marks",
                                    row.cells.size()));
        }
        return true;
    }

    [[noreturn]] void fail(std::size_t line, std::string_view what) const
    {
        throw UserError(fmt::format("{}:{}: {}", file_, line, what));
    }

private:
    bool take(std::string_view what)
    {
        if (!rest_.starts_with(what)) return false;
        rest_.remove_prefix(what.size());
        return true;
    }

    bool take_line_end()
    {
        if (!take("\n") && !take("\r\n")) return false;
        ++line_;
        return true;
    }

    bool take_comment()
    {
        if (!rest_.starts_with('#')) return false;
        rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
        return true;
    }

    std::string cell()
    {
        if (take("\"")) return quoted();
        std::size_t end = std::min(rest_.find_first_of(",\n"), rest_.size());
        if (end > 0 && end < rest_.size() && rest_[end] == '\n' && rest_[end - 1] == '\r') --end;
        if (end == rest_.size() && rest_.ends_with('\r')) --end;
        std::string text(rest_.substr(0, end));
        if (text.find('"') != std::string::npos) {
            fail(line_, fmt::format("cell '{}': a quotation mark in a cell that does not begin with one; write the "
                                    "cell in quotation marks, and \"\" for each within",
                                    text));
        }
        rest_.remove_prefix(end);
        if (rest_ == "\r") rest_ = {};
        return std::string(platforms::trimmed(text));
    }

    /// Behind the opening quotation mark.
    std::string quoted()
    {
        const std::size_t begin = line_;
        std::string text;
        while (true) {
            const std::size_t mark = rest_.find('"');
            if (mark == std::string_view::npos) fail(begin, "a quotation mark without its second; write it");
            const std::string_view part = rest_.substr(0, mark);
            line_ += static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n'));
            text += part;
            rest_.remove_prefix(mark + 1);
            if (!take("\"")) return text;
            text += '"';
        }
    }

    std::string_view rest_;
    std::string file_;
    std::size_t line_ = 1;
};

}  // namespace

std::size_t CsvTable::column(std::string_view name) const
{
    const auto found = std::find(columns.begin(), columns.end(), name);
    if (found == columns.end()) {
        throw UserError(fmt::format("{}:1: no column '{}'{}", platforms::shown(path), name, suggestion(name, columns)));
    }
    return static_cast<std::size_t>(found - columns.begin());
}

std::string CsvTable::where(const Row& row) const { return fmt::format("{}:{}", platforms::shown(path), row.line); }

CsvTable csv_from_text(std::string_view text, const std::filesystem::path& path)
{
    CsvReader reader(text, platforms::shown(path));
    CsvTable table{.path = path, .columns = {}, .rows = {}};
    CsvTable::Row row;
    if (!reader.read(row)) reader.fail(1, "empty; write a line with the names of the columns");
    table.columns = row.cells;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const std::string& name = table.columns[i];
        if (name.empty()) reader.fail(row.line, fmt::format("column {} has no name; write one", i + 1));
        const auto end = table.columns.begin() + static_cast<std::ptrdiff_t>(i);
        const auto same = [&name](const std::string& other) { return lowered(other) == lowered(name); };
        if (std::any_of(table.columns.begin(), end, same)) {
            reader.fail(row.line,
                        fmt::format("column '{}' is there twice, for SQL does not tell capitals; keep one", name));
        }
    }
    while (reader.read(row)) {
        if (row.cells.size() != table.columns.size()) {
            const bool many = row.cells.size() > table.columns.size();
            reader.fail(row.line,
                        fmt::format("{} where the header has {}; {}", counted(row.cells.size(), "cell"),
                                    counted(table.columns.size(), "column"),
                                    many ? "write a cell that has a comma in quotation marks, or name the column"
                                         : fmt::format("write the cell of '{}', empty if it has none",
                                                       table.columns[row.cells.size()])));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

CsvTable read_csv(const std::filesystem::path& path) { return csv_from_text(read_plain_text(path), path); }

double CsvCells::number(std::string_view column) const
{
    const auto value = number_from<double>(text(column));
    if (value && std::isfinite(*value)) return *value;
    throw wrong(column, "not a number");
}

std::optional<double> CsvCells::number_if_any(std::string_view column) const
{
    return text(column).empty() ? std::nullopt : std::optional(number(column));
}

double CsvCells::uncertainty(std::string_view column) const
{
    const double value = number(column);
    if (value < 0) throw wrong(column, "below zero");
    return value;
}

std::size_t CsvCells::count(std::string_view column) const
{
    const double value = uncertainty(column);
    if (value != std::floor(value)) throw wrong(column, "not a whole number");
    return static_cast<std::size_t>(value);
}

bool CsvCells::flag(std::string_view column) const
{
    const std::string& cell = text(column);
    if (cell != "yes" && !cell.empty()) throw wrong(column, "neither yes nor empty");
    return !cell.empty();
}

UserError CsvCells::wrong(std::string_view column, std::string_view what) const
{
    return UserError(fmt::format("{}: {} = {}: {}; {}", table_->where(*row_), column, text(column), what, cure_));
}

}  // namespace ringmesh::lab
