// SPDX-License-Identifier: Apache-2.0
#include "lab/study/description/names.h"

#include <fmt/format.h>

#include <variant>

#include "lab/sql/database.h"
#include "lab/table/writers/cells.h"
#include "tlm/error.h"
#include "tlm/parameters/names.h"
#include "tlm/parameters/parameter_list.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;

/// As SQL writes it.
std::string literal(const Cell& cell)
{
    if (std::holds_alternative<std::monostate>(cell)) return "NULL";
    std::string text = exact_text(cell);
    if (std::holds_alternative<double>(cell) && text.find_first_of(".en") == std::string::npos) return text + ".0";
    if (!std::holds_alternative<std::string>(cell)) return text;
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
    return quoted + "'";
}

}  // namespace

Measured measured(const std::string& text)
{
    if (const auto integer = number_from<std::int64_t>(text)) return {*integer, ""};
    if (const auto number = number_from<double>(text)) return {*number, ""};
    const auto quantity = base_quantity(text);
    if (!quantity) return {text, ""};
    const auto units = static_cast<double>(quantity->units);
    switch (quantity->sort) {
        case QuantitySort::kTime: return {units / 1e3, "_ns"};
        case QuantitySort::kFrequency: return {units / 1e6, "_mhz"};
        case QuantitySort::kBytes: return {quantity->units, "_bytes"};
        case QuantitySort::kLength: return {units / 1e6, "_m"};
        case QuantitySort::kCycles: return {quantity->units, "_cycles"};
    }
    return {text, ""};
}

Cell Names::evaluate(const std::string& expression, const std::string& where) const
{
    std::string names;
    std::string known;
    for (const Named* some : {&all_, &aliases_}) {
        for (const auto& [name, cell] : *some) {
            names += fmt::format("{}{} AS {}", names.empty() ? "" : ", ", literal(cell), sql_name(name));
            if (some == &all_) known += (known.empty() ? "" : ", ") + name;
        }
    }
    try {
        static const Database database;
        const auto results = database.query(
            fmt::format("SELECT ({}){}", expression, names.empty() ? "" : " FROM (SELECT " + names + ")"));
        return results.rows.at(0).at(0);
    } catch (const UserError& error) {
        throw UserError(
            fmt::format("{}: {}: {}; known: {}", where, expression, error.what(), known.empty() ? "nothing" : known));
    }
}

bool Names::holds(const std::string& expression, const std::string& where) const
{
    return number_of(evaluate(expression, where)).value_or(0) != 0;
}

std::string Names::filled(const std::string& text, const std::string& where) const
{
    std::string result;
    std::size_t begin = 0;
    for (std::size_t dollar = 0; (dollar = text.find("${", begin)) != std::string::npos;) {
        const std::size_t end = text.find('}', dollar);
        if (end == std::string::npos) {
            throw UserError(fmt::format("{}: {}: ${{ without }}; write ${{name}}", where, text));
        }
        result += text.substr(begin, dollar - begin);
        const std::string expression = text.substr(dollar + 2, end - dollar - 2);
        const Cell value = evaluate(expression, where);
        if (std::holds_alternative<std::monostate>(value)) {
            throw UserError(
                fmt::format("{}: ${{{}}} has no value; write an expression that has one", where, expression));
        }
        result += exact_text(value);
        begin = end + 1;
    }
    return result + text.substr(begin);
}

}  // namespace ringmesh::lab
