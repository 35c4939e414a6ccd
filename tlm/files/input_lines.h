// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

/// Texts as editors of any system save them: a byte order mark at the beginning, CR before LF, tabs, blanks at the ends
/// of lines mean nothing.
namespace ringmesh {

/// Without the byte order mark of UTF-8, if there is one.
std::string_view without_mark(std::string_view text);

/// Without blanks, tabs and line ends at both ends.
std::string_view trimmed(std::string_view text);

/// Lines of a file that may be too large to be held, one after another.
class InputLines {
public:
    /// @throws UserError as require_input()
    explicit InputLines(const std::filesystem::path& path);

    /// @return false at the end
    bool next();
    /// trimmed(); until next()
    std::string_view text() const { return text_; }
    /// Where a part of the text begins in its line, from 1, as an editor counts.
    std::size_t column(std::string_view part) const
    {
        return static_cast<std::size_t>(part.data() - whole_.data()) + 1;
    }
    /// Of the file, from 1; 0 before the first
    std::uint32_t number() const { return number_; }

private:
    std::ifstream file_;
    std::string line_;
    std::string_view whole_;  // of line_, without a mark
    std::string_view text_;
    std::uint32_t number_ = 0;
};

}  // namespace ringmesh
