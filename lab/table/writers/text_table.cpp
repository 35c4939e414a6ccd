// SPDX-License-Identifier: Apache-2.0
#include "lab/table/writers/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

/// Of a first column that is too wide; what is longer stands above its row.
constexpr std::size_t kNarrowestFirst = 16;

constexpr std::string_view kBar = "\\|";  ///< unescaped it ends a cell of Markdown

std::string padded(std::string_view text, std::size_t width, Align align)
{
    const std::string fill(width - std::min(width, display_width(text)), ' ');
    return align == Align::kLeft ? std::string(text) + fill : fill + std::string(text);
}

void end_line(std::string& text)
{
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
}

/// Broken at blanks; a word longer than the width has a line of its own.
std::vector<std::string> lines_of(std::string_view text, std::size_t width)
{
    std::vector<std::string> lines{""};
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' ', text.find_first_not_of(' ')));
        text.remove_prefix(word.size());
        if (!lines.back().empty() && display_width(lines.back()) + display_width(word) > width) {
            lines.emplace_back(word.substr(std::min(word.find_first_not_of(' '), word.size())));
        } else {
            lines.back() += word;
        }
    }
    return lines;
}

std::size_t longest_word(std::string_view text)
{
    std::size_t longest = 0;
    for (const std::string& word : lines_of(text, 0)) longest = std::max(longest, display_width(word));
    return longest;
}

/// With commas between the thousands.
std::string grouped(std::string number)
{
    const std::size_t first = number.find_first_of("0123456789");
    if (first == std::string::npos) return number;
    std::size_t at = std::min(number.find_first_not_of("0123456789", first), number.size());
    while (at > first + 3) number.insert(at -= 3, 1, ',');
    return number;
}

}  // namespace

void TextTable::section(std::string heading) { rows_.push_back({Kind::kSection, {std::move(heading)}}); }

void TextTable::words(std::string text) { rows_.push_back({Kind::kWords, {std::move(text)}}); }

void TextTable::row(std::vector<std::string> cells)
{
    if (cells.size() != columns_.size()) {
        throw ModelError(fmt::format("a row of {} cells in a table of {} columns", cells.size(), columns_.size()));
    }
    rows_.push_back({Kind::kCells, std::move(cells)});
}

std::vector<std::vector<std::string>> TextTable::cells() const
{
    std::vector<std::vector<std::string>> all;
    for (const Row& row : rows_) {
        if (row.kind == Kind::kCells) all.push_back(row.cells);
    }
    return all;
}

std::vector<std::size_t> TextTable::widths(std::size_t for_cells, Room room) const
{
    std::vector<std::size_t> widths;
    std::vector<std::size_t> least;
    for (const TableColumn& column : columns_) {
        widths.push_back(std::max(longest_word(column.title), display_width(column.unit)));
        least.push_back(std::max<std::size_t>(widths.back(), 10));
    }
    for (const Row& row : rows_) {
        if (row.kind != Kind::kCells) continue;
        for (std::size_t i = 0; i < widths.size(); ++i) {
            widths[i] = std::max(widths[i], display_width(row.cells[i]));
            least[i] = std::max(least[i], longest_word(row.cells[i]));
        }
    }
    // Titles stay whole where there is room
    std::vector<std::size_t> whole = widths;
    for (std::size_t i = 0; i < whole.size(); ++i) whole[i] = std::max(whole[i], display_width(columns_[i].title));
    if (std::accumulate(whole.begin(), whole.end(), std::size_t{0}) <= for_cells) widths = whole;
    if (!room.wraps) return widths;
    // The last column stays twice as wide as any other
    const std::size_t last = widths.size() - 1;
    for (std::size_t all = std::accumulate(widths.begin(), widths.end(), std::size_t{0}); all > for_cells; --all) {
        std::size_t chosen = 0;  // is never narrowed: it names the row
        std::size_t widest = 0;
        for (std::size_t i = 1; i <= last; ++i) {
            const std::size_t weight = i == last ? widths[i] : 2 * widths[i];
            if (columns_[i].align == Align::kRight || widths[i] <= least[i] || weight < widest) continue;
            chosen = i;
            widest = weight;
        }
        if (chosen == 0) break;
        --widths[chosen];
    }
    if (!room.splits || widths.empty()) return widths;
    const std::size_t all = std::accumulate(widths.begin(), widths.end(), std::size_t{0});
    if (all <= for_cells) return widths;
    const std::size_t others = all - widths[0];
    const std::size_t narrowest = std::max(kNarrowestFirst, longest_word(columns_[0].title));
    if (others + std::min(narrowest, least[0]) <= for_cells) {
        widths[0] = std::min(widths[0], for_cells - others);
    } else {
        widths[0] = std::min(widths[0], std::max(least[0], for_cells / 2));
    }
    return widths;
}

