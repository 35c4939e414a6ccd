// SPDX-License-Identifier: Apache-2.0
#include "lab/study/points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <span>

#include "lab/study/names.h"
#include "platforms/catalog.h"
#include "tlm/error.h"
#include "tlm/names.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;

/// Axes that go in step; most have a group of their own.
std::vector<std::vector<std::size_t>> groups_of(const StudyTest& test)
{
    std::vector<std::string> known;
    known.reserve(test.axes.size());
    for (const Axis& axis : test.axes) known.push_back(axis.name);
    std::vector<std::vector<std::size_t>> groups;
    std::vector<bool> grouped(test.axes.size(), false);
    std::vector<std::vector<std::size_t>> given;
    for (const auto& names : test.together) {
        auto& group = given.emplace_back();
        for (const std::string& name : names) {
            const auto found = std::find(known.begin(), known.end(), name);
            if (found == known.end()) {
                throw UserError(fmt::format("{}: test.{}: together names '{}', which is no axis{}", test.where,
                                            test.name, name, suggestion(name, known)));
            }
            group.push_back(static_cast<std::size_t>(found - known.begin()));
            if (grouped[group.back()]) {
                throw UserError(fmt::format("{}: test.{}: together names '{}' twice; name all that go with it at once",
                                            test.where, test.name, name));
            }
            grouped[group.back()] = true;
            const Axis& first = test.axes[group.front()];
            const Axis& axis = test.axes[group.back()];
            if (axis.values.size() != first.values.size()) {
                throw UserError(
                    fmt::format("{}: axes {} and {} go together and have {} and {} values; give both as many",
                                axis.where, first.name, axis.name, first.values.size(), axis.values.size()));
            }
        }
    }
    grouped.assign(test.axes.size(), false);
    for (std::size_t i = 0; i < test.axes.size(); ++i) {
        if (grouped[i]) continue;
        const auto with = std::find_if(given.begin(), given.end(), [i](const auto& group) {
            return std::find(group.begin(), group.end(), i) != group.end();
        });
        groups.push_back(with == given.end() ? std::vector<std::size_t>{i} : *with);
        for (const std::size_t member : groups.back()) grouped[member] = true;
    }
    return groups;
}

/// Calls `visit` with a place in the values of each axis, the last group fastest.
void for_each_combination(const StudyTest& test, const std::function<void(std::span<const std::size_t>)>& visit)
{
    const auto groups = groups_of(test);
    std::vector<std::size_t> places(test.axes.size(), 0);
    const std::function<void(std::size_t)> walk = [&](std::size_t group) {
        if (group == groups.size()) {
            visit(places);
            return;
        }
        for (std::size_t value = 0; value < test.axes[groups[group].front()].values.size(); ++value) {
            for (const std::size_t axis : groups[group]) places[axis] = value;
            walk(group + 1);
        }
    };
    walk(0);
}

std::string spec_text(const std::string& name, const std::vector<StudySetting>& options)
{
    std::string text = name;
    for (const StudySetting& option : options) {
        text += fmt::format("{}{}={}", text == name ? ":" : ",", option.key, option.value);
    }
    return text;
}

void override(std::vector<StudySetting>& settings, StudySetting setting)
{
    std::erase_if(settings, [&setting](const StudySetting& other) { return other.key == setting.key; });
    settings.push_back(std::move(setting));
}

constexpr std::string_view kOptions = "options.";
constexpr std::string_view kLibraryOptions = "library_options.";

/// A platform or an overlay; a path is taken from the study's folder.
std::string file_of(const StudyWord& word, const Names& names, const std::filesystem::path& folder)
{
    std::string text = names.filled(word.text, word.where);
    if (folder.empty() || !platforms::is_path(text)) return text;
    return (folder / text).lexically_normal().string();
}

