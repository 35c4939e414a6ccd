// SPDX-License-Identifier: Apache-2.0
#include "lab/sql/statements.h"

#include <sqlite3.h>

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace ringmesh::lab {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

enum class Piece : std::uint8_t { kWord, kQuotedName, kText, kComment, kOther };

/// A piece of a statement: `text` lacks its quotation marks.
struct Token {
    Piece piece;
    std::string_view text;
};

/// Takes the next one off `sql`. @pre not empty
Token take_token(std::string_view& sql)
{
    const auto take = [&sql](Piece piece, std::size_t begin, std::size_t end, std::size_t next) {
        const Token token{piece, sql.substr(begin, end - begin)};
        sql.remove_prefix(std::min(next, sql.size()));
        return token;
    };
    if (sql.starts_with("--")) {
        const std::size_t end = std::min(sql.find('\n'), sql.size());
        return take(Piece::kComment, 0, end, end);
    }
    if (sql.starts_with("/*")) {
        const std::size_t end = std::min(sql.find("*/", 2), sql.size());
        return take(Piece::kComment, 0, end, end + 2);
    }
    if (sql.front() == '\'' || sql.front() == '"') {
        const std::size_t end = std::min(sql.find(sql.front(), 1), sql.size());
        return take(sql.front() == '"' ? Piece::kQuotedName : Piece::kText, 1, end, end + 1);
    }
    if (!is_word(sql.front())) return take(Piece::kOther, 0, 1, 1);
    const auto end = static_cast<std::size_t>(std::find_if_not(sql.begin(), sql.end(), is_word) - sql.begin());
    return take(Piece::kWord, 0, end, end);
}

std::string_view without_blanks_before(std::string_view rest)
{
    while (!rest.empty()) {
        if (rest.starts_with("--")) {
            rest.remove_prefix(std::min(rest.find('\n'), rest.size()));
        } else if (rest.starts_with("/*")) {
            const std::size_t end = rest.find("*/");
            if (end == std::string_view::npos) break;  // SQLite says what is wrong
            rest.remove_prefix(end + 2);
        } else if (std::isspace(static_cast<unsigned char>(rest.front())) != 0 || rest.front() == ';') {
            rest.remove_prefix(1);
        } else {
            break;
        }
    }
    return rest;
}

}  // namespace

std::vector<std::string_view> statements_of(std::string_view sql)
{
    std::vector<std::string_view> statements;
    for (std::string_view rest = without_blanks_before(sql); !rest.empty(); rest = without_blanks_before(rest)) {
        std::size_t end = 0;
        do {
            end = std::min(rest.find(';', end), rest.size() - 1) + 1;
        } while (end < rest.size() && sqlite3_complete(std::string(rest.substr(0, end)).c_str()) == 0);
        statements.push_back(rest.substr(0, end));
        rest.remove_prefix(end);
    }
    return statements;
}

std::vector<std::string> names_in(std::string_view sql)
{
    std::vector<std::string> names;
    while (!sql.empty()) {
        const Token token = take_token(sql);
        if (token.piece == Piece::kWord || token.piece == Piece::kQuotedName) names.push_back(lowered(token.text));
    }
    return names;
}

std::string outside_quotation_marks(std::string_view sql)
{
    std::string text;
    while (!sql.empty()) {
        const Token token = take_token(sql);
        text += token.piece == Piece::kWord || token.piece == Piece::kOther ? lowered(token.text) : " ";
    }
    return text;
}

bool is_plain_name(std::string_view name)
{
    return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
           std::all_of(name.begin(), name.end(), is_word);
}

std::string sql_name(std::string_view name)
{
    std::string quoted = "\"";
    for (const char c : name) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + '"';
}

}  // namespace ringmesh::lab
