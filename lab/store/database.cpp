// SPDX-License-Identifier: Apache-2.0
#include "lab/store/database.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <variant>

#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;
using workloads::Results;

void bind(SQLite::Statement& statement, int place, const Cell& cell)
{
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
        statement.bind(place, *integer);
    } else if (const auto* number = std::get_if<double>(&cell)) {
        statement.bind(place, *number);
    } else if (const auto* text = std::get_if<std::string>(&cell)) {
        statement.bind(place, *text);
    } else {
        statement.bind(place);
    }
}

Cell cell_of(const SQLite::Column& column)
{
    if (column.isInteger()) return column.getInt64();
    if (column.isFloat()) return column.getDouble();
    if (column.isNull()) return std::monostate();
    return column.getString();
}

/// @throws UserError if there is more than blanks, semicolons and comments behind the first statement
void require_one_statement(sqlite3* database, const std::string& sql)
{
    const char* rest = sql.c_str();
    for (int statements = 0; *rest != '\0';) {
        sqlite3_stmt* statement = nullptr;
        const int status = sqlite3_prepare_v2(database, rest, -1, &statement, &rest);
        const bool any = statement != nullptr;
        sqlite3_finalize(statement);
        if (any) ++statements;
        if (statements == 0 && status != SQLITE_OK) return;  // told by who runs it
        if (statements == 1 && status == SQLITE_OK) continue;
        throw UserError(fmt::format("SQL: {}: a second statement; ask one question at a time", sql));
    }
}

/// While it lives, nothing can be changed.
class ReadOnly {
public:
    explicit ReadOnly(SQLite::Database& sqlite) : sqlite_(sqlite) { sqlite_.exec("PRAGMA query_only = 1"); }
    ReadOnly(const ReadOnly&) = delete;
    ReadOnly& operator=(const ReadOnly&) = delete;
    ~ReadOnly() { sqlite_.tryExec("PRAGMA query_only = 0"); }

private:
    SQLite::Database& sqlite_;
};

}  // namespace

struct Database::Connection {
    SQLite::Database sqlite{":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};

    [[noreturn]] void fail(const SQLite::Exception& error, const Database& database) const
    {
        throw UserError(fmt::format("SQL: {}; there are:\n{}", error.what(), database.contents()));
    }
};

Database::Database() : connection_(std::make_unique<Connection>()) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

void Database::add(const SqlTable& table)
{
    try {
        SQLite::Database& sqlite = connection_->sqlite;
        std::string columns;
        std::string places;
        for (const workloads::Column& column : table.content.columns) {
            columns += (columns.empty() ? "" : ", ") + sql_name(column.name);
            places += places.empty() ? "?" : ", ?";
        }
        SQLite::Transaction transaction(sqlite);
        sqlite.exec(fmt::format("CREATE TABLE {} ({})", sql_name(table.name), columns));
        SQLite::Statement insert(sqlite, fmt::format("INSERT INTO {} VALUES ({})", sql_name(table.name), places));
        for (const auto& row : table.content.rows) {
            for (std::size_t i = 0; i < row.size(); ++i) bind(insert, static_cast<int>(i) + 1, row[i]);
            insert.exec();
            insert.reset();
        }
        transaction.commit();
    } catch (const SQLite::Exception& error) {
        throw ModelError(fmt::format("table {}: {}", table.name, error.what()));
    }
}

Results Database::query(const std::string& sql) const
{
    try {
        const ReadOnly read_only(connection_->sqlite);
        require_one_statement(connection_->sqlite.getHandle(), sql);
        SQLite::Statement statement(connection_->sqlite, sql);
        if (statement.getColumnCount() == 0) {
            throw UserError(fmt::format("SQL: {}: not a question; write a SELECT", sql));
        }
        Results results;
        for (int i = 0; i < statement.getColumnCount(); ++i)
            results.columns.push_back({statement.getColumnName(i), ""});
        while (statement.executeStep()) {
            auto& row = results.rows.emplace_back();
            for (int i = 0; i < statement.getColumnCount(); ++i) row.push_back(cell_of(statement.getColumn(i)));
        }
        return results;
    } catch (const SQLite::Exception& error) {
        connection_->fail(error, *this);
    }
}

std::string_view Database::execute_first(std::string_view sql)
{
    SQLite::Database& sqlite = connection_->sqlite;
    sqlite3_stmt* statement = nullptr;
    const char* tail = nullptr;
    const std::size_t views_before = views("").size();
    int status = sqlite3_prepare_v2(sqlite.getHandle(), sql.data(), static_cast<int>(sql.size()), &statement, &tail);
    if (status == SQLITE_OK && statement != nullptr) {
        while ((status = sqlite3_step(statement)) == SQLITE_ROW) {
        }
        if (status == SQLITE_DONE) status = SQLITE_OK;
    }
    const std::string problem = status == SQLITE_OK ? "" : sqlite3_errmsg(sqlite.getHandle());
    sqlite3_finalize(statement);
    if (status != SQLITE_OK) throw UserError(fmt::format("SQL: {}; there are:\n{}", problem, contents()));
    if (const auto all = views(""); all.size() > views_before) query("SELECT * FROM " + sql_name(all.back()));
    return sql.substr(static_cast<std::size_t>(tail - sql.data()));
}

std::vector<std::string> Database::views(std::string_view prefix) const
{
    std::vector<std::string> names;
    SQLite::Statement all(connection_->sqlite, "SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY rowid");
    while (all.executeStep()) {
        std::string name = all.getColumn(0).getString();
        if (name.starts_with(prefix)) names.push_back(std::move(name));
    }
    return names;
}

void Database::save(const std::string& path) const
{
    try {
        connection_->sqlite.backup(path.c_str(), SQLite::Database::Save);
    } catch (const SQLite::Exception& error) {
        throw UserError(fmt::format("cannot write '{}': {}", path, error.what()));
    }
}

std::string Database::contents() const
{
    std::string text;
    SQLite::Statement names(connection_->sqlite,
                            "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY rowid");
    while (names.executeStep()) {
        const std::string name = names.getColumn(0).getString();
        try {
            SQLite::Statement columns(connection_->sqlite, "SELECT group_concat(name, ', ') FROM pragma_table_info(?)");
            columns.bind(1, name);
            columns.executeStep();
            text += fmt::format("{}{}({})", text.empty() ? "  " : "\n  ", name, columns.getColumn(0).getString());
        } catch (const SQLite::Exception&) {
            // The view that is wrong
        }
    }
    return text;
}

std::string sql_name(std::string_view name)
{
    std::string quoted = "\"";
    for (const char c : name) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + '"';
}

}  // namespace ringmesh::lab
