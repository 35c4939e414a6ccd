// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/workload.h"

namespace ringmesh::lab {

/// A table of numbers and texts with its name, as SQL sees it.
struct SqlTable {
    std::string name;
    workloads::Results content;
};

/// An SQLite database in memory. SQLite's headers are used only in database.cpp.
class Database {
public:
    Database();
    Database(Database&&) noexcept;
    Database& operator=(Database&&) noexcept;
    ~Database();

    /// @throws ModelError if the name is taken
    void add(const SqlTable& table);
    /// The rows of one SELECT; columns have no units. Nothing can be changed by it.
    /// @throws UserError "SQL: what is wrong" with the tables and columns that are known
    workloads::Results query(const std::string& sql) const;
    /// Runs the first statement; a view is tried at once, so that its mistakes are told here.
    /// @return the text after it @throws UserError as query
    std::string_view execute_first(std::string_view sql);
    /// Names of the views that begin so, in the order in which they were made.
    std::vector<std::string> views(std::string_view prefix) const;
    /// Writes all of it as a file. @throws UserError
    void save(const std::string& path) const;
    /// Tables and views with their columns, a line each.
    std::string contents() const;

private:
    struct Connection;
    std::unique_ptr<Connection> connection_;
};

/// A name as SQL writes it, in quotation marks.
std::string sql_name(std::string_view name);

}  // namespace ringmesh::lab
