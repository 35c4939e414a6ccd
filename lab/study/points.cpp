// SPDX-License-Identifier: Apache-2.0
#include "lab/study/points.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <span>

#include "lab/sql/database.h"
#include "tlm/error.h"
#include "tlm/names.h"
#include "tlm/parameter_list.h"
#include "tlm/quantity.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;

template <class Number>
std::optional<Number> whole_text(const std::string& text)
{
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

/// A text as a number in the unit that its name gets.
struct Measured {
    Cell cell;
    std::string suffix;
};

Measured measured(const std::string& text)
{
    if (const auto integer = whole_text<std::int64_t>(text)) return {*integer, ""};
    if (const auto number = whole_text<double>(text)) return {*number, ""};
    if (const auto duration = parse_duration(text).value) return {duration->ns(), "_ns"};
    if (const auto frequency = parse_frequency(text).value) {
        return {static_cast<double>(frequency->hz()) / 1e6, "_mhz"};
    }
    if (const auto bytes = parse_bytes(text).value) return {static_cast<std::int64_t>(bytes->count()), "_bytes"};
    if (const auto length = parse_length(text).value) return {static_cast<double>(length->um()) / 1e6, "_m"};
    if (const auto cycles = parse_cycles(text).value) return {static_cast<std::int64_t>(cycles->count()), "_cycles"};
    return {text, ""};
}

std::string literal(const Cell& cell)
{
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) return std::to_string(*integer);
    if (const auto* number = std::get_if<double>(&cell)) {
        const std::string text = number_text(*number);
        return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
    }
    if (const auto* text = std::get_if<std::string>(&cell)) {
        std::string quoted = "'";
        for (const char c : *text) quoted += c == '\'' ? "''" : std::string(1, c);
        return quoted + "'";
    }
    return "NULL";
}

std::string plain(const Cell& cell)
{
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) return std::to_string(*integer);
    if (const auto* number = std::get_if<double>(&cell)) return number_text(*number);
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    return "";
}

/// Names with the values that they have at one point.
class Names {
public:
    void add(std::string name, Cell cell) { all_.emplace_back(std::move(name), std::move(cell)); }

    /// @throws UserError beginning with `where`
    Cell evaluate(const std::string& expression, const std::string& where) const
    {
        std::string names;
        std::string known;
        for (const auto& [name, cell] : all_) {
            names += fmt::format("{}{} AS {}", names.empty() ? "" : ", ", literal(cell), sql_name(name));
            known += (known.empty() ? "" : ", ") + name;
        }
        try {
            static const Database database;
            const auto results = database.query(
                fmt::format("SELECT ({}){}", expression, names.empty() ? "" : " FROM (SELECT " + names + ")"));
            return results.rows.at(0).at(0);
        } catch (const UserError& error) {
            const std::string text = error.what();
            throw UserError(fmt::format("{}: {}: {}; known: {}", where, expression,
                                        text.substr(0, text.find("; there are")), known.empty() ? "nothing" : known));
        }
    }

    /// With ${expression} replaced.
    std::string filled(const std::string& text, const std::string& where) const
    {
        std::string result;
        std::size_t begin = 0;
        for (std::size_t dollar = 0; (dollar = text.find("${", begin)) != std::string::npos;) {
            const std::size_t end = text.find('}', dollar);
            if (end == std::string::npos) {
                throw UserError(fmt::format("{}: {}: ${{ without }}; write ${{name}}", where, text));
            }
            result += text.substr(begin, dollar - begin);
            const std::string expression = text.substr(dollar + 2, end - dollar - 2);
            const Cell value = evaluate(expression, where);
            if (std::holds_alternative<std::monostate>(value)) {
                throw UserError(
                    fmt::format("{}: ${{{}}} has no value; write an expression that has one", where, expression));
            }
            result += plain(value);
            begin = end + 1;
        }
        return result + text.substr(begin);
    }

private:
    std::vector<std::pair<std::string, Cell>> all_;
};

bool holds(const Cell& cell)
{
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) return *integer != 0;
    if (const auto* number = std::get_if<double>(&cell)) return *number != 0;
    return false;
}

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
            const Axis& first = test.axes[group.front()];
            const Axis& axis = test.axes[group.back()];
            if (axis.values.size() != first.values.size()) {
                throw UserError(
                    fmt::format("{}: axes {} and {} go together and have {} and {} values; give both as many",
                                axis.where, first.name, axis.name, first.values.size(), axis.values.size()));
            }
        }
    }
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

