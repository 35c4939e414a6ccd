// SPDX-License-Identifier: Apache-2.0
#include "lab/sql/calls.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace ringmesh::lab {
namespace {

using workloads::Cell;

std::vector<Cell> cells_of(std::span<sqlite3_value* const> values)
{
    std::vector<Cell> cells;
    for (sqlite3_value* value : values) {
        switch (sqlite3_value_type(value)) {
            case SQLITE_INTEGER: cells.emplace_back(static_cast<std::int64_t>(sqlite3_value_int64(value))); break;
            case SQLITE_FLOAT: cells.emplace_back(sqlite3_value_double(value)); break;
            case SQLITE_NULL: cells.emplace_back(std::monostate()); break;
            default:
                cells.emplace_back(std::string(static_cast<const char*>(sqlite3_value_blob(value)),
                                               static_cast<std::size_t>(sqlite3_value_bytes(value))));
        }
    }
    return cells;
}

bool has_null(const std::vector<Cell>& cells)
{
    return std::ranges::any_of(cells, [](const Cell& cell) { return std::holds_alternative<std::monostate>(cell); });
}

const SqlFunction& function_of(sqlite3_context* context)
{
    return *static_cast<const SqlFunction*>(sqlite3_user_data(context));
}

/// Hands the result of `call` to SQLite, or what went wrong with the function's name.
template <class Call>
void answer(sqlite3_context* context, const Call& call)
{
    try {
        const Cell cell = call();
        if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
            sqlite3_result_int64(context, *integer);
        } else if (const auto* number = std::get_if<double>(&cell)) {
            sqlite3_result_double(context, *number);
        } else if (const auto* text = std::get_if<std::string>(&cell)) {
            sqlite3_result_text(context, text->data(), static_cast<int>(text->size()), SQLITE_TRANSIENT);
        } else {
            sqlite3_result_null(context);
        }
    } catch (const std::exception& error) {
        sqlite3_result_error(context, fmt::format("{}: {}", function_of(context).name, error.what()).c_str(), -1);
    }
}

void call_scalar(sqlite3_context* context, int count, sqlite3_value** values)
{
    answer(context, [&]() -> Cell {
        const auto cells = cells_of({values, static_cast<std::size_t>(count)});
        return has_null(cells) ? Cell(std::monostate()) : function_of(context).scalar(cells);
    });
}

/// The rows that an aggregate has been given.
struct Collected {
    std::vector<std::vector<double>> rows;
    std::string problem;
};

/// Where SQLite keeps it, null at first. Null if there is no memory, or if `bytes` is 0 and nothing was given.
Collected** collected(sqlite3_context* context, int bytes)
{
    return static_cast<Collected**>(sqlite3_aggregate_context(context, bytes));
}

void step_aggregate(sqlite3_context* context, int count, sqlite3_value** values)
{
    constexpr int kBytes = sizeof(Collected*);  // NOLINT(bugprone-sizeof-expression): SQLite keeps the pointer
    Collected** all = collected(context, kBytes);
    if (all == nullptr) return sqlite3_result_error_nomem(context);
    if (*all == nullptr) *all = new Collected;
    const auto cells = cells_of({values, static_cast<std::size_t>(count)});
    if (has_null(cells)) return;
    try {
        std::vector<double> row;
        for (const Cell& cell : cells) row.push_back(real_argument(cell));
        (*all)->rows.push_back(std::move(row));
    } catch (const std::domain_error& error) {
        (*all)->problem = error.what();
    }
}

void end_aggregate(sqlite3_context* context)
{
    Collected** const place = collected(context, 0);
    const std::unique_ptr<Collected> all(place == nullptr ? nullptr : *place);
    answer(context, [&]() -> Cell {
        if (!all) return std::monostate();
        if (!all->problem.empty()) throw std::domain_error(all->problem);
        if (all->rows.empty()) return std::monostate();
        std::ranges::sort(all->rows);
        std::vector<std::vector<double>> columns(all->rows.front().size());
        for (const auto& row : all->rows) {
            for (std::size_t i = 0; i < row.size(); ++i) columns[i].push_back(row[i]);
        }
        return function_of(context).aggregate(columns);
    });
}

}  // namespace

void define_in(sqlite3* sqlite, const SqlFunction& function)
{
    const bool scalar = static_cast<bool>(function.scalar);
    sqlite3_create_function_v2(sqlite, function.name.c_str(), static_cast<int>(function.arguments.size()),
                               SQLITE_UTF8 | SQLITE_DETERMINISTIC, const_cast<SqlFunction*>(&function),
                               scalar ? &call_scalar : nullptr, scalar ? nullptr : &step_aggregate,
                               scalar ? nullptr : &end_aggregate, nullptr);
}

}  // namespace ringmesh::lab