bool TextTable::fits(Room room, std::size_t indent) const
{
    const auto widths = this->widths(kUnbroken, {});
    return std::accumulate(widths.begin(), widths.end(), indent + 2 * (columns_.size() - 1)) <= room.width;
}

void TextTable::leave_out(std::string_view title)
{
    const auto found = std::ranges::find(columns_, title, &TableColumn::title);
    if (found != columns_.end()) erase(static_cast<std::size_t>(found - columns_.begin()));
}

void TextTable::erase(std::size_t column)
{
    const auto at = static_cast<std::ptrdiff_t>(column);
    columns_.erase(columns_.begin() + at);
    for (Row& row : rows_) {
        if (row.kind == Kind::kCells) row.cells.erase(row.cells.begin() + at);
    }
}

std::vector<std::pair<std::string, std::string>> TextTable::leave_out_equal(Room room)
{
    std::vector<std::pair<std::string, std::string>> left_out;
    const auto rows = cells();
    if (!room.splits || rows.size() < 2 || fits(room)) return left_out;
    for (std::size_t i = columns_.size(); --i > 0;) {
        const std::string& first = rows.front()[i];
        if (std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row[i] != first; })) continue;
        const auto& [title, align, unit] = columns_[i];
        left_out.emplace_back(title, unit.empty() || first == "-" ? first : fmt::format("{} {}", first, unit));
        erase(i);
    }
    std::reverse(left_out.begin(), left_out.end());
    return left_out;
}

std::vector<std::string> TextTable::leave_out(const std::vector<std::string>& expendable, Room room)
{
    std::vector<std::string> left_out;
    for (const std::string& title : expendable) {
        if (!room.splits || fits(room)) break;
        const std::size_t before = columns_.size();
        leave_out(title);
        if (columns_.size() == before) continue;
        left_out.push_back(title);
    }
    return left_out;
}

std::size_t TextTable::keys() const
{
    for (std::size_t n = 1; n < columns_.size(); ++n) {
        std::set<std::vector<std::string>> seen;
        std::vector<std::string> key(n);
        const bool differ = std::all_of(rows_.begin(), rows_.end(), [&](const Row& row) {
            if (row.kind == Kind::kSection) seen.clear();
            if (row.kind != Kind::kCells) return true;
            std::size_t i = 0;
            while (i < n && row.cells[i].empty()) ++i;
            std::copy(row.cells.begin() + static_cast<std::ptrdiff_t>(i),
                      row.cells.begin() + static_cast<std::ptrdiff_t>(n), key.begin() + static_cast<std::ptrdiff_t>(i));
            return seen.insert(key).second;
        });
        if (differ) return n;
    }
    return 1;
}

