// SPDX-License-Identifier: Apache-2.0
#include "lab/table/writers/cells.h"

#include <algorithm>
#include <variant>

#include "tlm/parameters/parameter_list.h"
#include "tlm/units/quantity.h"

namespace ringmesh::lab {

using workloads::Cell;

Cell unsigned_cell(std::uint64_t number)
{
    if (number <= static_cast<std::uint64_t>(INT64_MAX)) return static_cast<std::int64_t>(number);
    return std::to_string(number);
}

std::optional<double> number_of(const Cell& cell)
{
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*integer);
    if (const auto* number = std::get_if<double>(&cell)) return *number;
    return std::nullopt;
}

std::string exact_text(const Cell& cell)
{
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) return std::to_string(*integer);
    if (const auto* number = std::get_if<double>(&cell)) return number_text(*number);
    return {};
}

std::optional<BaseQuantity> base_quantity(std::string_view text)
{
    if (const auto time = parse_duration(text).value) return BaseQuantity{QuantitySort::kTime, time->ps()};
    if (const auto rate = parse_frequency(text).value) return BaseQuantity{QuantitySort::kFrequency, rate->hz()};
    if (const auto bytes = parse_bytes(text).value) return BaseQuantity{QuantitySort::kBytes, bytes->count()};
    if (const auto length = parse_length(text).value) return BaseQuantity{QuantitySort::kLength, length->um()};
    if (const auto cycles = parse_cycles(text).value) return BaseQuantity{QuantitySort::kCycles, cycles->count()};
    return std::nullopt;
}

std::optional<std::size_t> column_place(const workloads::Results& results, std::string_view name)
{
    const auto found = std::find_if(results.columns.begin(), results.columns.end(),
                                    [name](const workloads::Column& column) { return column.name == name; });
    if (found == results.columns.end()) return std::nullopt;
    return static_cast<std::size_t>(found - results.columns.begin());
}

}  // namespace ringmesh::lab
