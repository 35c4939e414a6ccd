// SPDX-License-Identifier: Apache-2.0
#include "lab/plain_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <system_error>

#include "platforms/toml_document.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

/// Bytes of the character at the beginning of a text; 0 if it is none, or one in more bytes than it needs.
std::size_t character_size(std::string_view text)
{
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t size = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    if (size == 0 || text.size() < size) return 0;
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xC0u) != 0x80u) return 0;
    }
    const bool longer_than_needed = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
    const bool surrogate = first == 0xED && byte(1) > 0x9F;
    const bool too_large = first == 0xF4 && byte(1) > 0x8F;
    return longer_than_needed || surrogate || too_large ? 0 : size;
}

void require_regular_file(const std::filesystem::path& file)
{
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (!std::filesystem::exists(status) || std::filesystem::is_directory(status)) return;  // reading tells
    if (std::filesystem::is_regular_file(status)) return;
    throw UserError(fmt::format("cannot read '{}': not a regular file, only such are read; copy it to one",
                                platforms::shown(file)));
}

}  // namespace

void require_plain_text(std::string_view text, const std::filesystem::path& file)
{
    std::size_t at = 0;
    while (at < text.size() && text[at] != '\0') {
        const std::size_t size = character_size(text.substr(at));
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
    require_regular_file(file);
    std::string text = platforms::read_text(file);
    require_plain_text(text, file);
    return text;
}

}  // namespace ringmesh::lab
