// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tlm/units/units.h"
#include "workloads/workload.h"

/// The formulas of analytic/ and what papers do with curves, as functions of SQL.
namespace ringmesh::lab {

/// A function that every study may call. Arguments and results are numbers or texts; NULL in gives NULL out.
struct SqlFunction {
    std::string name;
    std::vector<std::string> arguments;  ///< their names, with units: "bytes", "propagation_ns"
    std::string unit;                    ///< of the result; empty: that of the arguments, or a pure number
    std::string meaning;
    std::string source;  ///< tags of docs/reference/evidence/sources.md; empty: arithmetic
    std::function<workloads::Cell(std::span<const workloads::Cell>)> scalar = {};
    /// Of a column for each argument, in the same order of rows: those without NULL, sorted by their values, so that
    /// the order in which SQLite hands them over changes no digit. There is at least one.
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

/// How a C++ argument is read from one cell; or from several that always have the same names (kNames), which are the
/// doubles of a struct unless from() says otherwise.
template <class Type>
struct SqlArgument;

template <>
struct SqlArgument<double> {
    static double from(const workloads::Cell& cell) { return real_argument(cell); }
};
template <std::integral Whole>
struct SqlArgument<Whole> {
    static Whole from(const workloads::Cell& cell) { return whole_argument(cell); }
};
template <>
struct SqlArgument<std::string> {
    static std::string from(const workloads::Cell& cell) { return text_argument(cell); }
};
template <>
struct SqlArgument<Bytes> {
    static Bytes from(const workloads::Cell& cell) { return Bytes(whole_argument(cell)); }
};

namespace detail {

template <class Type>
concept SeveralCells = requires
{
    SqlArgument<Type>::kNames;
};

template <class Type>
constexpr std::size_t cells_for()
{
    if constexpr (SeveralCells<Type>) {
        return SqlArgument<Type>::kNames.size();
    } else {
        return 1;
    }
}

template <class Type>
Type argument(std::span<const workloads::Cell> cells, std::size_t begin)
{
    if constexpr (!SeveralCells<Type>) {
        return SqlArgument<Type>::from(cells[begin]);
    } else if constexpr (requires { SqlArgument<Type>::from(cells); }) {
        return SqlArgument<Type>::from(cells.subspan(begin));
    } else {
        return [&]<std::size_t... I>(std::index_sequence<I...> /*places*/)
        {
            return Type{real_argument(cells[begin + I])...};
        }
        (std::make_index_sequence<cells_for<Type>()>());
    }
}

template <class Result>
workloads::Cell result_cell(Result result)
{
    if constexpr (std::integral<Result>) {
        return static_cast<std::int64_t>(result);
    } else if constexpr (requires { result.has_value(); }) {
        return result ? workloads::Cell(*result) : workloads::Cell(std::monostate());
    } else {
        return result;
    }
}

/// Reads the arguments from left to right, as braces are evaluated.
template <class Result, class... Arguments>
auto scalar_of(std::function<Result(Arguments...)> call)
{
    return [call = std::move(call)]([[maybe_unused]] std::span<const workloads::Cell> cells) {
        [[maybe_unused]] std::size_t next = 0;
        const std::tuple<std::remove_cvref_t<Arguments>...> arguments{argument<std::remove_cvref_t<Arguments>>(
            cells, std::exchange(next, next + cells_for<std::remove_cvref_t<Arguments>>()))...};
        return result_cell(std::apply(call, arguments));
    };
}

/// The names given, and those that structs have of themselves.
template <class Result, class... Arguments>
std::vector<std::string> names_of(const std::function<Result(Arguments...)>& /*call*/,
                                  const std::vector<std::string>& given)
{
    std::vector<std::string> names;
    [[maybe_unused]] auto next = given.begin();
    [[maybe_unused]] const auto add = [&]<class Type>(std::type_identity<Type> /*type*/) {
        if constexpr (SeveralCells<Type>) {
            names.insert(names.end(), SqlArgument<Type>::kNames.begin(), SqlArgument<Type>::kNames.end());
        } else {
            names.push_back(*next++);
        }
    };
    (add(std::type_identity<std::remove_cvref_t<Arguments>>()), ...);
    return names;
}

}  // namespace detail

/// A function of SQL whose arguments and result follow from a C++ function: numbers, texts, and whatever SqlArgument
/// knows; of a std::optional, nothing is NULL. @param arguments a name for each argument that has none of its own
template <class Call>
SqlFunction formula(std::string name, const std::vector<std::string>& arguments, std::string unit, std::string meaning,
                    std::string source, Call call)
{
    std::function function(std::move(call));
    return {.name = std::move(name),
            .arguments = detail::names_of(function, arguments),
            .unit = std::move(unit),
            .meaning = std::move(meaning),
            .source = std::move(source),
            .scalar = detail::scalar_of(std::move(function))};
}

/// The values of one argument of an aggregate in all rows.
using SqlColumn = std::span<const double>;

/// @throws std::domain_error unless all values are equal
double constant_of(SqlColumn column, const std::string& name);

namespace detail {

/// Reads the arguments from left to right, as braces are evaluated.
template <class Result, class... Arguments>
auto aggregate_of(std::function<Result(Arguments...)> call, std::vector<std::string> names)
{
    return [call = std::move(call), names = std::move(names)](std::span<const std::vector<double>> columns) {
        std::size_t next = 0;
        const auto argument = [&]<class Type>(std::type_identity<Type> /*type*/) {
            const std::size_t place = next++;
            if constexpr (std::is_same_v<Type, double>) {
                return constant_of(columns[place], names[place]);
            } else {
                return SqlColumn(columns[place]);
            }
        };
        return result_cell(
            std::apply(call, std::tuple{argument(std::type_identity<std::remove_cvref_t<Arguments>>())...}));
    };
}

}  // namespace detail

/// A function of SQL over the rows of a group, of a C++ function of columns (SqlColumn); a double among its arguments
/// has the same value in all rows.
template <class Call>
SqlFunction aggregate(std::string name, std::vector<std::string> arguments, std::string unit, std::string meaning,
                      std::string source, Call call)
{
    return {.name = std::move(name),
            .arguments = arguments,
            .unit = std::move(unit),
            .meaning = std::move(meaning),
            .source = std::move(source),
            .aggregate = detail::aggregate_of(std::function(std::move(call)), std::move(arguments))};
}

}  // namespace ringmesh::lab
