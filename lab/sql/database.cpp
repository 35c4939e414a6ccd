// SPDX-License-Identifier: Apache-2.0
#include "lab/sql/database.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <chrono>
#include <cstdint>
#include <list>
#include <utility>
#include <variant>

#include "lab/sql/calls.h"
#include "lab/sql/mistakes.h"
#include "lab/sql/sqlite_file.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

/// Of SQLite's virtual machine, which does some 10^7 in a second.
constexpr int kStepsBetweenLooks = 100'000;

using workloads::Cell;
using workloads::Results;

Cell cell_of(const SQLite::Column& column)
{
    if (column.isInteger()) return column.getInt64();
    if (column.isFloat()) return column.getDouble();
    if (column.isNull()) return std::monostate();
    return column.getString();
}

/// Does it when the block ends.
template <class Call>
class AtEnd {
public:
    explicit AtEnd(Call call) : call_(std::move(call)) {}
    AtEnd(const AtEnd&) = delete;
    AtEnd& operator=(const AtEnd&) = delete;
    ~AtEnd() { call_(); }

private:
    Call call_;
};

/// While it lives, nothing can be changed.
auto read_only(SQLite::Database& sqlite)
{
    sqlite.exec("PRAGMA query_only = 1");
    return AtEnd([&sqlite] { sqlite.tryExec("PRAGMA query_only = 0"); });
}

}  // namespace

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

