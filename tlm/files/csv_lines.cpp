// SPDX-License-Identifier: Apache-2.0
#include "tlm/files/csv_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <utility>

#include "tlm/files/input_file.h"

namespace ringmesh {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::string_view without_blanks_around(std::string_view text)
{
    constexpr std::string_view kBlanks = " \t\r";
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return text.substr(0, 0);
    return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

template <class Number>
bool reads_as(std::string_view text, Number& value)
{
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    return error == std::errc{} && rest == end;
}

}  // namespace

CsvLines::CsvLines(std::string path) : path_(std::move(path)), file_((require_input(path_), path_))
{
    if (!file_) throw UserError(fmt::format("{}: cannot be read; write the name of a CSV file", path_));
}

bool CsvLines::next()
{
    while (std::getline(file_, text_)) {
        ++line_;
        if (line_ == 1 && text_.starts_with(kByteOrderMark)) text_.erase(0, kByteOrderMark.size());
        std::string_view rest = without_blanks_around(text_);
        if (rest.empty() || rest.front() == '#') continue;
        cells_.clear();
        for (;;) {
            const std::size_t comma = rest.find(',');
            cells_.push_back(without_blanks_around(rest.substr(0, comma)));
            if (comma == std::string_view::npos) return true;
            rest.remove_prefix(comma + 1);
        }
    }
    return false;
}

UserError CsvLines::problem(const std::string& what) const
{
    return UserError(fmt::format("{}:{}: {}", path_, line_, what));
}

UserError CsvLines::problem(std::size_t cell, const std::string& what) const
{
    return UserError(fmt::format("{}:{}:{}: {}", path_, line_, cells_.at(cell).data() - text_.data() + 1, what));
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
