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
    // The token ends at `end`, behind its first `open` characters; `close` more are taken
    const auto take = [&sql](Piece piece, std::size_t open, std::size_t end, std::size_t close) {
        end = std::min(end, sql.size());
        const Token token{piece, sql.substr(open, end - open)};
        sql.remove_prefix(std::min(end + close, sql.size()));
        return token;
    };
    const char first = sql.front();
    if (sql.starts_with("--")) return take(Piece::kComment, 0, sql.find('\n'), 0);
    if (sql.starts_with("/*")) return take(Piece::kComment, 0, sql.find("*/", 2), 2);
    if (first == '\'') return take(Piece::kText, 1, sql.find(first, 1), 1);
    if (first == '"') return take(Piece::kQuotedName, 1, sql.find(first, 1), 1);
    if (!is_word(first)) return take(Piece::kOther, 0, 1, 0);
    return take(Piece::kWord, 0, static_cast<std::size_t>(std::ranges::find_if_not(sql, is_word) - sql.begin()), 0);
}

std::string_view without_blanks_before(std::string_view rest)
{
    while (!rest.empty()) {
        std::string_view behind = rest;
        const Token token = take_token(behind);
        const bool is_open = token.text.starts_with("/*") && behind.empty() && !rest.ends_with("*/");
        const bool is_blank = token.piece == Piece::kOther &&
                              (token.text == ";" || std::isspace(static_cast<unsigned char>(token.text.front())) != 0);
        if (is_open || (token.piece != Piece::kComment && !is_blank)) break;  // SQLite says what is wrong
        rest = behind;
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
           std::ranges::all_of(name, is_word);
}

std::string sql_name(std::string_view name)
{
    std::string quoted = "\"";
    for (const char c : name) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + '"';
}

}  // namespace ringmesh::lab
