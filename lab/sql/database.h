// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lab/sql/functions.h"
#include "workloads/workload.h"

namespace ringmesh::lab {

/// A table of numbers and texts with its name, as SQL sees it.
struct SqlTable {
    std::string name;
    workloads::Results content;
};

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
    /// @throws UserError "SQL: what is wrong" with the tables and columns that are known
    workloads::Results query(const std::string& sql) const;
    /// Runs one statement; a view is tried at once, so that its mistakes are told here. @throws UserError as query
    void execute(std::string_view statement);
    bool has_table(const std::string& name) const;
    /// Names of the views that begin so, in the order in which they were made.
    std::vector<std::string> views(std::string_view prefix) const;
    /// Writes all of it as a file, views as tables, which they are afterwards here, too. @throws UserError
    void save(const std::string& path);
    /// Tables and views with their columns, a line each.
    std::string contents() const;

private:
    struct Connection;
    std::unique_ptr<Connection> connection_;
};

/// The statements of a script with their places in it, blanks and comments before them left out. The last one may lack
/// its semicolon.
std::vector<std::string_view> statements_of(std::string_view sql);

/// A name as SQL writes it, in quotation marks.
std::string sql_name(std::string_view name);

}  // namespace ringmesh::lab