std::vector<std::vector<std::size_t>> TextTable::parts(const std::vector<std::size_t>& widths, std::size_t indent,
                                                       Room room) const
{
    const auto width_of = [&](std::size_t from, std::size_t to) {
        std::size_t width = 0;
        for (std::size_t i = from; i < to; ++i) width += widths[i] + 2;
        return width;
    };
    std::vector<std::size_t> all(columns_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    if (!room.splits || indent + width_of(0, all.size()) <= room.width + 2) return {all};
    std::size_t keys = this->keys();
    const std::size_t widest = *std::max_element(widths.begin() + static_cast<std::ptrdiff_t>(keys), widths.end());
    if (indent + width_of(0, keys) + widest > room.width) keys = 1;
    const std::vector<std::size_t> repeated(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(keys));
    std::vector<std::vector<std::size_t>> parts;
    std::size_t used = room.width + 1;
    for (std::size_t i = keys; i < all.size(); ++i) {
        if (used + widths[i] > room.width) {
            parts.push_back(repeated);
            used = indent + width_of(0, keys);
        }
        parts.back().push_back(i);
        used += widths[i] + 2;
    }
    return parts;
}

std::string TextTable::part_text(const std::vector<std::size_t>& columns, const std::vector<std::size_t>& widths,
                                 std::size_t indent, Room room, std::size_t repeated) const
{
    const auto begins_empty = [](const Row& row) { return row.kind == Kind::kCells && row.cells.front().empty(); };
    const bool skips = repeated > 0 && std::none_of(rows_.begin(), rows_.end(), begins_empty);
    const auto says_nothing = [&](const Row& row) {
        return skips && std::all_of(columns.begin() + static_cast<std::ptrdiff_t>(repeated), columns.end(),
                                    [&row](std::size_t i) { return row.cells[i].empty(); });
    };
    std::string all;
    const auto add_line = [&](const auto& cell_of) {
        std::string line(indent, ' ');
        for (const std::size_t i : columns) {
            line += padded(cell_of(i), widths[i], columns_[i].align) + (i != columns.back() ? "  " : "");
        }
        end_line(line);
        all += line;
    };
    const auto add_row = [&](const std::vector<std::string>& cells, bool at_the_bottom = false) {
        std::vector<std::vector<std::string>> broken(cells.size());
        std::size_t lines = 1;
        for (const std::size_t i : columns) {
            broken[i] = lines_of(cells[i], widths[i]);
            if (i == 0 && std::any_of(broken[i].begin(), broken[i].end(),
                                      [&](const std::string& line) { return display_width(line) > widths[i]; })) {
                all += std::string(indent, ' ') + wrapped(cells[i], indent, room.width) + '\n';
                broken[i] = {""};
            }
            lines = std::max(lines, broken[i].size());
        }
        for (std::size_t n = 0; n < lines; ++n) {
            add_line([&](std::size_t i) {
                const std::size_t empty = at_the_bottom ? lines - broken[i].size() : 0;
                return n >= empty && n - empty < broken[i].size() ? std::string_view(broken[i][n - empty])
                                                                  : std::string_view();
            });
        }
    };
    std::vector<std::string> titles;
    for (const TableColumn& column : columns_) titles.push_back(column.title);
    add_row(titles, true);
    if (std::any_of(columns.begin(), columns.end(), [this](std::size_t i) { return !columns_[i].unit.empty(); })) {
        add_line([this](std::size_t i) { return std::string_view(columns_[i].unit); });
    }
    add_line([&widths](std::size_t i) { return std::string(widths[i], '-'); });
    for (const Row& row : rows_) {
        if (row.kind == Kind::kWords) {
            const std::size_t outdent = indent - std::min<std::size_t>(indent, 2);
            all += std::string(outdent, ' ') + wrapped(row.cells.front(), indent, room.prose()) + '\n';
        } else if (row.kind == Kind::kSection) {
            all += '\n' + std::string(indent, ' ') + wrapped(row.cells.front(), indent, room.prose()) + '\n';
        } else if (!says_nothing(row)) {
            add_row(row.cells);
        }
    }
    return all;
}

std::string TextTable::text(std::size_t indent, Room room) const
{
    if (room.splits && !fits(room, indent)) {
        TextTable filled = *this;
        const auto rows = cells();
        for (std::size_t i = columns_.size(); --i > 0;) {
            const auto is_empty = [i](const auto& row) { return row[i].empty(); };
            if (!rows.empty() && std::all_of(rows.begin(), rows.end(), is_empty)) filled.erase(i);
        }
        if (filled.columns_.size() < columns_.size()) return filled.text(indent, room);
    }
    const std::size_t gaps = indent + 2 * (columns_.size() - 1);
    const std::vector<std::size_t> widths = this->widths(room.width - std::min(room.width, gaps), room);
    std::string all;
    for (const auto& columns : parts(widths, indent, room)) {
        std::size_t repeated = 0;  // columns of a later part that the first one has, too
        while (!all.empty() && repeated < columns.size() && columns[repeated] == repeated) ++repeated;
        all += (all.empty() ? "" : "\n") + part_text(columns, widths, indent, room, repeated);
    }
    return all;
}

std::string TextTable::markdown_header() const
{
    std::string titles = "|";
    std::string rule = "|";
    for (const TableColumn& column : columns_) {
        titles +=
            ' ' + substituted(column.title, '|', kBar) + (column.unit.empty() ? "" : " [" + column.unit + "]") + " |";
        rule += column.align == Align::kLeft ? " --- |" : " ---: |";
    }
    return titles + '\n' + rule + '\n';
}

std::string TextTable::markdown(unsigned heading_level) const
{
    std::string all;
    bool header_due = true;
    for (const Row& row : rows_) {
        if (row.kind == Kind::kWords) continue;
        if (row.kind == Kind::kSection) {
            all += (all.empty() ? "" : "\n") + std::string(heading_level, '#') + ' ' + row.cells.front() + "\n\n";
            header_due = true;
            continue;
        }
        if (header_due) all += markdown_header();
        header_due = false;
        all += '|';
        for (const std::string& cell : row.cells)
            all += cell.empty() ? " |" : ' ' + substituted(cell, '|', kBar) + " |";
        all += '\n';
    }
    return all;
}

std::size_t display_width(std::string_view text)
{
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width)
{
    return fmt::format("{}",
                       fmt::join(lines_of(text, width - std::min(indent, width)), '\n' + std::string(indent, ' ')));
}

std::string counted(std::size_t number, std::string_view word)
{
    return fmt::format("{} {}{}", number, word, number == 1 ? "" : "s");
}

std::string with_thousands(std::int64_t number) { return grouped(std::to_string(number)); }

std::string with_thousands(double number, int decimals) { return grouped(fmt::format("{:.{}f}", number, decimals)); }

int decimals_for(std::span<const double> numbers)
{
    double smallest = std::numeric_limits<double>::infinity();
    double largest = 0;
    bool whole = true;
    for (const double number : numbers) {
        if (number != 0) smallest = std::min(smallest, std::abs(number));
        largest = std::max(largest, std::abs(number));
        whole = whole && number == std::floor(number);
    }
    if (whole) return 0;
    const int magnitude = static_cast<int>(std::floor(std::log10(smallest)));
    if (largest < 0.1) return std::clamp(2 - magnitude, 3, 6);
    const int digits_before_the_point = std::max(1, magnitude + 1);
    return std::clamp(5 - digits_before_the_point, 0, 3);
}

std::string rounded(Duration duration)
{
    if (duration >= 1_s) return fmt::format("{:.3f} s", duration.seconds());
    if (duration >= 1_ms) return fmt::format("{:.3f} ms", duration.us() / 1e3);
    if (duration >= 1_us) return fmt::format("{:.3f} us", duration.us());
    return fmt::format("{:.3f} ns", duration.ns());
}

std::size_t widest_line(std::string_view text)
{
    std::size_t widest = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        widest = std::max(widest, display_width(text.substr(0, end)));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return widest;
}

std::string two_digits(double number)
{
    const double size = std::abs(number);
    if (size == 0) return "0";
    const std::string minus = number < 0 ? "-" : "";
    if (size < 0.001) return minus + "<0.001";
    return minus + (size < 99.5 ? fmt::format("{:.2g}", size) : fmt::format("{:.0f}", size));
}

std::string signed_two_digits(double number) { return (number < 0 ? "" : "+") + two_digits(number); }

std::string six_digits(const std::optional<double>& number) { return number ? fmt::format("{:.6g}", *number) : ""; }

std::string csv_cell(std::string_view text)
{
    if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
    return '"' + substituted(std::string(text), '"', "\"\"") + '"';
}

std::string substituted(std::string text, char what, std::string_view by)
{
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) text.replace(at, 1, by);
    return text;
}

}  // namespace ringmesh::lab
