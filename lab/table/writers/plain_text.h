// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

/// Files that a user writes: UTF-8, and with an end.
namespace ringmesh::lab {

/// @param file for the message
/// @throws UserError "FILE:LINE: ..." if a text is not UTF-8 or has zero bytes, as binary files and other encodings do
void require_plain_text(std::string_view text, const std::filesystem::path& file);

/// Without a byte order mark. @throws UserError likewise; as read_input()
std::string read_plain_text(const std::filesystem::path& file);

/// In small letters, for names that do not depend on case: SQL's, columns of CSV. ASCII alone.
std::string lowered(std::string_view name);

}  // namespace ringmesh::lab
