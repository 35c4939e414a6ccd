// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/error.h"
#include "tlm/files/input_lines.h"

namespace ringmesh {

/// A CSV file of numbers and words without quotes, line by line. Empty lines and lines that begin with # are passed
/// over, as are blanks around cells.
class CsvLines {
public:
    /// @throws UserError if the file cannot be read, as require_input()
    explicit CsvLines(std::string path);

    /// Goes to the next line. False: the file is over.
    bool next();
    /// Of the line; valid until the next one.
    const std::vector<std::string_view>& cells() const { return cells_; }
    std::uint32_t line() const { return lines_.number(); }
    const std::string& path() const { return path_; }

    /// "FILE:LINE: WHAT".
    UserError problem(const std::string& what) const { return problem_of(line(), what); }
    UserError problem_of(std::uint32_t line, const std::string& what) const;
    /// "FILE:LINE:COLUMN: WHAT", where the cell begins.
    UserError problem(std::size_t cell, const std::string& what) const;
    /// @throws UserError naming the cell by `name` if it is no whole number from low to high
    std::int64_t whole(std::size_t cell, std::string_view name, std::int64_t low, std::int64_t high) const;
    /// @throws UserError likewise
    double number(std::size_t cell, std::string_view name, double low, double high) const;
    /// Whether the line is `names`: a head. @throws UserError if it has not as many cells
    bool is_head(const std::vector<std::string_view>& names) const;

private:
    std::string path_;
    InputLines lines_;
    std::vector<std::string_view> cells_;  // of the line
};

}  // namespace ringmesh
