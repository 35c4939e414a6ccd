// SPDX-License-Identifier: Apache-2.0
#include "lab/study/scripts.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "lab/table/plain_text.h"
#include "platforms/files/toml_document.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

constexpr std::string_view kStatistics = "_statistics";

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

    /// These names, and all that the statements mention which make them.
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

private:
    struct Place {
        const Script* script;
        const Script::Statement* statement;
    };

    std::vector<Place> all_;
};

bool mentions(const std::set<std::string>& names, const std::string& test)
{
    return names.contains(lowered(test)) || names.contains(lowered(test) + std::string(kStatistics));
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
    const auto names = Needs(scripts).of_part(part);
    std::set<std::string> tests;
    for (const StudyTest& test : study.tests) {
        if (mentions(names, test.name)) tests.insert(test.name);
    }
    return tests;
}

std::set<std::string> tests_behind(const std::string& view, const Study& study, const std::vector<Script>& scripts)
{
    const auto names = Needs(scripts).with_makers({view});
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
                      const std::set<std::string>& missing, const std::set<std::string>& long_tests)
{
    const Needs needs(scripts);
    const auto wanted = needs.of_part(part);
    MadeViews made;
    for (const Script& script : scripts) {
        for (const Script::Statement& statement : script.statements) {
            const bool own = part.empty() || script.part == part;
            if (!own && !wanted.contains(statement.makes)) continue;
            const auto names = needs.of(statement);
            const auto needs_one_of = [&names](const std::set<std::string>& tests) {
                return std::any_of(tests.begin(), tests.end(),
                                   [&names](const std::string& test) { return mentions(names, test); });
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
