// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tlm/files/input_file.h"
#include "tlm/files/input_lines.h"

/// The only user of the TOML library: files and `--set` assignments become flat lists of settings.
namespace ringmesh::platforms {

/// A value of a type that no parameter has: a date, a mixed array, an empty table.
struct OtherValue {};

struct Value {
    std::variant<OtherValue, std::string, std::int64_t, double, bool, std::vector<std::string>,
                 std::vector<std::int64_t>, std::vector<double>>
        data;
    std::string text;   ///< in TOML syntax, texts in quotes; "{}" for an empty table
    std::string typed;  ///< on the command line, where texts need no quotes; empty for files
};

/// One assignment: `symbol_time = "5 ns"` in table [link] has the key "link.symbol_time".
struct Setting {
    std::string key;
    Value value = {};
    std::string where = {};      ///< "FILE:LINE" or "--set KEY=VALUE"
    std::size_t line = 0;        ///< in the file; 0 on the command line
    std::string table = {};      ///< key of the table that it stands in; empty at the top
    std::size_t table_line = 0;  ///< where that begins
    std::size_t column = 0;
};

using ringmesh::shown;
using ringmesh::trimmed;

/// The content of a file. @throws UserError as read_input()
std::string read_text(const std::filesystem::path& path);

/// All settings of a file, in the order of its lines.
/// @throws UserError if it cannot be read or is not TOML.
std::vector<Setting> read_toml_file(const std::filesystem::path& path);

/// The settings of a `key=value` given with the option `option`: several if the value is a table. A value that is not
/// TOML is a text, so that quotes, which shells remove, are not needed.
/// @throws UserError if it is not an assignment.
std::vector<Setting> read_assignment(std::string_view assignment, std::string_view option);

}  // namespace ringmesh::platforms
