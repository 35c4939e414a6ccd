// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

/// Files that somebody else may have written. All are opened here: what is no regular file (a device, a pipe, a socket)
/// may have no end, or stop the program until somebody writes to it.
namespace ringmesh {

/// The largest file that is read as one text: 256 MiB.
inline constexpr std::uintmax_t kLargestText = std::uintmax_t{256} << 20U;

/// Notes that this process reads the file, so that AtomicFile does not replace it.
/// @throws UserError "cannot read 'PATH': ..." if it is not there, no regular file, or an output of this process,
/// or its name has control characters or is not UTF-8
void require_input(const std::filesystem::path& path);

/// The whole content. @param most bytes @throws UserError as require_input(), or if it is larger
std::string read_input(const std::filesystem::path& path, std::uintmax_t most = kLargestText);

/// The same of a file of ours, which AtomicFile may replace.
std::string read_own(const std::filesystem::path& path);

/// Whether require_input() or read_input() was called for the file, under any of its names.
bool is_input(const std::filesystem::path& path);

/// Bytes of the UTF-8 character at the beginning of a text; 0 if it is none, or one in more bytes than it needs.
std::size_t utf8_size(std::string_view text);

/// Whether a file or folder can be reached.
/// @throws UserError if nobody can tell, as when its disk fails or its server does not answer
bool is_there(const std::filesystem::path& path);

/// Whether a failed call says that there is no such file, or none for this user; others are of the disk or its server.
bool says_absent(int error);

/// Whether links lead from a path in a folder to something that is not in it.
bool leads_out(const std::filesystem::path& folder, const std::filesystem::path& path);

/// A file of a folder, by its name from there; none if the name, or a link, leads out of it.
std::optional<std::filesystem::path> path_inside(const std::filesystem::path& folder, const std::string& name);

/// A path for messages: relative to the current folder if below it.
std::string shown(const std::filesystem::path& path);

}  // namespace ringmesh
