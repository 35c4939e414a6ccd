// SPDX-License-Identifier: Apache-2.0
#include "lab/study/description/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

#include "lab/run/workload_spec.h"
#include "lab/sql/statements.h"
#include "lab/table/writers/csv.h"
#include "lab/table/writers/plain_text.h"
#include "platforms/files/toml_document.h"
#include "tlm/error.h"
#include "tlm/files/input_file.h"
#include "tlm/parameters/names.h"
#include "tlm/parameters/parameter_list.h"
#include "tlm/units/quantity.h"

namespace ringmesh::lab {
namespace {

using platforms::Setting;

/// Keys of a test.
const std::vector<std::string> kPlainKeys{"platform", "program",     "library", "background", "overlays",
                                          "together", "where",       "repeat",  "seed",       "limit",
                                          "long",     "every_block", "vary"};
const std::vector<std::string> kTableKeys{"options", "library_options", "set", "axes", "variants", "cells"};
const std::vector<std::string> kVariantKeys{"platform", "library", "overlays", "set", "options", "library_options"};

std::vector<std::string> split(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        parts.emplace_back(platforms::trimmed(text.substr(begin, end - begin)));
        begin = end + 1;
    }
    return parts;
}

/// A value without TOML's quotation marks, as an assignment on the command line has it.
std::string text_of(const Setting& setting)
{
    if (const auto* text = std::get_if<std::string>(&setting.value.data)) return *text;
    return setting.value.text;
}

std::vector<std::string> texts_of(const Setting& setting)
{
    std::vector<std::string> texts;
    if (const auto* all = std::get_if<std::vector<std::string>>(&setting.value.data)) return *all;
    if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&setting.value.data)) {
        for (const std::int64_t value : *integers) texts.push_back(std::to_string(value));
    } else if (const auto* numbers = std::get_if<std::vector<double>>(&setting.value.data)) {
        for (const double value : *numbers) texts.push_back(number_text(value));
    } else {
        texts.push_back(text_of(setting));
    }
    return texts;
}

StudyWord word_of(const Setting& setting) { return {text_of(setting), setting.where}; }

std::vector<StudyWord> words_of(const Setting& setting)
{
    std::vector<StudyWord> words;
    for (std::string& text : texts_of(setting)) words.push_back({std::move(text), setting.where});
    return words;
}

/// Key of a table and the rest: "axes.link.symbol_time" is {"axes", "link.symbol_time"}.
std::pair<std::string, std::string> head_and_rest(const std::string& key)
{
    const std::size_t dot = key.find('.');
    if (dot == std::string::npos) return {key, ""};
    return {key.substr(0, dot), key.substr(dot + 1)};
}

/// In place of the element of the same name, or behind all.
template <class Element>
void put(std::vector<Element>& all, std::string Element::*name, Element element)
{
    const auto same =
        std::find_if(all.begin(), all.end(), [&](const Element& other) { return other.*name == element.*name; });
    if (same == all.end()) {
        all.push_back(std::move(element));
    } else {
        *same = std::move(element);
    }
}

/// Points that a test names by an expression, or all or none of them by true or false.
StudyWord word_or_flag(const Setting& setting, std::string_view if_true, std::string_view if_false)
{
    const auto* flag = std::get_if<bool>(&setting.value.data);
    return {flag == nullptr ? text_of(setting) : std::string(*flag ? if_true : if_false), setting.where};
}

/// Keys that a test and a variant have both. @return false for another key
template <class Changes>
bool read_changes(Changes& into, const std::string& key, const std::string& rest, const Setting& setting)
{
    if (rest.empty() && (key == "platform" || key == "library")) {
        (key == "platform" ? into.platform : into.library) = word_of(setting);
    } else if (rest.empty() && key == "overlays") {
        into.overlays = words_of(setting);
    } else if (!rest.empty() && key == "set") {
        put(into.set, &StudySetting::key, {rest, text_of(setting), setting.where});
    } else if (!rest.empty() && (key == "options" || key == "library_options")) {
        // As behind NAME: on the command line, a list has neither brackets nor quotation marks
        const std::string value = fmt::format("{}", fmt::join(texts_of(setting), ","));
        put(key == "options" ? into.options : into.library_options, &StudySetting::key, {rest, value, setting.where});
    } else {
        return false;
    }
    return true;
}

