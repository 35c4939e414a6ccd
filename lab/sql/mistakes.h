// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/sql/functions/functions.h"

namespace ringmesh::lab {

/// A table or view with its columns.
struct NamedColumns {
    std::string table;
    std::vector<std::string> columns;
};

/// What a statement could have meant.
struct SqlVocabulary {
    std::vector<NamedColumns> tables;
    std::vector<std::string> functions;  ///< all names, SQLite's own included
    std::vector<const SqlFunction*> own;
};

/// SQLite's words about a statement, with what helps: for an unknown table the names of those that there are, for an
/// unknown column the columns of the tables that the statement names, for a function its signature, for a name that
/// needs quotation marks that it does; nothing for the rest. At most some lines of 90 characters.
std::string explained(std::string_view words, std::string_view statement, const SqlVocabulary& known);

}  // namespace ringmesh::lab
