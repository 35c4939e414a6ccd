// SPDX-License-Identifier: Apache-2.0
#include "lab/study/scripts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <system_error>

#include "lab/table/plain_text.h"
#include "platforms/files/toml_document.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

/// CREATE VIEW|TABLE [IF NOT EXISTS] name
std::string made_by(const std::vector<std::string>& names)
{
    if (names.size() < 3 || names[0] != "create") return "";
    if (names[1] == "temp" || names[1] == "temporary") return "";  // lists and exports would not have it
    static const std::set<std::string> kWords{"view", "table", "if", "not", "exists", "main"};
    const auto name =
        std::find_if(names.begin() + 1, names.end(), [&](const std::string& word) { return !kWords.contains(word); });
    return name == names.end() ? "" : *name;
}

/// Of a view `residuals`: within 5 % a formula stands for the machine; where, in rising order, is it first beyond that?
constexpr std::string_view kResiduals = "residuals";
constexpr std::string_view kTableOfResiduals = R"sql(CREATE VIEW table_residuals AS
SELECT formula, curve, count(*) || ', ' || printf('%g', min(at)) || ' to ' || printf('%g', max(at)) || ' ' || over
           AS "points",
       printf('%+.2f', min(residual_percent)) AS "least (%)", printf('%+.2f', max(residual_percent)) AS "largest (%)",
       coalesce(min(at) FILTER (WHERE abs(residual_percent) > 5) || ' ' || over, 'not in these')
           AS "leaves 5 % at"
FROM residuals GROUP BY place, formula, curve ORDER BY place, curve)sql";

Script::Statement read_statement(std::string_view text, std::size_t line)
{
    const auto names = names_in(text);
    return {.text = std::string(text), .line = line, .makes = made_by(names), .words = {names.begin(), names.end()}};
}

Script read_script(const std::filesystem::path& file)
{
    const std::string text = read_plain_text(file);
    Script script{.part = part_name(file), .file = file, .statements = {}};
    std::size_t line_of_residuals = 0;
    bool has_own_table = false;
    for (const std::string_view statement : statements_of(text)) {
        const auto before = std::count(text.begin(), text.begin() + (statement.data() - text.data()), '\n');
        const auto& read =
            script.statements.emplace_back(read_statement(statement, 1 + static_cast<std::size_t>(before)));
        if (read.makes == kResiduals) line_of_residuals = read.line;
        has_own_table = has_own_table || read.makes == "table_residuals";
    }
    if (line_of_residuals != 0 && !has_own_table)
        script.statements.push_back(read_statement(kTableOfResiduals, line_of_residuals));
    return script;
}

/// Statements by the name that they make.
using Makers = std::multimap<std::string, const Script::Statement*>;

Makers makers_in(const std::vector<Script>& scripts)
{
    Makers makers;
    for (const Script& script : scripts) {
        for (const Script::Statement& statement : script.statements) makers.emplace(statement.makes, &statement);
    }
    return makers;
}

/// Which of some tests the statements need, over other views; each name is followed once.
class Needs {
public:
    Needs(const std::vector<Script>& scripts, const std::set<std::string>& tests) : makers_(makers_in(scripts))
    {
        for (const std::string& test : tests) {
            for (const char* table : {"", "_statistics"}) found_[lowered(test) + table] = {test};
        }
    }

    const std::set<std::string>& of(const std::string& name)
    {
        const auto [place, is_new] = found_.try_emplace(name);
        const auto [first, last] = makers_.equal_range(name);
        for (auto maker = first; is_new && maker != last; ++maker) place->second.merge(of(*maker->second));
        return place->second;
    }
    std::set<std::string> of(const Script::Statement& statement)
    {
        std::set<std::string> tests;
        for (const std::string& word : statement.words) {
            const auto& more = of(word);
            tests.insert(more.begin(), more.end());
        }
        return tests;
    }

private:
    Makers makers_;
    std::map<std::string, std::set<std::string>> found_;
};

/// The words, and all that the statements mention which make them.
std::set<std::string> with_makers(std::set<std::string> names, const Makers& makers)
{
    std::vector<std::string> open(names.begin(), names.end());
    while (!open.empty()) {
        const auto [first, last] = makers.equal_range(open.back());
        open.pop_back();
        for (auto maker = first; maker != last; ++maker) {
            for (const std::string& word : maker->second->words) {
                if (names.insert(word).second) open.push_back(word);
            }
        }
    }
    return names;
}

bool is_of(const Script& script, const std::string& part) { return part.empty() || script.part == part; }

/// All names that the statements of a part mention, over other views.
std::set<std::string> names_for(const std::string& part, const std::vector<Script>& scripts)
{
    std::set<std::string> names;
    for (const Script& script : scripts) {
        if (!is_of(script, part)) continue;
        for (const Script::Statement& statement : script.statements) {
            names.insert(statement.words.begin(), statement.words.end());
        }
    }
    return with_makers(std::move(names), makers_in(scripts));
}

std::set<std::string> tests_among(const std::set<std::string>& names, const Study& study)
{
    std::set<std::string> tests;
    for (const StudyTest& test : study.tests) {
        const std::string name = lowered(test.name);
        if (names.contains(name) || names.contains(name + "_statistics")) tests.insert(test.name);
    }
    return tests;
}

}  // namespace

std::string Script::where(const Statement& statement) const
{
    return fmt::format("{}:{}", platforms::shown(file), statement.line);
}

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
    return tests_among(names_for(part, scripts), study);
}

std::set<std::string> tests_behind(const std::string& view, const Study& study, const std::vector<Script>& scripts)
{
    return tests_among(with_makers({view}, makers_in(scripts)), study);
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
                      const std::set<std::string>& missing, const std::set<std::string>& long_tests)
{
    std::set<std::string> tests = missing;
    tests.insert(long_tests.begin(), long_tests.end());
    Needs needs(scripts, tests);
    const auto wanted = names_for(part, scripts);
    MadeViews made;
    for (const Script& script : scripts) {
        for (const Script::Statement& statement : script.statements) {
            const bool own = is_of(script, part);
            if (!own && !wanted.contains(statement.makes)) continue;
            const auto needed = needs.of(statement);
            const auto needs_one_of = [&needed](const std::set<std::string>& some) {
                return std::any_of(some.begin(), some.end(), [&](const auto& test) { return needed.contains(test); });
            };
            if (needs_one_of(missing)) {
                if (own) made.left_out.push_back(statement.makes);
                continue;
            }
            const std::string where = script.where(statement);
            if (statement.makes.empty()) {
                throw UserError(
                    fmt::format("{}: {}: a script makes views and tables and changes nothing else; write CREATE "
                                "VIEW or CREATE TABLE",
                                where, statement.text.substr(0, statement.text.find('\n'))));
            }
            try {
                database.execute(statement.text);
            } catch (const UserError& error) {
                throw UserError(fmt::format("{}: {}", where, error.what()));
            }
            if (own) {
                made.views.push_back({statement.makes, script.part, where, needs_one_of(long_tests)});
            }
        }
    }
    return made;
}

workloads::Results rows_of(const Database& database, const MadeViews::View& view)
{
    try {
        return database.query("SELECT * FROM " + sql_name(view.name));
    } catch (const UserError& error) {
        throw UserError(fmt::format("{}: {}: {}", view.where, view.name, error.what()));
    }
}

std::vector<FoundView> found_views(const Database& database, const MadeViews& views, std::string_view prefix)
{
    std::vector<FoundView> found;
    for (const MadeViews::View& view : views.beginning(prefix)) found.push_back({view, rows_of(database, view)});
    return found;
}

}  // namespace ringmesh::lab
