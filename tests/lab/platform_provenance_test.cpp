// SPDX-License-Identifier: Apache-2.0
/// What the platforms that ship say of their values.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "lab/published_broadcast.h"
#include "lab/suitable_platforms.h"
#include "platforms/builder.h"
#include "platforms/catalog.h"
#include "tests/cases.h"
#include "workloads/library.h"

namespace {

using namespace ringmesh;

std::vector<std::string> names_of(const std::vector<platforms::CatalogEntry>& entries)
{
    std::vector<std::string> names;
    for (const auto& entry : entries) names.push_back(entry.name);
    return names;
}

std::vector<ParameterRow> rows_of(const std::string& platform)
{
    const auto configuration = platforms::Configuration::load(platforms::find_platform(platform));
    return platforms::machine_kind(configuration).effective_parameters(configuration);
}

bool has(const std::span<const lab::PublishedTime> cells, const std::string& id, std::string_view form)
{
    return std::any_of(cells.begin(), cells.end(), [&](const lab::PublishedTime& cell) {
        return id == fmt::format(fmt::runtime(form), cell.size, cell.cut);
    });
}

bool is_published(const std::string& id)
{
    if (has(lab::published_part_sizes(), id, "scc.cube.{}B.part{}")) return true;
    if (has(lab::published_pipe_sizes(), id, "scc.dopl.{}B.pipe{}")) return true;
    try {
        return lab::published_row(id).id == id;
    } catch (const std::out_of_range&) {
        return false;
    }
}

/// Whether calibrated options, and no others, name rows that were published.
void check_origins(const std::vector<ParameterRow>& options)
{
    for (const ParameterRow& row : options) {
        BOOST_TEST((row.origin.from == Provenance::kCalibrated) == !row.origin.set_by.empty(), row.key);
        for (const std::string& id : row.origin.set_by) BOOST_TEST(is_published(id), row.key << ": " << id);
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(platform_provenance)

/// What is measured or specified needs no range; a choice, a list and a boolean have none, but a reason; what is
/// calibrated names the rows that set it.
BOOST_DATA_TEST_CASE(a_file_sets_every_parameter_and_says_where_each_value_comes_from_and_how_far_it_may_lie,
                     data::make(names_of(platforms::list_platforms())), platform)
{
    for (const ParameterRow& row : rows_of(platform)) {
        BOOST_TEST(row.origin.source != "no file sets it", row.key);
        BOOST_TEST(row.origin.source.find(".toml:") == std::string::npos, row.key << " has no [provenance]");
        for (const std::string& id : row.origin.set_by) BOOST_TEST(is_published(id), row.key << ": " << id);
        if (row.origin.from == Provenance::kSeed || row.origin.from == Provenance::kSpec) continue;
        const bool ranged = row.kind != "choice" && row.kind != "boolean" && row.kind != "integers";
        BOOST_TEST(row.origin.low.empty() == !ranged, row.key << " of " << platform);
        BOOST_TEST(!row.origin.note.empty(), row.key << " of " << platform);
    }
}

BOOST_AUTO_TEST_CASE(calibrated_options_of_workloads_and_libraries_name_rows_that_were_published)
{
    for (const auto& info : workloads::catalog()) check_origins(lab::options_of(info));
    for (const auto& info : workloads::libraries()) {
        const auto library = info.make();
        check_origins(list_parameters_of([&](ParameterVisitor& visitor) { library->visit(visitor); }));
    }
}

/// Its ranges and rows are checked as it is read.
BOOST_DATA_TEST_CASE(an_overlay_is_right_on_a_platform_of_each_machine_that_it_is_for,
                     data::make(names_of(platforms::list_overlays())), overlay)
{
    unsigned tried = 0;
    for (const std::string platform : {"wulfkit-ring", "scc", "mesh-8x8", "ncube-64"}) {
        auto configuration = platforms::Configuration::load(platforms::find_platform(platform));
        const auto machines = platforms::Configuration::read_header(platforms::find_overlay(overlay)).applies_to;
        if (std::find(machines.begin(), machines.end(), configuration.machine()) == machines.end()) continue;
        configuration.overlay(platforms::find_overlay(overlay));
        BOOST_CHECK_NO_THROW(platforms::machine_kind(configuration).effective_parameters(configuration));
        ++tried;
    }
    BOOST_TEST(tried >= 1u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
