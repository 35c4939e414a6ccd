// SPDX-License-Identifier: Apache-2.0
#include "lab/study/points/points.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <span>

#include "lab/study/description/names.h"
#include "lab/study/description/study.h"
#include "platforms/files/catalog.h"
#include "tlm/error.h"
#include "tlm/parameters/names.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;

/// Axes that go in step; most have a group of their own.
std::vector<std::vector<std::size_t>> groups_of(const StudyTest& test)
{
    std::vector<std::string> known;
    for (const Axis& axis : test.axes) known.push_back(axis.name);
    std::map<std::size_t, std::vector<std::size_t>> given;  // by the first axis of each
    std::set<std::size_t> grouped;
    for (const auto& names : test.together) {
        std::vector<std::size_t> group;
        for (const std::string& name : names) {
            const auto found = std::find(known.begin(), known.end(), name);
            if (found == known.end()) {
                throw UserError(fmt::format("{}: test.{}: together names '{}', which is no axis{}", test.where,
                                            test.name, name, suggestion(name, known)));
            }
            group.push_back(static_cast<std::size_t>(found - known.begin()));
            if (!grouped.insert(group.back()).second) {
                throw UserError(fmt::format("{}: test.{}: together names '{}' twice; name all that go with it at once",
                                            test.where, test.name, name));
            }
            const Axis& first = test.axes[group.front()];
            const Axis& axis = test.axes[group.back()];
            if (axis.values.size() != first.values.size()) {
                throw UserError(
                    fmt::format("{}: axes {} and {} go together and have {} and {} values; give both as many",
                                axis.where, first.name, axis.name, first.values.size(), axis.values.size()));
            }
        }
        given[*std::min_element(group.begin(), group.end())] = group;
    }
    std::vector<std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < test.axes.size(); ++i) {
        const auto with = given.find(i);
        if (with != given.end()) groups.push_back(with->second);
        if (!grouped.contains(i)) groups.push_back({i});
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

/// A slip in an axis or in `repeat` else takes all of the memory, for an hour.
void require_bounded(const StudyTest& test)
{
    constexpr std::size_t kMostPoints = 1'000'000;
    std::size_t points = test.variants.size() * test.repeat;
    for (const auto& group : groups_of(test)) {
        points *= test.axes[group.front()].values.size();
        if (points > kMostPoints) break;
    }
    if (points <= kMostPoints) return;
    throw UserError(fmt::format(
        "{}: test.{} has more than {} points, before `where` leaves any out; take fewer values of its axes, "
        "fewer variants or a smaller `repeat`, or make several studies",
        test.where, test.name, kMostPoints));
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

/// A platform or an overlay; a path is taken from the study's folder.
std::string file_of(const StudyWord& word, const Names& names, const std::filesystem::path& folder)
{
    std::string text = names.filled(word.text, word.where);
    if (folder.empty() || !platforms::is_path(text)) return text;
    // A study may be somebody else's: it makes no other files be read, of which messages would show parts
    if (std::filesystem::path(text).extension() != ".toml") {
        throw UserError(fmt::format("{}: {}: no platform or overlay; write the name of a file that ends in .toml",
                                    word.where, text));
    }
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
    for (const StudySetting& option : variant.library_options) override(library_options, option);
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
    request.folder = study.folder.string();
    const std::string library_name = names.filled(library.text, library.where);
    if (!library.empty()) request.library = spec_text(library_name, library_options);
    if (study.folder.empty()) return wish;

    wish.where = test.where;
    const auto add = [&](const std::vector<StudySetting>& settings, std::string_view prefix, std::string_view option) {
        for (const StudySetting& setting : settings) {
            wish.parts.push_back({.text = fmt::format("{}{}={}", option, setting.key, setting.value),
                                  .where = setting.where,
                                  .shown = fmt::format("{}{}={}", prefix, setting.key, setting.value),
                                  .key = setting.key});
            wish.parts.push_back({.text = fmt::format("{} = {}", setting.key, setting.value),
                                  .where = setting.where,
                                  .key = setting.key});
        }
    };
    add(set, "", "--set ");
    add(options, kOptions, fmt::format("--workload {} ", program));
    add(library_options, kLibraryOptions, fmt::format("--library {} ", library_name));
    const auto add_word = [&wish](const std::string& text, const StudyWord& word) {
        wish.parts.push_back({.text = text, .where = word.where});
    };
    for (std::size_t i = 0; i < overlays.size(); ++i) add_word(request.overlays[i], overlays[i]);
    if (!library.empty()) add_word(library_name, library);
    add_word(program, test.program);
    add_word(request.platform, platform);
    return wish;
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
    AxisColumn column{.name = axis.name, .values = {}};
    std::replace(column.name.begin(), column.name.end(), '.', '_');
    std::vector<Measured> all;
    for (const std::string& value : axis.values) all.push_back(measured(value));
    const bool same = std::all_of(all.begin(), all.end(), [&all](const Measured& one) {
        return one.suffix == all.front().suffix && !std::holds_alternative<std::string>(one.cell);
    });
    for (std::size_t i = 0; i < all.size(); ++i) column.values.push_back(same ? all[i].cell : Cell(axis.values[i]));
    if (!same || all.empty() || all.front().suffix.empty()) return column;
    column.name += all.front().suffix;
    column.unit = all.front().suffix.substr(1);
    if (column.unit == "mhz") column.unit = "MHz";
    return column;
}

std::vector<StudyPoint> points_of(const Study& study, const PointFilter& filter)
{
    std::vector<StudyPoint> points;
    std::string wrong_where;  // for a test that lacks a name of the condition
    bool right_where = false;
    for (std::size_t number = 0; number < study.tests.size(); ++number) {
        const StudyTest& test = study.tests[number];
        if (filter.tests && !filter.tests->contains(test.name)) continue;
        check_names(study, test);
        require_bounded(test);
        std::vector<AxisColumn> columns;
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
                    if (!test.constraint.empty() && !names.holds(test.constraint.text, test.constraint.where)) continue;
                    any = true;
                    if (!filter.where.empty()) {
                        try {
                            const bool holds = names.holds(filter.where, "--where");
                            right_where = true;
                            if (!holds) continue;
                        } catch (const UserError& error) {
                            wrong_where = error.what();
                            continue;
                        }
                    }
                    const bool is_long =
                        !test.long_points.empty() && names.holds(test.long_points.text, test.long_points.where);
                    if (filter.without_long && is_long) continue;
                    point.varies =
                        test.varied_points.empty() || names.holds(test.varied_points.text, test.varied_points.where);
                    point.wish = wish_of(study, test, variant, places, names);
                    point.wish.title = title_of(test, point);
                    point.wish.every_block = test.every_block;
                    point.wish.limit = test.limit;
                    point.wish.request.seed = test.seed + repetition - 1;
                    points.push_back(std::move(point));
                }
            }
        });
        if (!any) {
            throw UserError(fmt::format("{}: where = {}: leaves no point of test.{}; write one that some point meets",
                                        test.constraint.where, test.constraint.text, test.name));
        }
        require_use_of_axes(test);
    }
    if (!wrong_where.empty() && !right_where) throw UserError(wrong_where);
    if (points.empty() && !filter.where.empty()) {
        throw UserError(fmt::format("--where {}: leaves no point; write one that some point meets", filter.where));
    }
    return points;
}

}  // namespace ringmesh::lab
