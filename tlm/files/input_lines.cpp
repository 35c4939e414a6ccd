// SPDX-License-Identifier: Apache-2.0
#include "tlm/files/input_lines.h"

#include <fmt/format.h>

#include "tlm/error.h"
#include "tlm/files/input_file.h"

namespace ringmesh {

std::string_view without_mark(std::string_view text)
{
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    return text;
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view kBlanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return text.substr(0, 0);
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

InputLines::InputLines(const std::filesystem::path& path) : file_((require_input(path), path))
{
    if (!file_) throw UserError(fmt::format("cannot read '{}'", shown(path)));
}

bool InputLines::next()
{
    if (!std::getline(file_, line_)) return false;
    whole_ = number_ == 0 ? without_mark(line_) : line_;
    text_ = trimmed(whole_);
    ++number_;
    return true;
}

}  // namespace ringmesh