/// What is to be run, and where each part of it was written.
Wish wish_of(const Study& study, const StudyTest& test, const Variant& variant, std::span<const std::size_t> places,
             const Names& names)
{
    auto options = test.options;
    auto library_options = test.library_options;
    auto set = test.set;
    for (const StudySetting& setting : variant.set) override(set, setting);
    for (const StudySetting& option : variant.options) override(options, option);
    for (std::size_t i = 0; i < test.axes.size(); ++i) {
        const Axis& axis = test.axes[i];
        const std::string_view name = axis.name;
        const std::string& value = axis.values[places[i]];
        const std::string& where = axis.place_of(places[i]);
        if (name.starts_with(kOptions)) {
            override(options, {std::string(name.substr(kOptions.size())), value, where});
        } else if (name.starts_with(kLibraryOptions)) {
            override(library_options, {std::string(name.substr(kLibraryOptions.size())), value, where});
        } else if (name.find('.') != std::string_view::npos) {
            override(set, {axis.name, value, where});
        }
    }
    for (auto* settings : {&options, &library_options, &set}) {
        for (StudySetting& setting : *settings) setting.value = names.filled(setting.value, setting.where);
    }
    const StudyWord& platform = variant.platform.empty() ? test.platform : variant.platform;
    const StudyWord& library = variant.library.empty() ? test.library : variant.library;
    auto overlays = test.overlays;
    overlays.insert(overlays.end(), variant.overlays.begin(), variant.overlays.end());
    const std::string program = names.filled(test.program.text, test.program.where);

    Wish wish;
    ExperimentRequest& request = wish.request;
    request.platform = file_of(platform, names, study.folder);
    for (const StudyWord& overlay : overlays) request.overlays.push_back(file_of(overlay, names, study.folder));
    for (const StudySetting& setting : set) request.settings.push_back(setting.key + "=" + setting.value);
    request.workload = spec_text(program, options);
    const std::string library_name = names.filled(library.text, library.where);
    if (!library.empty()) request.library = spec_text(library_name, library_options);
    if (study.folder.empty()) return wish;

    wish.where = test.where;
    const auto add = [&wish](const std::vector<StudySetting>& settings, const std::string& option) {
        for (const StudySetting& setting : settings) {
            wish.places.emplace_back(fmt::format("{}{}={}", option, setting.key, setting.value), setting.where);
            wish.places.emplace_back(fmt::format("{} = {}", setting.key, setting.value), setting.where);
        }
    };
    add(set, "--set ");
    add(options, fmt::format("--workload {} ", program));
    add(library_options, fmt::format("--library {} ", library_name));
    for (std::size_t i = 0; i < overlays.size(); ++i) wish.places.emplace_back(request.overlays[i], overlays[i].where);
    if (!library.empty()) wish.places.emplace_back(library_name, library.where);
    wish.places.emplace_back(program, test.program.where);
    wish.places.emplace_back(request.platform, platform.where);
    return wish;
}

/// Tests become tables and axes columns, beside those that are always there; SQL does not tell capitals.
void refuse_taken_names(const Study& study, const StudyTest& test)
{
    const auto same = [](const std::string& a, const std::string& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
    };
    for (const char* taken : {"published", "ledger"}) {
        if (same(test.name, taken)) {
            throw UserError(
                fmt::format("{}: test.{}: the name of a table of every study; choose another", test.where, test.name));
        }
    }
    if (test.name.starts_with("sqlite_")) {
        throw UserError(
            fmt::format("{}: test.{}: SQLite keeps names with sqlite_; choose another", test.where, test.name));
    }
    for (const StudyTest& other : study.tests) {
        if (&other != &test && (same(other.name, test.name) || same(other.name + "_statistics", test.name))) {
            throw UserError(fmt::format("{}: test.{}: would be the same table as one of test.{}; choose another name",
                                        test.where, test.name, other.name));
        }
    }
    std::vector<std::string> names{"point", "variant", "repetition", "seed"};
    for (const Axis& axis : test.axes) {
        const std::string column = column_of(axis).name;
        for (const std::string& name : names) {
            if (same(name, column)) {
                throw UserError(fmt::format("{}: axis {}: the tables have a column {} already; choose another name",
                                            axis.where, axis.name, name));
            }
        }
        names.push_back(column);
    }
}

/// "sizes" share one run: as an axis they would be in other phases of the poll loops.
void refuse_axes_of_sizes(const Study& study, const StudyTest& test)
{
    for (const Axis& axis : test.axes) {
        if (axis.name != "options.sizes") continue;
        const std::string values = fmt::format("{}", fmt::join(axis.values, ","));
        throw UserError(fmt::format(
            "{}: options.sizes is no axis: the sizes of a program share one run, and split into runs the digits "
            "differ with the phases of the poll loops; write {}",
            axis.where,
            study.folder.empty() ? fmt::format("--workload {}:sizes={}, without this axis", test.program.text, values)
                                 : fmt::format("options = {{ sizes = \"{}\" }}", values)));
    }
}

/// @throws UserError if a combination of values is there twice
void refuse_repeated_values(const StudyTest& test, const std::vector<AxisColumn>& columns)
{
    for (const auto& group : groups_of(test)) {
        std::map<std::vector<Cell>, std::size_t> seen;
        const Axis& first = test.axes[group.front()];
        for (std::size_t value = 0; value < first.values.size(); ++value) {
            std::vector<Cell> cells;
            std::string names;
            std::string values;
            for (const std::size_t axis : group) {
                cells.push_back(columns[axis].values[value]);
                names += (names.empty() ? "" : ", ") + test.axes[axis].name;
                values += (values.empty() ? "" : ", ") + test.axes[axis].values[value];
            }
            const auto [other, added] = seen.emplace(std::move(cells), value);
            if (added) continue;
            const std::string there = first.places.empty() ? "" : " in " + first.places[other->second];
            throw UserError(
                fmt::format("{}: {} = {} is there already{}; keep one", first.place_of(value), names, values, there));
        }
    }
}