ExperimentRequest request_of(const StudyTest& test, const Variant& variant, std::span<const std::string> values,
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
        if (name.starts_with(kOptions)) {
            override(options, {std::string(name.substr(kOptions.size())), values[i], axis.where});
        } else if (name.starts_with(kLibraryOptions)) {
            override(library_options, {std::string(name.substr(kLibraryOptions.size())), values[i], axis.where});
        } else if (name.find('.') != std::string_view::npos) {
            override(set, {axis.name, values[i], axis.where});
        }
    }
    for (auto* settings : {&options, &library_options, &set}) {
        for (StudySetting& setting : *settings) setting.value = names.filled(setting.value, setting.where);
    }
    ExperimentRequest request;
    request.platform = names.filled(variant.platform.empty() ? test.platform : variant.platform, test.where);
    request.overlays = test.overlays;
    request.overlays.insert(request.overlays.end(), variant.overlays.begin(), variant.overlays.end());
    for (std::string& overlay : request.overlays) overlay = names.filled(overlay, test.where);
    for (const StudySetting& setting : set) request.settings.push_back(setting.key + "=" + setting.value);
    request.workload = spec_text(names.filled(test.program, test.where), options);
    const std::string library = names.filled(variant.library.empty() ? test.library : variant.library, test.where);
    if (!library.empty()) request.library = spec_text(library, library_options);
    return request;
}

/// "sizes" share one run: as an axis they would be in other phases of the poll loops.
void refuse_axes_of_sizes(const StudyTest& test)
{
    for (const Axis& axis : test.axes) {
        if (axis.name != "options.sizes") continue;
        throw UserError(
            fmt::format("{}: options.sizes is no axis: the sizes of a program share one run, and split into runs the "
                        "digits differ with the phases of the poll loops; write options = {{ sizes = \"{}\" }}",
                        axis.where, fmt::join(axis.values, ",")));
    }
}

/// A plain name does nothing by itself.
void require_use(const StudyTest& test)
{
    const auto mentions = [](const std::string& text, const std::string& name) {
        for (std::size_t begin = 0; (begin = text.find("${", begin)) != std::string::npos; ++begin) {
            const std::string_view inside = std::string_view(text).substr(begin, text.find('}', begin) - begin);
            if (inside.find(name) != std::string_view::npos) return true;
        }
        return false;
    };
    std::string all = test.platform + test.program + test.library;
    const auto add = [&all](const std::vector<StudySetting>& settings) {
        for (const StudySetting& setting : settings) all += setting.value;
    };
    add(test.set);
    add(test.options);
    add(test.library_options);
    for (const std::string& overlay : test.overlays) all += overlay;
    for (const Variant& variant : test.variants) {
        all += variant.platform + variant.library;
        add(variant.set);
        add(variant.options);
        for (const std::string& overlay : variant.overlays) all += overlay;
    }
    for (const Axis& axis : test.axes) {
        if (axis.name.find('.') != std::string::npos || mentions(all, axis.name)) continue;
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
        refuse_axes_of_sizes(test);
        require_use(test);
        std::vector<AxisColumn> columns;
        columns.reserve(test.axes.size());
        for (const Axis& axis : test.axes) columns.push_back(column_of(axis));
        std::size_t kept = 0;  // that the constraint and the filter leave
        for_each_combination(test, [&](std::span<const std::size_t> places) {
            for (const Variant& variant : test.variants) {
                for (unsigned repetition = 1; repetition <= test.repeat; ++repetition) {
                    StudyPoint point{.test = number, .variant = variant.name, .repetition = repetition};
                    Names names;
                    for (std::size_t i = 0; i < places.size(); ++i) {
                        point.axes.push_back(test.axes[i].values[places[i]]);
                        names.add(columns[i].name, columns[i].values[places[i]]);
                    }
                    names.add("variant", variant.name);
                    names.add("repetition", static_cast<std::int64_t>(repetition));
                    if (!test.constraint.empty() && !holds(names.evaluate(test.constraint, test.constraint_where)))
                        continue;
                    if (!filter.where.empty() && !holds(names.evaluate(filter.where, "--where"))) continue;
                    ++kept;
                    if (filter.without_long && !test.long_points.empty() &&
                        holds(names.evaluate(test.long_points, test.long_where))) {
                        continue;
                    }
                    point.wish.title = title_of(test, point);
                    point.wish.every_block = test.every_block;
                    point.wish.request = request_of(test, variant, point.axes, names);
                    point.wish.request.seed = test.seed + repetition - 1;
                    points.push_back(std::move(point));
                }
            }
        });
        if (kept == 0 && filter.where.empty()) {
            throw UserError(fmt::format("{}: where = {}: leaves no point of test.{}; write one that some point meets",
                                        test.constraint_where, test.constraint, test.name));
        }
    }
    if (points.empty() && !filter.where.empty()) {
        throw UserError(fmt::format("--where {}: leaves no point; write one that some point meets", filter.where));
    }
    return points;
}

}  // namespace ringmesh::lab