/// Reads settings into tests and collects what is wrong with them.
class Reader {
public:
    std::vector<std::string> problems;

    explicit Reader(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// `key` is relative to the test, or to the file if it stands above the tests.
    void into(StudyTest& test, const std::string& key, const Setting& setting, bool above = false)
    {
        const auto [head, rest] = head_and_rest(key);
        const auto is_in = [&head = head](const std::vector<std::string>& keys) {
            return std::find(keys.begin(), keys.end(), head) != keys.end();
        };
        const bool table = is_in(kTableKeys);
        if (!table && !is_in(kPlainKeys)) {
            std::vector<std::string> known = kPlainKeys;
            known.insert(known.end(), kTableKeys.begin(), kTableKeys.end());
            if (above) known.insert(known.begin(), {"title", "notes", "tables", "test"});
            wrong(setting, fmt::format("unknown key '{}'{}", key, suggestion(head, known)));
        } else if (table == rest.empty()) {
            wrong(setting, table ? fmt::format("{} is a table; write {} = {{ name = value }}", head, head)
                                 : fmt::format("{} is no table; write {} = value", head, head));
        } else if (read_changes(test, head, rest, setting)) {
        } else if (head == "program" || head == "where") {
            (head == "program" ? test.program : test.constraint) = word_of(setting);
        } else if (head == "background") {
            try {
                for (const std::string& option : background_options(texts_of(setting))) {
                    const std::size_t equals = option.find('=');
                    put(test.options, &StudySetting::key,
                        {option.substr(0, equals), option.substr(equals + 1), setting.where});
                }
            } catch (const UserError& error) {
                wrong(setting, error.what());
            }
        } else if (head == "axes") {
            read_axis(test, rest, setting);
        } else if (head == "variants") {
            read_variant(test, rest, setting);
        } else if (head == "cells") {
            read_cells(rest, setting);
        } else if (head == "together") {
            test.together.clear();
            for (const std::string& names : texts_of(setting)) test.together.push_back(split(names, ','));
        } else if (head == "long") {
            test.long_points = word_or_flag(setting, "1", "");
        } else if (head == "vary") {
            test.varied_points = word_or_flag(setting, "", "0");
        } else if (head == "repeat") {
            test.repeat = static_cast<unsigned>(whole(setting, 1, 100'000));
        } else if (head == "seed") {
            test.seed = static_cast<std::uint64_t>(whole(setting, 0, INT64_MAX));
        } else if (head == "limit") {
            try {
                test.limit = time_limit(text_of(setting), "limit = \"60 s\"");
            } catch (const UserError& error) {
                wrong(setting, error.what());
            }
        } else {
            const auto* flag = std::get_if<bool>(&setting.value.data);
            if (flag == nullptr) wrong(setting, "not true or false; write every_block = true");
            test.every_block = flag != nullptr && *flag;
        }
    }

    /// At the end of a test: the rows of its table become axes that go in step.
    void finish(StudyTest& test)
    {
        const Cells cells = std::exchange(cells_, {});
        if (cells.where.empty()) return;
        if (cells.csv.empty()) {
            problems.push_back(
                fmt::format("{}: cells without a table; write cells = {{ csv = \"NAME.csv\" }}", cells.where));
            return;
        }
        try {
            add_cells(test, cells);
        } catch (const UserError& error) {
            problems.emplace_back(error.what());
        }
    }

    /// [numerical]: seeds, and options by program.
    void read_numerical(Numerical& numerical, const std::string& key, const Setting& setting)
    {
        const auto [program, option] = head_and_rest(key);
        if (key == "seeds") {
            numerical.seeds = static_cast<unsigned>(whole(setting, 0, 100));
        } else if (option.empty()) {
            wrong(setting, fmt::format("unknown key '{}'; write seeds = 4, or {}.OPTION = [VALUE, ...]", key, key));
        } else {
            numerical.choices.push_back({program, option, texts_of(setting), setting.where});
        }
    }

    void wrong(const Setting& setting, std::string_view what)
    {
        problems.push_back(fmt::format("{}: {} = {}: {}", setting.where, setting.key, setting.value.text, what));
    }

private:
    /// A point for each row of a CSV.
    struct Cells {
        std::string csv;
        std::vector<std::string> columns;  ///< none: all
        std::string where;
    };

    void read_cells(const std::string& key, const Setting& setting)
    {
        cells_.where = setting.where;
        if (key == "csv") {
            cells_.csv = text_of(setting);
        } else if (key == "columns") {
            cells_.columns = texts_of(setting);
        } else {
            wrong(setting, fmt::format("unknown key '{}' of cells{}", key,
                                       suggestion(key, std::vector<std::string>{"csv", "columns"})));
        }
    }

    /// @throws UserError
    void add_cells(StudyTest& test, const Cells& cells) const
    {
        const auto inside = path_inside(folder_, cells.csv);
        if (!inside) {
            throw UserError(fmt::format("{}: cells: {}: outside of the study's folder; put the file into it",
                                        cells.where, cells.csv));
        }
        const std::filesystem::path& path = *inside;
        std::error_code error;
        if (!std::filesystem::is_regular_file(path, error)) {
            throw UserError(fmt::format("{}: cells: {}: {}; write the name of a CSV file in the study's folder",
                                        cells.where, platforms::shown(path),
                                        std::filesystem::exists(path, error) ? "not a file" : "no such file"));
        }
        const CsvTable table = read_csv(path);
        if (table.rows.empty()) {
            throw UserError(fmt::format("{}: cells: {} has no rows; write at least one", cells.where,
                                        platforms::shown(table.path)));
        }
        auto& names = test.together.emplace_back(cells.columns.empty() ? table.columns : cells.columns);
        for (const std::string& name : names) {
            if (const auto other = std::find_if(test.axes.begin(), test.axes.end(),
                                                [&name](const Axis& axis) { return axis.name == name; });
                other != test.axes.end()) {
                throw UserError(fmt::format("{}: cells: column {} is an axis already, in {}; rename one of them",
                                            cells.where, name, other->where));
            }
            const std::size_t column = table.column(name);
            Axis& axis = test.axes.emplace_back(Axis{name, {}, cells.where});
            for (const CsvTable::Row& row : table.rows) {
                if (row.cells[column].empty()) {
                    throw UserError(fmt::format("{}: column '{}' is empty; write a value", table.where(row), name));
                }
                axis.values.push_back(row.cells[column]);
                axis.places.push_back(table.where(row));
            }
        }
    }

    std::int64_t whole(const Setting& setting, std::int64_t low, std::int64_t high)
    {
        const auto* integer = std::get_if<std::int64_t>(&setting.value.data);
        if (integer != nullptr && *integer >= low && *integer <= high) return *integer;
        wrong(setting, fmt::format("not a whole number from {} to {}", low, high));
        return low;
    }

    void read_axis(StudyTest& test, const std::string& name, const Setting& setting)
    {
        Axis axis{name, {}, setting.where};
        try {
            const auto* text = std::get_if<std::string>(&setting.value.data);
            axis.values = text != nullptr
                              ? axis_values(*text, fmt::format("{}: {} = {}", setting.where, name, setting.value.text))
                              : texts_of(setting);
            if (axis.values.empty() || setting.value.text == "[]" || setting.value.text == "[ ]") {
                wrong(setting, "an axis without values; write at least one");
                return;
            }
        } catch (const UserError& error) {
            problems.emplace_back(error.what());
            return;
        }
        put(test.axes, &Axis::name, std::move(axis));
    }

    void read_variant(StudyTest& test, const std::string& key, const Setting& setting)
    {
        const auto [name, rest] = head_and_rest(key);
        auto variant = std::find_if(test.variants.begin(), test.variants.end(),
                                    [&name = name](const Variant& other) { return other.name == name; });
        if (variant == test.variants.end()) {
            test.variants.push_back({.name = name, .where = setting.where});
            variant = test.variants.end() - 1;
        }
        if (rest.empty()) {
            if (setting.value.text != "{}") wrong(setting, "a variant is a table; write NAME = { set = { ... } }");
            return;
        }
        const auto [head, inner] = head_and_rest(rest);
        if (read_changes(*variant, head, inner, setting)) return;
        wrong(setting, fmt::format("unknown key '{}' of a variant{}", rest, suggestion(head, kVariantKeys)));
    }

    std::filesystem::path folder_;
    Cells cells_;  ///< of the test that is being read
};

/// The settings of a test, or of what stands above the tests, with their keys in it.
struct Section {
    std::string name;
    std::vector<std::pair<std::string, const Setting*>> settings = {};
};

/// The first is what stands above the tests, then these in the order of the file.
std::vector<Section> sections_of(const std::vector<Setting>& settings, Study& study, Reader& reader)
{
    std::vector<Section> all{{""}};
    for (const Setting& setting : settings) {
        const auto [head, rest] = head_and_rest(setting.key);
        if (head == "title") {
            study.title = text_of(setting);
        } else if (setting.key == "notes") {
            study.notes = texts_of(setting);
        } else if (head == "tables" && !rest.empty()) {
            study.titles[lowered(rest)] = word_of(setting);
        } else if (head == "numerical") {
            reader.read_numerical(study.numerical, rest, setting);
        } else if (head != "test") {
            all.front().settings.emplace_back(setting.key, &setting);
        } else {
            const auto [name, key] = head_and_rest(rest);
            auto section = std::find_if(all.begin() + 1, all.end(),
                                        [&name = name](const Section& each) { return each.name == name; });
            if (section == all.end()) section = all.insert(section, {name});
            section->settings.emplace_back(key, &setting);
        }
    }
    return all;
}

}  // namespace

std::chrono::duration<double> time_limit(const std::string& text, std::string_view example)
{
    const auto limit = parse_duration(text);
    if (limit.value) return std::chrono::duration<double>(limit.value->ns() / 1e9);
    throw UserError(fmt::format("not a time; write a number with the unit s, as in {}", example));
}

std::string Study::name() const { return folder_name(folder); }

std::string folder_name(const std::filesystem::path& folder)
{
    const auto whole = std::filesystem::absolute(folder).lexically_normal();  // of "." it ends in a slash
    return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

Study read_study(const std::filesystem::path& path)
{
    const std::filesystem::path file = std::filesystem::is_directory(path) ? path / "study.toml" : path;
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) {
        throw UserError(fmt::format("{}: {}; write a study's name, its folder or its study.toml",
                                    platforms::shown(file),
                                    std::filesystem::exists(file, error) ? "not a file" : "no such file"));
    }
    const std::vector<Setting> settings = platforms::read_toml_file(file);
    Study study;
    study.folder = file.has_parent_path() ? file.parent_path() : ".";
    for (const auto& entry : std::filesystem::directory_iterator(study.folder, error)) {
        if (!leads_out(study.folder, entry.path())) continue;
        throw UserError(
            fmt::format("{}: a link out of the study's folder, from which alone a study reads; give {} a folder of its "
                        "own, or copy the file into it",
                        platforms::shown(entry.path()), file.filename().string()));
    }
    Reader reader(study.folder);
    const std::vector<Section> sections = sections_of(settings, study, reader);
    if (sections.size() == 1) {
        throw UserError(
            fmt::format("{}: a study without tests; write [test.NAME] with program = ...", platforms::shown(file)));
    }
    for (const Section& section : std::span(sections).subspan(1)) {
        StudyTest test;
        const std::string& name = test.name = section.name;
        const auto& own = section.settings;
        test.where = own.front().second->where;
        const bool own_variants = std::any_of(own.begin(), own.end(), [](const auto& setting) {
            return setting.first == "variants" || setting.first.starts_with("variants.");
        });
        for (const auto& [key, setting] : sections.front().settings) {
            if (!own_variants || !key.starts_with("variants")) reader.into(test, key, *setting, true);
        }
        const StudyTest inherited = test;
        for (const auto& [key, setting] : own) {
            if (!key.empty()) reader.into(test, key, *setting);
        }
        reader.finish(test);
        drop_inherited(test, inherited);
        if (test.variants.empty()) test.variants.push_back({.name = "base", .where = test.where});
        for (const auto& [what, value] : {std::pair{"platform", &test.platform}, std::pair{"program", &test.program}}) {
            if (value->empty()) {
                reader.problems.push_back(
                    fmt::format("{}: test.{} has no {}; write {} = \"NAME\"", test.where, name, what, what));
            }
        }
        study.tests.push_back(std::move(test));
    }
    std::sort(reader.problems.begin(), reader.problems.end());
    reader.problems.erase(std::unique(reader.problems.begin(), reader.problems.end()), reader.problems.end());
    if (!reader.problems.empty()) throw UserError(fmt::format("{}", fmt::join(reader.problems, "\n")));
    return study;
}

}  // namespace ringmesh::lab
