// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/table/writers/plain_text.h"

/// The text of SQL, before SQLite reads it.
namespace ringmesh::lab {

/// The statements of a script with their places in it, blanks and comments before them left out. The last one may lack
/// its semicolon.
std::vector<std::string_view> statements_of(std::string_view sql);

/// Names in the order of a statement, in small letters: words, and what stands in double quotation marks. Texts and
/// comments have none.
std::vector<std::string> names_in(std::string_view sql);

/// The statement in small letters, a blank in place of each text, comment and name in quotation marks.
std::string outside_quotation_marks(std::string_view sql);

/// Whether SQL takes it as a name without quotation marks, unless it is one of its own words.
bool is_plain_name(std::string_view name);

/// A name in SQL's quotation marks.
std::string sql_name(std::string_view name);

}  // namespace ringmesh::lab
