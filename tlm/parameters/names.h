// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Suggestions for misspelled names.
namespace ringmesh {

/// The known name that a typing error most likely meant, or empty if none is near (more than a third of it differs,
/// where two letters swapped count as one error and upper and lower case as the same).
std::string nearest_name(std::string_view typed, std::span<const std::string> known);

/// "; did you mean 'x'?", or empty if nothing is near.
std::string nearest_hint(std::string_view typed, std::span<const std::string> known);

/// The same, or, when nothing is near, "; known: a, b, c", or "; none is known".
std::string suggestion(std::string_view typed, std::span<const std::string> known);

/// Names of the values of an enumeration, in the order in which they are listed to users. One row per value; the rows
/// are the only place where a name is written.
template <class Value, std::size_t N>
struct NameTable {
    std::array<std::pair<std::string_view, Value>, N> rows;

    constexpr std::string_view name(Value value) const
    {
        for (const auto& row : rows) {
            if (row.second == value) return row.first;
        }
        return "?";
    }
    /// @return the value, or nullptr if no row has this name.
    constexpr const Value* find(std::string_view name) const
    {
        for (const auto& row : rows) {
            if (row.first == name) return &row.second;
        }
        return nullptr;
    }
    std::vector<std::string> names() const
    {
        std::vector<std::string> all;
        for (const auto& row : rows) all.emplace_back(row.first);
        return all;
    }
};

}  // namespace ringmesh
