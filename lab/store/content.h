// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

/// Files of a store as a whole.
namespace ringmesh::lab {

/// None if it is not there. @throws UserError if it cannot be read, as read_input()
std::optional<std::string> content_of(const std::filesystem::path& path);

/// 32 hexadecimal digits: XXH3, 128 bits.
std::string hash_of(std::string_view text);
/// Whether a name has the form of hash_of().
bool is_hash(std::string_view name);
/// Of a file of any size, which is not held in memory. None if it cannot be read.
std::optional<std::string> hash_of_file(const std::filesystem::path& path);

}  // namespace ringmesh::lab
