// SPDX-License-Identifier: Apache-2.0
#include "lab/table/writers/plain_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <system_error>

#include "platforms/files/toml_document.h"
#include "tlm/error.h"
#include "tlm/files/input_lines.h"

namespace ringmesh::lab {
void require_plain_text(std::string_view text, const std::filesystem::path& file)
{
    std::size_t at = 0;
    while (at < text.size() && text[at] != '\0') {
        const std::size_t size = utf8_size(text.substr(at));
        if (size == 0) break;
        at += size;
    }
    if (at == text.size()) return;
    const std::string_view before = text.substr(0, at);
    const bool utf16 = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
    throw UserError(fmt::format("{}:{}: byte 0x{:02X} {}; save the file as UTF-8", platforms::shown(file),
                                1 + std::count(before.begin(), before.end(), '\n'),
                                static_cast<unsigned char>(text[at]),
                                utf16              ? "begins UTF-16, which is not read"
                                : text[at] == '\0' ? "in what should be a text"
                                                   : "is not UTF-8"));
}

std::string read_plain_text(const std::filesystem::path& file)
{
    std::string text = platforms::read_text(file);
    require_plain_text(text, file);
    text.erase(0, text.size() - without_mark(text).size());
    return text;
}

std::string lowered(std::string_view name)
{
    std::string text(name);
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

}  // namespace ringmesh::lab
