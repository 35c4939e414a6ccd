// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "lab/json.h"
#include "lab/json_text.h"
#include "lab/whatif/report.h"

namespace ringmesh::lab {
namespace {

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json or_null(const std::optional<analytic::BracketedCrossover>& value)
{
    if (!value) return nullptr;
    return {{"nodes", value->nodes}, {"between", {value->below, value->above}}};
}

/// {"current": ..., "changed": ...}
template <class Value>
Json both(const PerSystem<Value>& values)
{
    return {{"current", or_null(values.current)}, {"changed", or_null(values.changed)}};
}

Json components_json(const Study& study)
{
    Json json = Json::object();
    for (const Which which : kBoth) {
        if (!study.systems.of(which).has_equations()) continue;
        const Derived& derived = study.derived.of(which);
        json[which == Which::kCurrent ? "current" : "changed"] = {
            {"propagation_ns", derived.components.propagation_ns},
            {"forwarding_ns", derived.components.forwarding_ns},
            {"overhead_ns", derived.components.overhead_ns},
            {"switching_ns", derived.components.switching_ns},
            {"switching_by_equation_20_ns", derived.switching_by_equation_20},
            {"switching_by_stages_ns", study.stage_sum_ns.of(which)}};
    }
    return json;
}

Json latency_json(const LatencyPoint& point)
{
    const double others = point.torus.nodes - 1.0;
    return {
        {"dimensions", point.torus.sizes},
        {"nodes", point.torus.nodes},
        {"average_formula_ns", both(point.formula_ns)},
        {"average_simulated_ns", {{"current", point.simulated_ns.current}, {"changed", point.simulated_ns.changed}}},
        {"multi_unicast_simulated_ns",
         {{"current", point.simulated_ns.current * others}, {"changed", point.simulated_ns.changed * others}}}};
}

Json crossover_json(const Crossover& row)
{
    return {{"from_dimensions", row.dimensions},
            {"to_dimensions", row.dimensions + 1},
            {"published",
             {{"average", {{"current", row.published_average}, {"enhanced", row.enhanced_average}}},
              {"multi_unicast", {{"current", row.published_multicast}, {"enhanced", row.enhanced_multicast}}}}},
            {"formula_published_components",
             {{"current", or_null(row.by_published_components.current)},
              {"enhanced", or_null(row.by_published_components.changed)}}},
            {"formula", both(row.formula)},
            {"simulated", both(row.simulated)}};
}

template <class Item, class Function>
Json list(const std::vector<Item>& items, const Function& json_of)
{
    Json array = Json::array();
    for (const Item& item : items) array.push_back(json_of(item));
    return array;
}

std::string cell(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : std::string(); }

}  // namespace

std::string whatif_json(const Study& study)
{
    Json json;
    const ExperimentRequest& request = study.systems.changed.request();
    json["ringmesh"] = program_json();
    json["platform"] = request.platform;
    json["overlays"] = request.overlays;
    json["settings"] = request.settings;
    json["seed"] = request.seed;
    json["parameters"] = {{"current", values_json(study.systems.current.parameters())},
                          {"changed", values_json(study.systems.changed.parameters())}};
    json["changes"] = list(changes(study.systems.current, study.systems.changed), [](const Change& change) {
        return Json{{"key", change.key}, {"current", change.from}, {"changed", change.to}};
    });
    json["components"] = components_json(study);
    if (study.systems.current.has_equations()) {
        json["remedies"] = list(study.ways_to_halve, [](const Remedy& remedy) {
            return Json{
                {"overlay", remedy.overlay}, {"meaning", remedy.meaning}, {"switching_ns", remedy.switching_ns}};
        });
    }
    json["latencies"] = list(study.latencies, latency_json);
    json["crossovers"] = list(study.crossovers, crossover_json);
    json["gains"] = list(study.gains, [](const Gain& gain) {
        return Json{
            {"nodes", gain.nodes},
            {"best_dimensions", {{"current", gain.best.current.dimensions}, {"changed", gain.best.changed.dimensions}}},
            {"gain_percent", gain.percent},
            {"gain_overhead_kept_percent", gain.overhead_kept_percent},
            {"gain_published_components_percent", gain.published_components_percent}};
    });
    return json_text(json);
}

std::string whatif_csv(const Study& study)
{
    const ExperimentRequest& request = study.systems.changed.request();
    std::string text =
        fmt::format("# ringmesh {}: whatif {}, seed {}\n", RINGMESH_VERSION, request.platform, request.seed);
    for (const ParameterRow& row : study.systems.current.parameters()) {
        text += fmt::format("# parameter {} = {}\n", row.key, row.value);
    }
    for (const Change& change : changes(study.systems.current, study.systems.changed)) {
        text += fmt::format("# changed {} = {}\n", change.key, change.to);
    }
    text += "dimensions,nodes,current_formula_ns,current_simulated_ns,changed_formula_ns,changed_simulated_ns\n";
    for (const LatencyPoint& point : study.latencies) {
        text += fmt::format("{},{},{},{},{},{}\n", point.torus.dimensions, point.torus.nodes,
                            cell(point.formula_ns.current), point.simulated_ns.current, cell(point.formula_ns.changed),
                            point.simulated_ns.changed);
    }
    return text;
}

}  // namespace ringmesh::lab
