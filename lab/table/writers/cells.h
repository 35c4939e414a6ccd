// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "workloads/workload.h"

/// Cells of tables: what they are made of, and what they hold.
namespace ringmesh::lab {

/// Nothing unless the whole text is a number of this type.
template <class Number>
std::optional<Number> number_from(std::string_view text)
{
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

/// SQL and JSON's readers have no numbers above 2^63 - 1, so those, such as seeds, are texts of their digits.
workloads::Cell unsigned_cell(std::uint64_t number);

/// A number; none for texts and for nothing.
std::optional<double> number_of(const workloads::Cell& cell);
/// All digits of a number, as number_text() has it; empty for nothing.
std::string exact_text(const workloads::Cell& cell);

enum class QuantitySort : std::uint8_t { kTime, kFrequency, kBytes, kLength, kCycles };
/// A quantity in the base units of its sort: ps, Hz, bytes, um, cycles.
struct BaseQuantity {
    QuantitySort sort;
    std::int64_t units;

    bool operator==(const BaseQuantity&) const = default;
};
/// Nothing unless the whole text is a number with a unit.
std::optional<BaseQuantity> base_quantity(std::string_view text);

/// The place of a column; nothing if there is none of that name.
std::optional<std::size_t> column_place(const workloads::Results& results, std::string_view name);

}  // namespace ringmesh::lab
