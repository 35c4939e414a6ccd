// SPDX-License-Identifier: Apache-2.0
#include "lab/study/scripts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <system_error>

#include "platforms/toml_document.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

constexpr std::string_view kStatistics = "_statistics";

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Names in the order of a statement: words, and what stands in double quotation marks. Texts and comments have none.
std::vector<std::string> names_in(std::string_view sql)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < sql.size();) {
        if (sql.substr(i).starts_with("--")) {
            i = std::min(sql.find('\n', i), sql.size());
        } else if (sql[i] == '\'' || sql[i] == '"') {
            const std::size_t end = std::min(sql.find(sql[i], i + 1), sql.size());
            if (sql[i] == '"') names.emplace_back(sql.substr(i + 1, end - i - 1));
            i = end + 1;
        } else if (is_word(sql[i])) {
            const std::size_t begin = i;
            while (i < sql.size() && is_word(sql[i])) ++i;
            names.emplace_back(sql.substr(begin, i - begin));
        } else {
            ++i;
        }
    }
    return names;
}

bool is_keyword(std::string word, std::string_view keyword)
{
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::toupper(c); });
    return word == keyword;
}

/// CREATE [TEMP] VIEW|TABLE [IF NOT EXISTS] name
std::string made_by(const std::vector<std::string>& names)
{
    if (names.size() < 3 || !is_keyword(names[0], "CREATE")) return "";
    const auto is_any = [](const std::string& word, std::initializer_list<std::string_view> keywords) {
        return std::any_of(keywords.begin(), keywords.end(), [&](auto keyword) { return is_keyword(word, keyword); });
    };
    const auto name = std::find_if(names.begin() + 1, names.end(), [&](const std::string& word) {
        return !is_any(word, {"TEMP", "TEMPORARY", "VIEW", "TABLE", "IF", "NOT", "EXISTS"});
    });
    return name == names.end() ? "" : *name;
}

Script read_script(const std::filesystem::path& file)
{
    const std::string text = platforms::read_text(file);
    Script script{.part = part_name(file), .file = file, .statements = {}};
    for (const std::string_view statement : statements_of(text)) {
        const auto names = names_in(statement);
        script.statements.push_back(
            {.text = std::string(statement),
             .line = 1 + static_cast<std::size_t>(
                             std::count(text.begin(), text.begin() + (statement.data() - text.data()), '\n')),
             .makes = made_by(names),
             .words = {names.begin(), names.end()}});
    }
    return script;
}

/// Statements by what they need of others.
class Needs {
public:
    explicit Needs(const std::vector<Script>& scripts)
    {
        for (const Script& script : scripts) {
            for (const Script::Statement& statement : script.statements) all_.push_back({&script, &statement});
        }
    }

    /// Everything that the statements of a part mention, over other views.
    std::set<std::string> of_part(const std::string& part) const
    {
        std::set<std::string> names;
        for (const auto& [script, statement] : all_) {
            if (!part.empty() && script->part != part) continue;
            names.insert(statement->words.begin(), statement->words.end());
        }
        return with_makers(std::move(names));
    }

    std::set<std::string> of(const Script::Statement& statement) const { return with_makers(statement.words); }

private:
    struct Place {
        const Script* script;
        const Script::Statement* statement;
    };

    std::set<std::string> with_makers(std::set<std::string> names) const
    {
        for (std::size_t before = 0; before != names.size();) {
            before = names.size();
            for (const auto& [script, statement] : all_) {
                if (!names.contains(statement->makes)) continue;
                names.insert(statement->words.begin(), statement->words.end());
            }
        }
        return names;
    }

    std::vector<Place> all_;
};

bool mentions(const std::set<std::string>& names, const std::string& test)
{
    return names.contains(test) || names.contains(test + std::string(kStatistics));
}

}  // namespace

std::vector<std::filesystem::path> script_files(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> files;
    std::error_code error;
    std::filesystem::directory_iterator entry(folder, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        if (entry->path().extension() == ".sql") files.push_back(entry->path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::string part_name(const std::filesystem::path& file)
{
    std::string stem = file.stem().string();
    const std::size_t behind_number = stem.find_first_not_of("0123456789");
    if (behind_number != 0 && behind_number != std::string::npos && stem[behind_number] == '_') {
        return stem.substr(behind_number + 1);
    }
    return stem;
}

std::vector<Script> scripts_of(const Study& study)
{
    std::vector<Script> scripts;
    if (study.folder.empty()) return scripts;
    for (const auto& file : script_files(study.folder)) scripts.push_back(read_script(file));
    return scripts;
}

std::set<std::string> tests_for(const std::string& part, const Study& study, const std::vector<Script>& scripts)
{
    const auto names = Needs(scripts).of_part(part);
    std::set<std::string> tests;
    for (const StudyTest& test : study.tests) {
        if (mentions(names, test.name)) tests.insert(test.name);
    }
    return tests;
}

std::vector<MadeViews::View> MadeViews::beginning(std::string_view prefix) const
{
    std::vector<View> found;
    for (const View& view : views) {
        if (view.name.starts_with(prefix)) found.push_back(view);
    }
    return found;
}

MadeViews run_scripts(Database& database, const std::vector<Script>& scripts, const std::string& part,
                      const std::set<std::string>& missing)
{
    const Needs needs(scripts);
    const auto wanted = needs.of_part(part);
    MadeViews made;
    for (const Script& script : scripts) {
        for (const Script::Statement& statement : script.statements) {
            const bool own = part.empty() || script.part == part;
            if (!own && !wanted.contains(statement.makes)) continue;
            const auto names = needs.of(statement);
            if (std::any_of(missing.begin(), missing.end(),
                            [&names](const std::string& test) { return mentions(names, test); })) {
                continue;
            }
            const std::string where = fmt::format("{}:{}", platforms::shown(script.file), statement.line);
            try {
                database.execute(statement.text);
            } catch (const UserError& error) {
                throw UserError(fmt::format("{}: {}", where, error.what()));
            }
            if (own && !statement.makes.empty()) made.views.push_back({statement.makes, script.part, where});
        }
    }
    return made;
}

}  // namespace ringmesh::lab