struct Database::Connection {
    std::list<SqlFunction> own;  // outlives the connection
    SQLite::Database sqlite{":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};

    Connection()
    {
        // A study's scripts stay within this database, and within memory
        sqlite3_hard_heap_limit64(kMostMemory);
        sqlite3_limit(sqlite.getHandle(), SQLITE_LIMIT_LENGTH, kLongestValue);
        sqlite3_set_authorizer(
            sqlite.getHandle(),
            [](void*, int action, const char*, const char*, const char*, const char*) {
                return action == SQLITE_ATTACH || action == SQLITE_DETACH ? SQLITE_DENY : SQLITE_OK;
            },
            nullptr);
        for (const SqlFunction& function : sql_functions()) define_in(sqlite.getHandle(), function);
        // A misspelled name in quotation marks is an error, not a text
        sqlite3_db_config(sqlite.getHandle(), SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
        sqlite3_db_config(sqlite.getHandle(), SQLITE_DBCONFIG_DQS_DDL, 0, nullptr);
        sqlite3_progress_handler(
            sqlite.getHandle(), kStepsBetweenLooks,
            [](void* connection) {
                return std::chrono::steady_clock::now() < static_cast<Connection*>(connection)->end ? 0 : 1;
            },
            this);
    }

    SqlVocabulary vocabulary();

    [[noreturn]] void fail(const SQLite::Exception& error, std::string_view statement)
    {
        if (error.getErrorCode() == SQLITE_INTERRUPT) {
            throw UserError(fmt::format(
                "SQL: not finished after {:g} s; give WITH RECURSIVE an end (WHERE i < 100), and a join its ON",
                std::chrono::duration<double>(longest).count()));
        }
        if (error.getErrorCode() == SQLITE_NOMEM || error.getErrorCode() == SQLITE_TOOBIG) {
            throw UserError(
                fmt::format("SQL: more than {} MiB in tables, or {} in one value; make less, or fewer: WHERE, LIMIT",
                            kMostMemory >> 20U, kLongestValue >> 20U));
        }
        throw UserError("SQL: " + explained(error.what(), statement, vocabulary()));
    }

    /// What runs while it lives must end in time.
    auto deadline()
    {
        end = std::chrono::steady_clock::now() + longest;
        return AtEnd([this] { end = std::chrono::steady_clock::time_point::max(); });
    }

    std::chrono::milliseconds longest = kLongestStatement;
    std::chrono::steady_clock::time_point end = std::chrono::steady_clock::time_point::max();  // of what runs
};

SqlVocabulary Database::Connection::vocabulary()
{
    SqlVocabulary all;
    SQLite::Statement names(sqlite, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY rowid");
    while (names.executeStep()) {
        NamedColumns table{names.getColumn(0).getString(), {}};
        try {
            SQLite::Statement columns(sqlite, "SELECT name FROM pragma_table_info(?)");
            columns.bind(1, table.table);
            while (columns.executeStep()) table.columns.push_back(columns.getColumn(0).getString());
            all.tables.push_back(std::move(table));
        } catch (const SQLite::Exception&) {
            // The view that is wrong
        }
    }
    SQLite::Statement functions(sqlite, "SELECT DISTINCT name FROM pragma_function_list ORDER BY name");
    while (functions.executeStep()) all.functions.push_back(functions.getColumn(0).getString());
    for (const SqlFunction& function : sql_functions()) all.own.push_back(&function);
    for (const SqlFunction& function : own) all.own.push_back(&function);
    return all;
}

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

void Database::define(const SqlFunction& function)
{
    connection_->own.push_back(function);
    define_in(connection_->sqlite.getHandle(), connection_->own.back());
}

std::optional<std::string> Database::syntax_problem(std::string_view sql) const
{
    sqlite3_stmt* prepared = nullptr;
    sqlite3* const handle = connection_->sqlite.getHandle();
    const int status = sqlite3_prepare_v2(handle, sql.data(), static_cast<int>(sql.size()), &prepared, nullptr);
    sqlite3_finalize(prepared);
    if (status == SQLITE_OK) return std::nullopt;
    std::string error = sqlite3_errmsg(handle);
    for (const char* part : {"syntax error", "incomplete input", "unrecognized token"}) {
        if (error.find(part) != std::string::npos) return error;
    }
    return std::nullopt;
}

bool Database::has_table(const std::string& name) const
{
    SQLite::Statement found(connection_->sqlite, "SELECT 1 FROM sqlite_schema WHERE name = ?");
    found.bind(1, name);
    return found.executeStep();
}

Results Database::query(const std::string& sql) const
{
    try {
        const auto unchanged = read_only(connection_->sqlite);
        const auto deadline = connection_->deadline();
        if (statements_of(sql).size() > 1) {
            throw UserError(fmt::format("SQL: {}: a second statement; ask one question at a time", sql));
        }
        SQLite::Statement statement(connection_->sqlite, sql);
        if (statement.getColumnCount() == 0) {
            throw UserError(fmt::format("SQL: {}: not a question; write a SELECT", sql));
        }
        Results results;
        std::int64_t bytes = 0;
        const int columns = statement.getColumnCount();
        for (int i = 0; i < columns; ++i) results.columns.push_back({statement.getColumnName(i), ""});
        while (statement.executeStep()) {
            if ((results.rows.size() + 1) * static_cast<std::size_t>(columns) > kMostCells) {
                throw UserError(
                    fmt::format("SQL: more than {} rows; ask for fewer: WHERE, GROUP BY, LIMIT", results.rows.size()));
            }
            auto& row = results.rows.emplace_back();
            for (int i = 0; i < columns; ++i) {
                row.push_back(cell_of(statement.getColumn(i)));
                if (const auto* text = std::get_if<std::string>(&row.back())) {
                    bytes += static_cast<std::int64_t>(text->size());
                }
            }
            if (bytes > kMostMemory) {
                throw UserError(fmt::format("SQL: texts of more than {} MiB; ask for fewer: WHERE, GROUP BY, LIMIT",
                                            kMostMemory >> 20U));
            }
        }
        return results;
    } catch (const SQLite::Exception& error) {
        connection_->fail(error, sql);
    }
}

void Database::execute(std::string_view sql)
{
    try {
        const auto deadline = connection_->deadline();
        const std::size_t views_before = views("").size();
        connection_->sqlite.exec(std::string(sql));
        const auto all = views("");
        if (all.size() == views_before) return;
        const auto unchanged = read_only(connection_->sqlite);
        SQLite::Statement trial(connection_->sqlite, "SELECT * FROM " + sql_name(all.back()));
        while (trial.executeStep()) {
        }
    } catch (const SQLite::Exception& error) {
        connection_->fail(error, sql);
    }
}

void Database::limit_statements(std::chrono::milliseconds longest) { connection_->longest = longest; }

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

void Database::require_replaceable(const std::string& path)
{
    const auto header = sqlite_header(path);
    if (header && !header->is(SqliteKind::kStudy)) refuse_foreign(path, "an exported study");
}

void Database::save(const std::string& path)
{
    require_replaceable(path);
    try {
        // Readers lack our functions, so views become tables
        const auto all = views("");
        for (const std::string& view : all) {
            connection_->sqlite.exec(
                fmt::format("CREATE TABLE {} AS SELECT * FROM {}", sql_name("saved " + view), sql_name(view)));
        }
        for (auto view = all.rbegin(); view != all.rend(); ++view)
            connection_->sqlite.exec("DROP VIEW " + sql_name(*view));
        for (const std::string& view : all) {
            connection_->sqlite.exec(
                fmt::format("ALTER TABLE {} RENAME TO {}", sql_name("saved " + view), sql_name(view)));
        }
        connection_->sqlite.exec(
            fmt::format("PRAGMA application_id = {}", static_cast<std::uint32_t>(SqliteKind::kStudy)));
        connection_->sqlite.backup(path.c_str(), SQLite::Database::Save);
    } catch (const SQLite::Exception& error) {
        throw UserError(fmt::format("cannot write '{}': {}", path, error.what()));
    }
}

}  // namespace ringmesh::lab
