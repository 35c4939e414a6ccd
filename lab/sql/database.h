// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/sql/functions/functions.h"
#include "lab/sql/statements.h"
#include "workloads/workload.h"

namespace ringmesh::lab {

/// A table of numbers and texts with its name, as SQL sees it.
struct SqlTable {
    std::string name;
    workloads::Results content;
};

/// Recursion without an end stops after this time.
inline constexpr std::chrono::seconds kLongestStatement{60};
/// The largest answer: about a gigabyte.
inline constexpr std::size_t kMostCells = 20'000'000;
/// Bytes of all tables of all databases, and of the texts of an answer.
inline constexpr std::int64_t kMostMemory = 1024 << 20;
/// Bytes of one text.
inline constexpr int kLongestValue = 64 << 20;

/// An SQLite database in memory that knows the functions of functions.h. SQLite's headers are used only in
/// database.cpp.
class Database {
public:
    Database();
    Database(Database&&) noexcept;
    Database& operator=(Database&&) noexcept;
    ~Database();

    /// @throws ModelError if the name is taken
    void add(const SqlTable& table);
    /// Another function, for this database alone.
    void define(const SqlFunction& function);
    /// The rows of one SELECT; columns have no units. Nothing can be changed by it.
    /// @throws UserError "SQL: what is wrong" with what helps; after kLongestStatement; beyond kMostCells
    workloads::Results query(const std::string& sql) const;
    /// Runs one statement; a view is tried at once, so that its mistakes are told here. @throws UserError as query
    void execute(std::string_view statement);
    /// In place of kLongestStatement.
    void limit_statements(std::chrono::milliseconds longest);
    /// What is wrong with how a statement is written, whatever tables there are; nothing if it can be read.
    std::optional<std::string> syntax_problem(std::string_view statement) const;
    bool has_table(const std::string& name) const;
    /// Names of the views that begin so, in the order in which they were made.
    std::vector<std::string> views(std::string_view prefix) const;
    /// Writes all of it as a file (SqliteKind::kStudy), views as tables, which they are afterwards here, too. Replaces
    /// an earlier file of that kind. @throws UserError if it cannot be written; any other file stays as it is
    void save(const std::string& path);

    /// Whether save() may write there, before anything has been done. @throws UserError
    static void require_replaceable(const std::string& path);

private:
    struct Connection;
    std::unique_ptr<Connection> connection_;
};

}  // namespace ringmesh::lab
