// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

/// SQLite files on disk. Those of Ringmesh carry an application_id; no other file is ever changed.
namespace ringmesh::lab {

/// SQLite's application_id of what Ringmesh writes.
enum class SqliteKind : std::uint32_t {
    kIndex = 0x524d4958,  ///< "RMIX": the index of a store
    kStudy = 0x524d5354,  ///< "RMST": an exported study
};

struct SqliteHeader {
    std::uint32_t application_id = 0;
    std::uint32_t user_version = 0;

    bool is(SqliteKind kind) const { return application_id == static_cast<std::uint32_t>(kind); }
};

/// What the header of a database says, read without SQLite, which may leave files beside it. Nothing if the file is
/// absent or empty. @throws UserError if it is no SQLite database, or cannot be read
std::optional<SqliteHeader> sqlite_header(const std::filesystem::path& file);

/// @throws UserError "FILE: not WHAT, so it stays as it is; ..."
[[noreturn]] void refuse_foreign(const std::filesystem::path& file, std::string_view what);

}  // namespace ringmesh::lab
