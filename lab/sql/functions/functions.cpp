// SPDX-License-Identifier: Apache-2.0
#include "lab/sql/functions/functions.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <variant>

#include "tlm/parameters/parameter_list.h"

namespace ringmesh::lab {

using workloads::Cell;

const std::vector<SqlFunction>& sql_functions()
{
    static const std::vector<SqlFunction> all = [] {
        std::vector<SqlFunction> functions;
        for (auto topic :
             {&curve_functions, &sci_functions, &deck_functions, &ncube_functions, &scc_functions, &mesh_functions}) {
            for (SqlFunction& function : topic()) functions.push_back(std::move(function));
        }
        return functions;
    }();
    return all;
}

std::string signature_of(const SqlFunction& function)
{
    return fmt::format("{}({})", function.name, fmt::join(function.arguments, ", "));
}

double real_argument(const Cell& cell)
{
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*integer);
    if (const auto* number = std::get_if<double>(&cell)) return *number;
    throw std::domain_error("a text where a number is wanted");
}

int whole_argument(const Cell& cell)
{
    const double number = real_argument(cell);
    if (std::abs(number) > std::numeric_limits<int>::max() || number != std::floor(number)) {
        throw std::domain_error("an argument is not a whole number");
    }
    return static_cast<int>(number);
}

double constant_of(SqlColumn column, const std::string& name)
{
    for (const double value : column) {
        if (value == column.front()) continue;
        throw std::domain_error(
            fmt::format("{} is {} in one row and {} in another; write one number for all, or GROUP BY it", name,
                        number_text(column.front()), number_text(value)));
    }
    return column.front();
}

std::string text_argument(const Cell& cell)
{
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    throw std::domain_error("a number where a text is wanted; write it in quotation marks: '8x8'");
}

}  // namespace ringmesh::lab
