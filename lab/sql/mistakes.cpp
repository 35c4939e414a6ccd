// SPDX-License-Identifier: Apache-2.0
#include "lab/sql/mistakes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <sstream>

#include "lab/sql/statements.h"
#include "lab/table/writers/text_table.h"
#include "tlm/parameters/names.h"

namespace ringmesh::lab {
namespace {

constexpr std::size_t kHelpWidth = 90;  // the program's name stands before each line
constexpr std::size_t kMostLinesOfTables = 6;
constexpr std::size_t kMostTables = 3;  // whose columns are told
constexpr std::string_view kStatisticsBehind = "_statistics";

/// As a statement must have it.
std::string as_written(const std::string& name) { return is_plain_name(name) ? name : sql_name(name); }

std::string in_quotation_marks(const std::string& name)
{
    return fmt::format("; write {} in quotation marks", sql_name(name));
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& known)
{
    std::string nearest = nearest_name(typed, known);
    if (nearest.empty()) {  // "latency" of "latency_min_ns"
        const auto longer = std::ranges::find_if(known, [typed](const std::string& name) {
            return name.starts_with(typed) && name.substr(typed.size()).starts_with('_');
        });
        if (longer != known.end()) nearest = *longer;
    }
    return nearest.empty() ? "" : fmt::format("; did you mean {}?", as_written(nearest));
}

/// "  what: a, b, c" in lines; what is beyond the last of them is counted.
std::string listed(std::string_view what, const std::vector<std::string>& names, std::size_t most_lines)
{
    std::vector<std::string> written;
    for (const std::string& name : names) written.push_back(as_written(name));
    std::istringstream lines(wrapped(fmt::format("  {}: {}", what, fmt::join(written, ", ")), 4, kHelpWidth));
    std::string text;
    std::string line;
    std::size_t shown = 0;
    for (; shown < most_lines && std::getline(lines, line); ++shown) text += '\n' + line;
    if (std::getline(lines, line)) text += " ...";
    return text;
}

class Helper {
public:
    Helper(std::string_view statement, const SqlVocabulary& known) : known_(&known), statement_(statement)
    {
        const auto names = names_in(statement);
        const std::set<std::string> mentioned(names.begin(), names.end());
        for (const NamedColumns& table : known.tables) {
            if (mentioned.contains(lowered(table.table))) mentioned_.push_back(&table);
        }
    }

    std::string of_table(std::string typed) const
    {
        if (typed.starts_with("main.")) typed.erase(0, 5);
        if (const auto name = unquoted()) return in_quotation_marks(*name);
        if (typed.ends_with(".csv")) return fmt::format("; the study's folder has no file {}", typed);
        std::vector<std::string> names;
        std::vector<std::string> shown;
        for (const NamedColumns& table : known_->tables) {
            names.push_back(table.table);
            if (!table.table.ends_with(kStatisticsBehind)) shown.push_back(table.table);
        }
        if (names.empty()) return "; there is none";
        return did_you_mean(typed, names) + listed("tables", shown, kMostLinesOfTables);
    }

    std::string of_column(std::string typed) const
    {
        if (const auto name = unquoted()) return in_quotation_marks(*name);
        std::vector<std::string> columns;
        std::string tables;
        for (std::size_t i = 0; i < mentioned_.size(); ++i) {
            const auto& [table, own] = *mentioned_[i];
            columns.insert(columns.end(), own.begin(), own.end());
            if (i < kMostTables) tables += listed(as_written(table), own, kMostLinesOfTables);
        }
        return did_you_mean(typed.substr(typed.rfind('.') + 1), columns) + tables;
    }

    std::string of_function(std::string typed) const
    {
        const std::string nearest = nearest_name(typed, known_->functions);
        const SqlFunction* own = function(nearest);
        if (nearest.empty()) return "; `ringmesh list functions` names ours";
        return fmt::format("; did you mean {}?", own == nullptr ? nearest + "()" : signature_of(*own));
    }

    std::string of_arguments(std::string typed) const
    {
        const SqlFunction* own = function(typed.substr(0, typed.find('(')));
        return own == nullptr ? "" : fmt::format("; write {}", signature_of(*own));
    }

    /// A known name that needs quotation marks and stands in the statement without.
    std::optional<std::string> unquoted() const
    {
        for (const NamedColumns& table : known_->tables) {
            if (stands_unquoted(table.table)) return table.table;
        }
        for (const NamedColumns* table : mentioned_) {
            for (const std::string& column : table->columns) {
                if (stands_unquoted(column)) return column;
            }
        }
        return std::nullopt;
    }

private:
    const SqlFunction* function(const std::string& name) const
    {
        const auto found = std::ranges::find_if(
            known_->own, [&name](const SqlFunction* function) { return function->name == lowered(name); });
        return found == known_->own.end() ? nullptr : *found;
    }

    bool stands_unquoted(const std::string& name) const
    {
        if (is_plain_name(name)) return false;
        const std::string text = outside_quotation_marks(statement_);
        const std::string searched = lowered(name);
        for (std::size_t at = text.find(searched); at != std::string::npos; at = text.find(searched, at + 1)) {
            const std::size_t end = at + searched.size();
            const bool begins = at == 0 || !is_plain_name(text.substr(at - 1, 1));
            if (begins && (end == text.size() || !is_plain_name(text.substr(end, 1)))) return true;
        }
        return false;
    }

    const SqlVocabulary* known_;
    std::string_view statement_;
    std::vector<const NamedColumns*> mentioned_;
};

/// What SQLite says, and what helps with the words behind it.
struct Mistake {
    std::string_view words;
    std::string (Helper::*help)(std::string typed) const;
};
constexpr std::array kMistakes{Mistake{"no such table: ", &Helper::of_table},
                               Mistake{"no such column: ", &Helper::of_column},
                               Mistake{"no such function: ", &Helper::of_function},
                               Mistake{"wrong number of arguments to function ", &Helper::of_arguments}};

std::string help_for(std::string_view words, const Helper& helper)
{
    for (const auto& [beginning, help] : kMistakes) {
        if (words.starts_with(beginning)) return (helper.*help)(std::string(words.substr(beginning.size())));
    }
    const bool syntax = words.starts_with("near ") || words.starts_with("unrecognized token") ||
                        words.find(" cannot reference objects in database ") != std::string_view::npos;
    const auto name = syntax ? helper.unquoted() : std::nullopt;
    return name ? in_quotation_marks(*name) : "";
}

}  // namespace

std::string explained(std::string_view words, std::string_view statement, const SqlVocabulary& known)
{
    return std::string(words) + help_for(words, Helper(statement, known));
}

}  // namespace ringmesh::lab
