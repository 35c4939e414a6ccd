// SPDX-License-Identifier: Apache-2.0
#include "lab/study/description/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "lab/study/points/point_table.h"
#include "lab/table/writers/plain_text.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

/// Tests become tables and axes columns, beside those that are always there; SQL does not tell capitals.
void refuse_taken_names(const Study& study, const StudyTest& test)
{
    const auto refuse = [](const std::string& where, const std::string& what) {
        throw UserError(fmt::format("{}: {}; choose another name", where, what));
    };
    const std::string table = lowered(test.name);
    const std::string called = "test." + test.name;
    if (table == "published" || table == "ledger") refuse(test.where, called + ": the name of a table of every study");
    if (table.starts_with("sqlite_")) refuse(test.where, called + ": SQLite keeps names with sqlite_");
    for (const StudyTest& other : study.tests) {
        if (&other != &test && (lowered(other.name) == table || lowered(other.name) + "_statistics" == table)) {
            refuse(test.where, fmt::format("{}: would be the same table as one of test.{}", called, other.name));
        }
    }
    std::set<std::string> columns;
    for (const std::string& name : own_column_names()) columns.insert(lowered(name));
    for (const Axis& axis : test.axes) {
        const std::string column = column_of(axis).name;
        if (columns.insert(lowered(column)).second) continue;
        refuse(axis.where, fmt::format("axis {}: the tables have a column {} already", axis.name, column));
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

/// Whether ${} of the test hold the name.
bool mentions(const StudyTest& test, const std::string& name)
{
    Study alone;
    alone.tests.push_back(test);
    const std::string all = study_text(alone);
    for (std::size_t begin = 0; (begin = all.find("${", begin)) != std::string::npos; ++begin) {
        const std::size_t found = all.find(name, begin);
        if (found < all.find('}', begin)) return true;
    }
    return false;
}

}  // namespace

void check_names(const Study& study, const StudyTest& test)
{
    refuse_taken_names(study, test);
    refuse_axes_of_sizes(study, test);
    require_one_source(test);
}

void require_one_source(const StudyTest& test)
{
    for (const Axis& axis : test.axes) {
        const auto refuse_in = [&axis](const std::vector<StudySetting>& settings, std::string_view prefix,
                                       const std::string& whose) {
            for (const StudySetting& setting : settings) {
                if (axis.name != fmt::format("{}{}", prefix, setting.key)) continue;
                throw UserError(
                    fmt::format("{}: axis {}: {} sets {} = {}, too, in {}: set it once: take it out there, or drop the "
                                "axis",
                                axis.where, axis.name, whose, setting.key, setting.value, setting.where));
            }
        };
        refuse_in(test.options, kOptions, "options");
        refuse_in(test.library_options, kLibraryOptions, "library_options");
        refuse_in(test.set, "", "set");
        for (const Variant& variant : test.variants) {
            refuse_in(variant.options, kOptions, "variant " + variant.name);
            refuse_in(variant.library_options, kLibraryOptions, "variant " + variant.name);
            refuse_in(variant.set, "", "variant " + variant.name);
        }
    }
}

void drop_inherited(StudyTest& test, const StudyTest& above)
{
    const auto drop = [&](std::vector<StudySetting>& settings, const std::vector<StudySetting>& inherited,
                          std::string_view prefix) {
        const auto is_own = [&](const Axis& axis) {
            return std::none_of(above.axes.begin(), above.axes.end(),
                                [&axis](const Axis& other) { return other.where == axis.where; });
        };
        std::erase_if(settings, [&](const StudySetting& setting) {
            const std::string name = fmt::format("{}{}", prefix, setting.key);
            const bool from_above =
                std::any_of(inherited.begin(), inherited.end(), [&setting](const StudySetting& other) {
                    return other.key == setting.key && other.where == setting.where;
                });
            return from_above && std::any_of(test.axes.begin(), test.axes.end(),
                                             [&](const Axis& axis) { return axis.name == name && is_own(axis); });
        });
    };
    drop(test.options, above.options, kOptions);
    drop(test.library_options, above.library_options, kLibraryOptions);
    drop(test.set, above.set, "");
}

// A plain name does nothing by itself. Of the columns of a table some may be only shown.
void require_use_of_axes(const StudyTest& test)
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

}  // namespace ringmesh::lab
