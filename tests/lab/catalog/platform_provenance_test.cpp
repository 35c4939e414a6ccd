// SPDX-License-Identifier: Apache-2.0
/// What the platforms and overlays that ship say of their values.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "lab/run/experiment.h"
#include "lab/run/suitable_platforms.h"
#include "lab/study/description/catalog.h"
#include "lab/truth/rows/published.h"
#include "platforms/builder.h"
#include "platforms/files/catalog.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"
#include "workloads/libraries/library.h"

namespace {

using namespace ringmesh;

std::vector<std::string> names_of(const std::vector<platforms::CatalogEntry>& entries)
{
    std::vector<std::string> names;
    for (const auto& entry : entries) names.push_back(entry.name);
    return names;
}

/// Of an overlay, if one is given, only what it sets.
std::vector<ParameterRow> rows_of(const std::string& platform, const std::string& overlay = "")
{
    auto configuration = platforms::Configuration::load(platforms::find_platform(platform));
    if (!overlay.empty()) configuration.overlay(platforms::find_overlay(overlay));
    auto rows = lab::checked_parameters(configuration);
    std::erase_if(rows, [&](const ParameterRow& row) {
        return !overlay.empty() && configuration.origin_of(row.key).find("/overlays/") == std::string::npos;
    });
    return rows;
}

/// A value that is read in a source needs no range; nor does a what-if. A list and a boolean have none, but a reason.
void check_provenance(const std::vector<ParameterRow>& rows, const std::string& file)
{
    const std::string sources = test::read_file(RINGMESH_SOURCE_DIR "/docs/reference/evidence/sources.md");
    BOOST_TEST(!rows.empty(), file);
    for (const ParameterRow& row : rows) {
        const Origin& origin = row.origin;
        const std::string which = row.key + " of " + file;
        BOOST_TEST(origin.source != "no file sets it", which);
        BOOST_TEST(origin.source.find(".toml:") == std::string::npos, which << " has no [provenance]");
        const std::string tag = origin.source.substr(0, origin.source.find(' '));
        BOOST_TEST((tag.empty() || test::contains(sources, "**[" + tag + "]**")), which << ": " << tag);
        const bool estimate = origin.from == Provenance::kDerived || origin.from == Provenance::kCalibrated ||
                              origin.from == Provenance::kAssumed;
        if (!estimate) continue;
        const bool ranged = row.kind != "choice" && row.kind != "boolean" && row.kind != "integers";
        BOOST_TEST(origin.low.empty() == !ranged, which);
        BOOST_TEST(origin.alternatives.empty() == (row.kind != "choice"), which);
    }
}

/// Whether a study that ships has this row with a number, or takes it from a table of its own.
bool is_published(const std::string& id)
{
    static const std::vector<lab::Published> all = [] {
        std::vector<lab::Published> read;
        for (const std::string& name : lab::list_studies()) read.emplace_back(lab::find_study(name) / "published.csv");
        return read;
    }();
    return std::any_of(all.begin(), all.end(), [&id](const lab::Published& one) { return one.find(id) != nullptr; });
}

/// Whether calibrated values, and no others, name rows that were published.
void check_origins(const std::vector<ParameterRow>& rows)
{
    for (const ParameterRow& row : rows) {
        BOOST_TEST((row.origin.from == Provenance::kCalibrated) == !row.origin.set_by.empty(), row.key);
        for (const std::string& id : row.origin.set_by) BOOST_TEST(is_published(id), row.key << ": " << id);
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(platform_provenance)

BOOST_DATA_TEST_CASE(a_platform_sets_every_parameter_and_says_where_each_value_comes_from,
                     data::make(names_of(platforms::list_platforms())), platform)
{
    check_provenance(rows_of(platform), platform);
}

BOOST_DATA_TEST_CASE(an_overlay_says_so_too_on_a_platform_of_each_machine_that_it_is_for,
                     data::make(names_of(platforms::list_overlays())), overlay)
{
    const auto machines = platforms::Configuration::read_header(platforms::find_overlay(overlay)).applies_to;
    for (const auto& [machine, platform] :
         {std::pair{"wulfkit", "wulfkit-ring"}, {"scc", "scc"}, {"mesh", "mesh-8x8"}, {"ncube", "ncube-64"}}) {
        if (std::find(machines.begin(), machines.end(), machine) == machines.end()) continue;
        check_provenance(rows_of(platform, overlay), overlay);
    }
}

BOOST_DATA_TEST_CASE(calibrated_parameters_name_rows_that_were_published,
                     data::make(names_of(platforms::list_platforms())), platform)
{
    check_origins(rows_of(platform));
}

BOOST_AUTO_TEST_CASE(calibrated_options_of_workloads_and_libraries_name_rows_that_were_published)
{
    for (const auto& info : workloads::catalog()) check_origins(lab::options_of(info));
    for (const auto& info : workloads::libraries()) {
        const auto library = info.make();
        check_origins(list_parameters_of([&](ParameterVisitor& visitor) { library->visit(visitor); }));
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
