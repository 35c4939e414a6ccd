// SPDX-License-Identifier: Apache-2.0
#include "lab/compare/whatif/topologies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "lab/compare/whatif/error_bars.h"
#include "lab/study/description/catalog.h"
#include "lab/table/results.h"
#include "lab/table/writers/json.h"
#include "platforms/files/catalog.h"
#include "tlm/error.h"
#include "tlm/machine/torus_shape.h"

namespace ringmesh::lab {
namespace {

constexpr const char* kDimensionsKey = "topology.dimensions";
constexpr int kMostDimensions = 4;

std::int64_t power(std::int64_t base, int exponent)
{
    std::int64_t result = 1;
    for (int i = 0; i < exponent; ++i) result *= base;
    return result;
}

const std::string* value_of(const std::vector<ParameterRow>& rows, std::string_view key)
{
    const auto row = std::ranges::find_if(rows, [key](const auto& each) { return each.key == key; });
    return row == rows.end() ? nullptr : &row->value;
}

/// @throws UserError unless it is made of rings
std::vector<ParameterRow> parameters_of_rings(ExperimentRequest request)
{
    request.workload = "latency-map";  // any that runs on all of them
    auto parameters = Experiment(request).parameters();
    const std::string* kind = value_of(parameters, "topology.kind");
    if (kind == nullptr || value_of(parameters, kDimensionsKey) == nullptr) {
        throw UserError(
            fmt::format("whatif: {} is not made of rings, which the papers' question is about; write "
                        "--workload NAME to compare variants of it, or wulfkit-torus-2d",
                        request.platform));
    }
    if (*kind == "switch") {
        throw UserError(
            fmt::format("whatif: {} joins its rings by a switch, so that there are no dimensions to compare; "
                        "use 'ringmesh run {} --workload latency-map'",
                        request.platform, request.platform));
    }
    return parameters;
}

void require_comparable(const ExperimentRequest& current, const ExperimentRequest& changed)
{
    const auto before = parameters_of_rings(current);  // checked first: the platform itself must be suitable
    const auto after = parameters_of_rings(changed);
    if (*value_of(before, kDimensionsKey) != *value_of(after, kDimensionsKey)) {
        throw UserError(fmt::format(
            "whatif: {} is varied in any case; leave it out and choose numbers of nodes by --sizes", kDimensionsKey));
    }
    const bool differs = std::ranges::any_of(before, [&after](const ParameterRow& row) {
        const std::string* other = value_of(after, row.key);
        return other != nullptr && *other != row.value;
    });
    if (differs) return;
    throw UserError(
        fmt::format("whatif: nothing is changed: {0} has these values already; "
                    "'ringmesh list parameters {0}' shows them",
                    current.platform));
}

constexpr std::string_view kAnswerViews = "answer_";

/// Of the variants the first point.
std::vector<const StudyPoint*> systems_of(const AskedPoints& asked)
{
    std::vector<const StudyPoint*> systems;
    for (const Variant& variant : asked.study->tests.front().variants) {
        systems.push_back(&*std::ranges::find(asked.points, variant.name, &StudyPoint::variant));
    }
    return systems;
}

}  // namespace

std::vector<std::string> equal_tori(const std::vector<unsigned>& nodes)
{
    const std::set<unsigned> sorted(nodes.begin(), nodes.end());
    std::vector<std::string> tori;
    for (int dimensions = 1; dimensions <= kMostDimensions; ++dimensions) {
        for (const unsigned count : sorted) {
            const std::int64_t size = std::llround(std::pow(static_cast<double>(count), 1.0 / dimensions));
            if (size < TorusShape::kSmallestRing || power(size, dimensions) != count) continue;
            const std::vector<std::int64_t> sizes(static_cast<std::size_t>(dimensions), size);
            tori.push_back(fmt::format("{}", fmt::join(sizes, "x")));
        }
    }
    return tori;
}

Study topologies_study(const ExperimentRequest& changed, const std::vector<std::string>& both,
                       const std::vector<std::string>& tori)
{
    Study study = read_study(find_study("wulfkit") / "topologies");
    ExperimentRequest current = changed;
    current.overlays.clear();
    current.settings = both;
    const bool asks_own = !changed.overlays.empty() || !changed.settings.empty();
    ExperimentRequest own = changed;
    own.settings.insert(own.settings.end(), both.begin(), both.end());
    if (!asks_own) own.overlays = {kPapersChange};
    require_comparable(current, own);

    const auto known = platforms::list_overlays();
    for (StudyTest& test : study.tests) {
        test.platform = {changed.platform, "--platform"};
        for (Axis& axis : test.axes) {
            if (test.name == "tori" && !tori.empty()) axis = {.name = axis.name, .values = tori, .where = "--sizes"};
        }
        // A platforms folder of a user's own may lack some
        std::erase_if(test.variants, [&](const Variant& variant) {
            return test.name == "remedies" && !variant.overlays.empty() &&
                   std::ranges::find(known, variant.name, &platforms::CatalogEntry::name) == known.end();
        });
        if (test.name == "remedies" || !asks_own) continue;
        Variant& variant = test.variants.back();
        variant.overlays.clear();
        for (const std::string& overlay : changed.overlays) variant.overlays.push_back({overlay, "--overlay"});
        for (const std::string& setting : changed.settings) {
            const std::size_t equals = setting.find('=');
            variant.set.push_back({setting.substr(0, equals), setting.substr(equals + 1), "--set"});
        }
    }
    return study;
}

Json topologies_json(const ExperimentRequest& request, const AskedPoints& asked, const Findings& findings,
                     const std::optional<Analysis>& error_bars)
{
    Json json = {{"ringmesh", program_json()},
                 {"platform", request.platform},
                 {"overlays", request.overlays},
                 {"settings", request.settings},
                 {"seed", request.seed}};
    Json parameters = Json::object();
    for (const StudyPoint* system : systems_of(asked)) {
        parameters[system->variant] = values_json(Experiment(system->wish.request).parameters());
    }
    json["parameters"] = std::move(parameters);
    for (const MadeViews::View& view : findings.views().beginning(kAnswerViews)) {
        json[view.name.substr(kAnswerViews.size())] = results_json(rows_of(findings.database(), view)).at("rows");
    }
    if (error_bars) json["error_bars"] = error_bars_json(*error_bars);
    return json;
}

std::string topologies_csv(const ExperimentRequest& request, const AskedPoints& asked, const Findings& findings)
{
    std::vector<ParameterRow> parameters = Experiment(systems_of(asked).front()->wish.request).parameters();
    std::erase_if(parameters, [](const ParameterRow& row) { return row.key == kDimensionsKey; });
    std::string text = csv_head(fmt::format("what if, on {}, seed {}", request.platform, request.seed),
                                {{"parameter ", &parameters}}, {});
    for (const auto& row : findings.database().query("SELECT parameter, changed FROM answer_changes").rows) {
        text += fmt::format("# changed {} = {}\n", cell_text(row[0], 0), cell_text(row[1], 0));
    }
    return text + results_csv(findings.database().query("SELECT * FROM answer_latencies"));
}

}  // namespace ringmesh::lab
