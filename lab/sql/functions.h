// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "workloads/workload.h"

/// The formulas of analytic/ and what papers do with curves, as functions of SQL.
namespace ringmesh::lab {

/// A function that every study may call. Arguments and results are numbers or texts; NULL in gives NULL out.
struct SqlFunction {
    std::string name;
    std::vector<std::string> arguments;  ///< their names, with units: "bytes", "propagation_ns"
    std::string unit;                    ///< of the result; empty: that of the arguments, or a pure number
    std::string meaning;
    std::string source;  ///< tags of docs/reference/sources.md; empty: arithmetic
    std::function<workloads::Cell(std::span<const workloads::Cell>)> scalar = {};
    /// Of a column or several: a value for each argument, a row for each row without NULL, sorted by their values, so
    /// that the order in which SQLite hands over rows changes no digit.
    std::function<workloads::Cell(std::span<const std::vector<double>>)> aggregate = {};
};

/// "slope(x, y)"
std::string signature_of(const SqlFunction& function);

/// By topic: papers' arithmetic on curves, SCI, DECK, NCUBE, SCC, meshes.
const std::vector<SqlFunction>& sql_functions();

/// @name The functions of one topic
/// @{
std::vector<SqlFunction> curve_functions();
std::vector<SqlFunction> sci_functions();
std::vector<SqlFunction> deck_functions();
std::vector<SqlFunction> ncube_functions();
std::vector<SqlFunction> scc_functions();
std::vector<SqlFunction> mesh_functions();
/// @}

/// @throws std::domain_error unless it is a number, a whole number, a text
double real_argument(const workloads::Cell& cell);
int whole_argument(const workloads::Cell& cell);
std::string text_argument(const workloads::Cell& cell);

namespace detail {

template <class Number>
Number argument(const workloads::Cell& cell)
{
    if constexpr (std::is_same_v<Number, double>) {
        return real_argument(cell);
    } else if constexpr (std::is_same_v<Number, std::string>) {
        return text_argument(cell);
    } else {
        return whole_argument(cell);
    }
}

template <class Result, class... Arguments, std::size_t... Places>
workloads::Cell call_with(const std::function<Result(Arguments...)>& call,
                          [[maybe_unused]] std::span<const workloads::Cell> cells,
                          std::index_sequence<Places...> /*places*/)
{
    return call(argument<std::remove_cvref_t<Arguments>>(cells[Places])...);
}

template <class Result, class... Arguments>
auto scalar_of(std::function<Result(Arguments...)> call)
{
    return [call = std::move(call)](std::span<const workloads::Cell> cells) {
        return call_with(call, cells, std::index_sequence_for<Arguments...>());
    };
}

}  // namespace detail

/// A function that takes doubles, ints and texts (std::string) by value, as many as there are names, and returns a
/// number, a text or a Cell.
template <class Call>
SqlFunction formula(std::string name, std::vector<std::string> arguments, std::string unit, std::string meaning,
                    std::string source, Call call)
{
    return {.name = std::move(name),
            .arguments = std::move(arguments),
            .unit = std::move(unit),
            .meaning = std::move(meaning),
            .source = std::move(source),
            .scalar = detail::scalar_of(std::function(std::move(call)))};
}

}  // namespace ringmesh::lab
