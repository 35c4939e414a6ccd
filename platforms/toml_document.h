// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// The one place that knows the TOML library: files and `--set` assignments become flat lists of settings.
namespace ringmesh::platforms {

/// A sort of value that no parameter has: a date, an array of mixed things, an empty table.
struct OtherValue {};

struct Value {
    std::variant<OtherValue, std::string, std::int64_t, double, bool, std::vector<std::string>,
                 std::vector<std::int64_t>>
        data;
    std::string text;   ///< as TOML writes it, texts in quotes; "{}" for an empty table
    std::string typed;  ///< on the command line, where texts need no quotes; empty for files
};

/// One assignment: `symbol_time = "5 ns"` in table [link] has the key "link.symbol_time".
struct Setting {
    std::string key;
    Value value;
    std::string where;     ///< "FILE:LINE" or "--set KEY=VALUE"
    std::size_t line = 0;  ///< in the file; 0 on the command line
};

/// A path as messages show it: from the current folder if it is below that.
std::string shown(const std::filesystem::path& path);

/// All settings of a file, in the order of its lines.
/// @throws UserError if it cannot be read or is no TOML.
std::vector<Setting> read_toml_file(const std::filesystem::path& path);

/// The settings of a `key=value` of the command line, given with the option `option`: several if the value is a table.
/// A value that is no TOML value is a text, so that quotes, which shells remove, are not needed.
/// @throws UserError if it is no assignment.
std::vector<Setting> read_assignment(std::string_view assignment, std::string_view option);

}  // namespace ringmesh::platforms
