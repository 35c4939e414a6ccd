// SPDX-License-Identifier: Apache-2.0
#include "lab/sql/sqlite_file.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

/// https://sqlite.org/fileformat.html, "The Database Header"
constexpr std::string_view kMagic{"SQLite format 3\0", 16};
constexpr std::size_t kHeaderSize = 100;
constexpr std::size_t kUserVersion = 60;
constexpr std::size_t kApplicationId = 68;

std::uint32_t big_endian(std::string_view bytes)
{
    std::uint32_t number = 0;
    for (const char byte : bytes.substr(0, 4)) number = number << 8U | static_cast<unsigned char>(byte);
    return number;
}

}  // namespace

std::optional<SqliteHeader> sqlite_header(const std::filesystem::path& file)
{
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (status.type() == std::filesystem::file_type::not_found) return std::nullopt;
    if (!std::filesystem::is_regular_file(status)) refuse_foreign(file, "a regular file");
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw UserError(fmt::format("{}: {}", file.string(), std::generic_category().message(errno)));
    std::array<char, kHeaderSize> bytes{};
    stream.read(bytes.data(), bytes.size());
    const std::string_view header(bytes.data(), static_cast<std::size_t>(stream.gcount()));
    if (header.empty()) return std::nullopt;
    if (header.size() < kHeaderSize || !header.starts_with(kMagic)) refuse_foreign(file, "an SQLite database");
    return SqliteHeader{.application_id = big_endian(header.substr(kApplicationId)),
                        .user_version = big_endian(header.substr(kUserVersion))};
}

void refuse_foreign(const std::filesystem::path& file, std::string_view what)
{
    throw UserError(
        fmt::format("{}: not {}, so it stays as it is; choose another file with --sqlite", file.string(), what));
}

}  // namespace ringmesh::lab
