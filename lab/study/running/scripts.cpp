// SPDX-License-Identifier: Apache-2.0
#include "lab/study/running/scripts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <system_error>

#include "lab/table/writers/plain_text.h"
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

using Tests = std::set<std::string>;
using Needs = std::map<const Script::Statement*, Tests>;

/// Which of these tests each statement needs, over the views that stand before it.
Needs needs_of(const std::vector<Script>& scripts, const Tests& tests)
{
    std::map<std::string, Tests> behind;  // a name in SQL
    for (const std::string& test : tests) behind[lowered(test)] = behind[lowered(test) + "_statistics"] = {test};
    Needs all;
    for (const Script& script : scripts) {
        for (const Script::Statement& statement : script.statements) {
            Tests& needed = all[&statement];
            for (const std::string& word : statement.words) {
                const auto found = behind.find(word);
                if (found != behind.end()) needed.insert(found->second.begin(), found->second.end());
            }
            behind[statement.makes].insert(needed.begin(), needed.end());
        }
    }
    return all;
}

Tests names_of_tests(const Study& study)
{
    Tests names;
    for (const StudyTest& test : study.tests) names.insert(test.name);
    return names;
}

bool is_of(const Script& script, const std::string& part) { return part.empty() || script.part == part; }

/// The statements of a part, and those before them that make what they mention, over other views.
std::set<const Script::Statement*> statements_for(const std::string& part, const std::vector<Script>& scripts)
{
    std::set<const Script::Statement*> wanted;
    std::set<std::string> names;
    for (auto script = scripts.rbegin(); script != scripts.rend(); ++script) {
        for (auto each = script->statements.rbegin(); each != script->statements.rend(); ++each) {
            if (!is_of(*script, part) && !names.contains(each->makes)) continue;
            wanted.insert(&*each);
            names.insert(each->words.begin(), each->words.end());
        }
    }
    return wanted;
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
    Needs needs = needs_of(scripts, names_of_tests(study));
    Tests tests;
    for (const Script& script : scripts) {
        for (const Script::Statement& statement : script.statements) {
            if (is_of(script, part)) tests.merge(needs[&statement]);
        }
    }
    return tests;
}

std::set<std::string> tests_behind(const std::string& view, const Study& study, const std::vector<Script>& scripts)
{
    Tests tests;
    for (const auto& [statement, needed] : needs_of(scripts, names_of_tests(study))) {
        if (statement->makes == view) tests.insert(needed.begin(), needed.end());
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
                      const std::set<std::string>& missing, const std::set<std::string>& long_tests)
{
    Tests tests = missing;
    tests.insert(long_tests.begin(), long_tests.end());
    const Needs needs = needs_of(scripts, tests);
    const auto wanted = statements_for(part, scripts);
    MadeViews made;
    for (const Script& script : scripts) {
        const bool own = is_of(script, part);
        for (const Script::Statement& statement : script.statements) {
            if (!wanted.contains(&statement)) continue;
            const Tests& needed = needs.at(&statement);
            const auto needs_one_of = [&needed](const Tests& some) {
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
