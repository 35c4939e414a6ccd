// SPDX-License-Identifier: Apache-2.0
#include "lab/sql/csv_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "platforms/files/toml_document.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;

constexpr std::string_view kDigits = "0123456789";

std::string_view without_sign(std::string_view text)
{
    return text.starts_with('+') || text.starts_with('-') ? text.substr(1) : text;
}

/// 007 and +007, not 0 and 0.5.
bool looks_like_an_id(std::string_view text)
{
    const std::string_view digits = without_sign(text);
    return digits.size() > 1 && digits[0] == '0' && kDigits.find(digits[1]) != std::string_view::npos;
}

bool is_not_finite(std::string_view text)
{
    static constexpr std::array<std::string_view, 3> kNotFinite{"nan", "inf", "infinity"};
    const std::string word = lowered(without_sign(text));
    return std::ranges::find(kNotFinite, word) != kNotFinite.end();
}

/// None for what is no finite number.
std::optional<Cell> cell_of_text(const std::string& written)
{
    std::string_view text = platforms::trimmed(written);
    if (text.empty()) return Cell(std::monostate());
    if (is_not_finite(text)) return std::nullopt;
    if (looks_like_an_id(text)) return written;
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    const char* const end = text.data() + text.size();
    std::int64_t integer = 0;
    if (const auto [at, error] = std::from_chars(text.data(), end, integer); error == std::errc{} && at == end) {
        return Cell(integer);
    }
    double number = 0;
    const auto [at, error] = std::from_chars(text.data(), end, number);
    if (at != end) return written;
    if (error == std::errc::result_out_of_range || !std::isfinite(number)) return std::nullopt;
    return error == std::errc{} ? Cell(number) : Cell(written);
}

bool is_number_cell(const Cell& cell)
{
    return std::holds_alternative<std::int64_t>(cell) || std::holds_alternative<double>(cell);
}

/// What is wrong with a cell.
[[noreturn]] void fail_at(const CsvTable& csv, std::size_t row, std::size_t column, std::string_view what)
{
    throw UserError(fmt::format("{}: {} = {}: {}", csv.where(csv.rows[row]), csv.columns[column],
                                csv.rows[row].cells[column], what));
}

/// "4.07 ms", "4,07": SQL would take the number in front and drop the rest without a word. Not "4x4", "2D" or "1.0.13".
bool is_number_with_more(std::string_view text)
{
    double number = 0;
    const std::string_view unsigned_text = without_sign(text);
    const char* const end = unsigned_text.data() + unsigned_text.size();
    const auto [at, error] = std::from_chars(unsigned_text.data(), end, number);
    if (error != std::errc{} || at == end) return false;
    const std::string_view rest(at, static_cast<std::size_t>(end - at));
    if (rest.front() == ',') return rest.size() > 1 && rest.find_first_not_of(kDigits, 1) == std::string_view::npos;
    const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0 || c == '/' || c == '%'; };
    return rest.front() == ' ' && std::all_of(rest.begin() + 1, rest.end(), is_letter);
}

/// A column of the table is made one of numbers or one of texts.
void settle(SqlTable& table, const CsvTable& csv, std::size_t column)
{
    auto& rows = table.content.rows;
    bool numbers = false;
    bool ids = false;
    bool only_digits = true;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const std::string_view text = platforms::trimmed(csv.rows[r].cells[column]);
        numbers = numbers || is_number_cell(rows[r][column]);
        ids = ids || looks_like_an_id(text);
        only_digits = only_digits && text.find_first_not_of(kDigits) == std::string_view::npos;
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
        Cell& cell = rows[r][column];
        if (!numbers && is_number_with_more(platforms::trimmed(csv.rows[r].cells[column]))) {
            fail_at(csv, r, column,
                    "a number with more behind it; write the number alone, with a point: 4.07, and the unit into the "
                    "column's name");
        }
        if (numbers && ids && only_digits && is_number_cell(cell)) cell = csv.rows[r].cells[column];
        if (numbers && !(ids && only_digits) && std::holds_alternative<std::string>(cell)) {
            fail_at(csv, r, column,
                    "a text in a column of numbers; write it without unit, separators or needless zeros: 4.07");
        }
    }
}

}  // namespace

SqlTable sql_table_of(const CsvTable& csv)
{
    SqlTable table{csv.path.filename().string(), {}};
    for (const std::string& name : csv.columns) table.content.columns.push_back({name, ""});
    for (std::size_t r = 0; r < csv.rows.size(); ++r) {
        auto& cells = table.content.rows.emplace_back();
        for (std::size_t c = 0; c < csv.columns.size(); ++c) {
            auto cell = cell_of_text(csv.rows[r].cells[c]);
            if (!cell) {
                fail_at(csv, r, c, "not a finite number; leave the cell empty, which is NULL, or write a number");
            }
            cells.push_back(std::move(*cell));
        }
    }
    for (std::size_t c = 0; c < csv.columns.size(); ++c) settle(table, csv, c);
    return table;
}

}  // namespace ringmesh::lab