/// Whether ${} of the test hold the name.
bool mentions(const StudyTest& test, const std::string& name)
{
    std::string all = test.platform.text + test.program.text + test.library.text;
    const auto add = [&all](const std::vector<StudySetting>& settings) {
        for (const StudySetting& setting : settings) all += setting.value;
    };
    const auto add_words = [&all](const std::vector<StudyWord>& words) {
        for (const StudyWord& word : words) all += word.text;
    };
    add(test.set);
    add(test.options);
    add(test.library_options);
    add_words(test.overlays);
    for (const Variant& variant : test.variants) {
        all += variant.platform.text + variant.library.text;
        add(variant.set);
        add(variant.options);
        add_words(variant.overlays);
    }
    for (std::size_t begin = 0; (begin = all.find("${", begin)) != std::string::npos; ++begin) {
        if (std::string_view(all).substr(begin, all.find('}', begin) - begin).find(name) != std::string::npos) {
            return true;
        }
    }
    return false;
}

/// A plain name does nothing by itself. Of the columns of a table some may be only shown.
void require_use(const StudyTest& test)
{
    const auto changes = [&test](const Axis& axis) {
        return axis.name.find('.') != std::string::npos || mentions(test, axis.name);
    };
    const auto is_used_column = [&changes](const Axis& axis) { return !axis.places.empty() && changes(axis); };
    const bool cells_used = std::any_of(test.axes.begin(), test.axes.end(), is_used_column);
    for (const Axis& axis : test.axes) {
        if (changes(axis) || (!axis.places.empty() && cells_used)) continue;
        throw UserError(
            fmt::format("{}: axis {} changes nothing: it is no parameter, and no value uses ${{{}}}; write the "
                        "key of a parameter, options.{} for an option of the program, or use it",
                        axis.where, axis.name, axis.name, axis.name));
    }
}

/// "link.symbol_time = 5 ns, variant fast"
std::string title_of(const StudyTest& test, const StudyPoint& point)
{
    std::string title = test.name;
    for (std::size_t i = 0; i < test.axes.size(); ++i)
        title += fmt::format(", {}={}", test.axes[i].name, point.axes[i]);
    if (test.variants.size() > 1) title += ", variant " + point.variant;
    if (test.repeat > 1) title += fmt::format(", repetition {}", point.repetition);
    return title;
}

}  // namespace

AxisColumn column_of(const Axis& axis)
{
    AxisColumn column{axis.name, {}};
    std::replace(column.name.begin(), column.name.end(), '.', '_');
    std::vector<Measured> all;
    all.reserve(axis.values.size());
    for (const std::string& value : axis.values) all.push_back(measured(value));
    const bool same = std::all_of(all.begin(), all.end(), [&all](const Measured& one) {
        return one.suffix == all.front().suffix && !std::holds_alternative<std::string>(one.cell);
    });
    for (std::size_t i = 0; i < all.size(); ++i) column.values.push_back(same ? all[i].cell : Cell(axis.values[i]));
    if (same) column.name += all.front().suffix;
    return column;
}

std::vector<StudyPoint> points_of(const Study& study, const PointFilter& filter)
{
    std::vector<StudyPoint> points;
    for (std::size_t number = 0; number < study.tests.size(); ++number) {
        const StudyTest& test = study.tests[number];
        if (filter.tests && !filter.tests->contains(test.name)) continue;
        refuse_taken_names(study, test);
        refuse_axes_of_sizes(study, test);
        std::vector<AxisColumn> columns;
        columns.reserve(test.axes.size());
        for (const Axis& axis : test.axes) columns.push_back(column_of(axis));
        refuse_repeated_values(test, columns);
        bool any = false;
        for_each_combination(test, [&](std::span<const std::size_t> places) {
            for (const Variant& variant : test.variants) {
                for (unsigned repetition = 1; repetition <= test.repeat; ++repetition) {
                    StudyPoint point{.test = number, .variant = variant.name, .repetition = repetition};
                    Names names;
                    for (std::size_t i = 0; i < places.size(); ++i) {
                        point.axes.push_back(test.axes[i].values[places[i]]);
                        names.add(columns[i].name, columns[i].values[places[i]]);
                        names.add_alias("axis_" + columns[i].name, columns[i].values[places[i]]);
                    }
                    names.add("variant", variant.name);
                    names.add("repetition", static_cast<std::int64_t>(repetition));
                    if (!test.constraint.empty() && !names.holds(test.constraint, test.constraint_where)) continue;
                    any = true;
                    if (!filter.where.empty() && !names.holds(filter.where, "--where")) continue;
                    const bool is_long = !test.long_points.empty() && names.holds(test.long_points, test.long_where);
                    if (filter.without_long && is_long) continue;
                    point.wish = wish_of(study, test, variant, places, names);
                    point.wish.title = title_of(test, point);
                    point.wish.every_block = test.every_block;
                    point.wish.request.seed = test.seed + repetition - 1;
                    points.push_back(std::move(point));
                }
            }
        });
        if (!any) {
            throw UserError(fmt::format("{}: where = {}: leaves no point of test.{}; write one that some point meets",
                                        test.constraint_where, test.constraint, test.name));
        }
        require_use(test);
    }
    if (points.empty() && !filter.where.empty()) {
        throw UserError(fmt::format("--where {}: leaves no point; write one that some point meets", filter.where));
    }
    return points;
}

}  // namespace ringmesh::lab
