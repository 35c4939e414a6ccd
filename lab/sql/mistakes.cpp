// SPDX-License-Identifier: Apache-2.0
#include "lab/sql/mistakes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

#include "lab/sql/statements.h"
#include "lab/table/text_table.h"
#include "tlm/names.h"

namespace ringmesh::lab {
namespace {

constexpr std::size_t kHelpWidth = 90;  // the program's name stands before each line
constexpr std::size_t kMostLinesOfTables = 6;
constexpr std::size_t kMostTables = 3;  // whose columns are told
constexpr std::string_view kStatisticsBehind = "_statistics";

/// Behind `beginning`; nothing if it begins otherwise.
std::optional<std::string> rest_of(std::string_view words, std::string_view beginning)
{
    if (!words.starts_with(beginning)) return std::nullopt;
    return std::string(words.substr(beginning.size()));
}

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
    written.reserve(names.size());
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
        if (auto rest = rest_of(typed, "main.")) typed = *rest;
        if (const auto name = unquoted()) return in_quotation_marks(*name);
        std::vector<std::string> names;
        for (const NamedColumns& table : known_->tables) names.push_back(table.table);
        if (names.empty()) return "; there is none";
        std::vector<std::string> shown;
        for (const std::string& name : names) {
            if (!is_statistics_of_another(name, names)) shown.push_back(name);
        }
        return did_you_mean(typed, names) + listed("tables", shown, kMostLinesOfTables);
    }

    std::string of_column(const std::string& typed) const
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

    std::string of_function(const std::string& typed) const
    {
        const std::string nearest = nearest_name(typed, known_->functions);
        const SqlFunction* own = function(nearest);
        if (nearest.empty()) return "; `ringmesh list functions` names ours";
        return fmt::format("; did you mean {}?", own == nullptr ? nearest + "()" : signature_of(*own));
    }

    std::string of_arguments(const std::string& name) const
    {
        const SqlFunction* own = function(name);
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
    static bool is_statistics_of_another(const std::string& name, const std::vector<std::string>& names)
    {
        if (!name.ends_with(kStatisticsBehind)) return false;
        const std::string of = name.substr(0, name.size() - kStatisticsBehind.size());
        return std::ranges::find(names, of) != names.end();
    }

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

std::string help_for(std::string_view words, const Helper& helper)
{
    if (const auto table = rest_of(words, "no such table: ")) return helper.of_table(*table);
    if (const auto column = rest_of(words, "no such column: ")) return helper.of_column(*column);
    if (const auto function = rest_of(words, "no such function: ")) return helper.of_function(*function);
    if (auto function = rest_of(words, "wrong number of arguments to function ")) {
        return helper.of_arguments(function->substr(0, function->find('(')));
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
