// SPDX-License-Identifier: Apache-2.0
#include "tlm/files/csv_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <utility>

namespace ringmesh {
namespace {

template <class Number>
bool reads_as(std::string_view text, Number& value)
{
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    return error == std::errc{} && rest == end;
}

}  // namespace

CsvLines::CsvLines(std::string path) : path_(std::move(path)), lines_(path_) {}

bool CsvLines::next()
{
    while (lines_.next()) {
        std::string_view rest = lines_.text();
        if (rest.empty() || rest.front() == '#') continue;
        cells_.clear();
        for (;;) {
            const std::size_t comma = rest.find(',');
            cells_.push_back(trimmed(rest.substr(0, comma)));
            if (comma == std::string_view::npos) return true;
            rest.remove_prefix(comma + 1);
        }
    }
    return false;
}

UserError CsvLines::problem_of(std::uint32_t line, const std::string& what) const
{
    return UserError(fmt::format("{}:{}: {}", path_, line, what));
}

UserError CsvLines::problem(std::size_t cell, const std::string& what) const
{
    return UserError(fmt::format("{}:{}:{}: {}", path_, line(), lines_.column(cells_.at(cell)), what));
}

std::int64_t CsvLines::whole(std::size_t cell, std::string_view name, std::int64_t low, std::int64_t high) const
{
    std::int64_t value = 0;
    if (reads_as(cells_.at(cell), value) && value >= low && value <= high) return value;
    throw problem(cell, fmt::format("{} = {}: write a whole number from {} to {}", name, cells_[cell], low, high));
}

double CsvLines::number(std::size_t cell, std::string_view name, double low, double high) const
{
    double value = 0;
    if (reads_as(cells_.at(cell), value) && value >= low && value <= high) return value;
    throw problem(cell, fmt::format("{} = {}: write a number from {} to {}", name, cells_[cell], low, high));
}

bool CsvLines::is_head(const std::vector<std::string_view>& names) const
{
    if (cells_ == names) return true;
    if (cells_.size() == names.size()) return false;
    throw problem(fmt::format("{} cells; write {} in each line", cells_.size(), fmt::join(names, ",")));
}

}  // namespace ringmesh
