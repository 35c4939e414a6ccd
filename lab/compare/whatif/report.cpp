// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "lab/compare/whatif/error_bars.h"
#include "lab/compare/whatif/study.h"
#include "lab/table/json.h"
#include "lab/table/text_table.h"

namespace ringmesh::lab {
namespace {

constexpr const char* kNothing = "-";

std::string ns(double value) { return with_thousands(value, 1); }
std::string ns(const std::optional<double>& value) { return value ? ns(*value) : kNothing; }
std::string nodes(const std::optional<double>& value) { return value ? with_thousands(*value, 2) : kNothing; }

std::string change_percent(double from, double to)
{
    return from == 0 ? kNothing : fmt::format("{:+.2f}", 100 * (to - from) / from);
}

std::string paragraph(std::string_view title, const std::string& body, Room room)
{
    return fmt::format("{}\n\n{}\n", wrapped(title, 0, room.prose()), body);
}

std::string changes_text(const WhatIf& study, Room room)
{
    TextTable table({{"parameter"}, {"current"}, {"changed"}, {"meaning"}});
    for (const Change& change : changes(study.systems.current, study.systems.changed)) {
        table.row({change.key, change.from, change.to, change.meaning});
    }
    return paragraph("what is changed", table.empty() ? "nothing\n" : table.text(0, room), room);
}

std::string components_text(const WhatIf& study, Room room)
{
    TextTable table({{"component, 64-byte messages"},
                     {"testbed, published", Align::kRight, "ns"},
                     {"current", Align::kRight, "ns"},
                     {"changed", Align::kRight, "ns"},
                     {"change", Align::kRight, "%"}});
    const auto row = [&](const char* name, const char* id, const PerSystem<double>& value) {
        const auto published = id == nullptr ? std::optional<double>() : published_for_testbed(id);
        table.row(
            {name, ns(published), ns(value.current), ns(value.changed), change_percent(value.current, value.changed)});
    };
    const auto of = [&study](auto member) {
        return PerSystem<double>{study.derived.current.components.*member, study.derived.changed.components.*member};
    };
    using analytic::Components;
    row("propagation l_p, by arithmetic", "wulfkit.component.propagation", of(&Components::propagation_ns));
    row("forwarding l_f, equation 19", "wulfkit.component.forwarding", of(&Components::forwarding_ns));
    row("overhead o, equation 18", "wulfkit.component.overhead_64B", of(&Components::overhead_ns));
    row("switching l_s, equation 20", "wulfkit.component.switching",
        {study.derived.current.switching_by_equation_20, study.derived.changed.switching_by_equation_20});
    row("switching l_s, less (l_f + l_p) / 2", nullptr, of(&Components::switching_ns));
    row("switching l_s, sum of the stages", nullptr, study.stage_sum_ns);
    return paragraph("components, by the papers' experiments on the simulated machines", table.text(0, room), room) +
           wrapped(
               "On the papers' rings of three, equation 20 is (l_f + l_p) / 2 too high. The formulas below use the "
               "corrected value.",
               0, room.prose()) +
           "\n\n";
}

/// Printed only if true: even an infinitely fast B-Link saves less than half of the time.
std::string about_the_blink(const WhatIf& study)
{
    const analytic::SwitchStages stages = study.systems.current.stages();
    const bool whole_packets = study.systems.current.switch_mode() == analytic::SwitchMode::kStoreAndForward;
    analytic::SwitchStages without_bus = stages;
    without_bus.blink.cycle_ns = 0;
    const double left = analytic::switching_latency(without_bus, study.systems.current.switch_mode());
    if (!whole_packets || left <= study.stage_sum_ns.current / 2) return {};
    return " A faster or wider B-Link alone cannot do it: the packet still waits to be whole before it, and passes two "
           "FIFOs.";
}

std::string remedies_text(const WhatIf& study, Room room)
{
    const double present = study.stage_sum_ns.current;
    TextTable table({{"overlay"}, {"l_s", Align::kRight, "ns"}, {"of now", Align::kRight, "%"}, {"meaning"}});
    table.row({"none", ns(present), "100", ""});
    for (const Remedy& remedy : study.ways_to_halve) {
        table.row({remedy.overlay, ns(remedy.switching_ns), fmt::format("{:.0f}", 100 * remedy.switching_ns / present),
                   remedy.meaning});
    }
    return paragraph("what would halve the switching latency: arithmetic over the stages of the current system",
                     table.text(0, room), room) +
           wrapped(fmt::format("Half is {} ns.{}", ns(present / 2), about_the_blink(study)), 0, room.prose()) + "\n\n";
}

/// Rings were run at many sizes, to locate the first crossover. Sizes without a torus are not shown.
bool is_shown(const WhatIf& study, const LatencyPoint& point)
{
    if (point.torus.dimensions > 1) return true;
    bool any_torus = false;
    for (const LatencyPoint& other : study.latencies) {
        any_torus = any_torus || other.torus.dimensions > 1;
        if (other.torus.dimensions > 1 && other.torus.nodes == point.torus.nodes) return true;
    }
    return !any_torus;
}

std::string latencies_text(const WhatIf& study, Room room)
{
    std::string text;
    for (int dimensions = 1; dimensions <= kDimensions; ++dimensions) {
        TextTable table({{"nodes", Align::kRight},
                         {"current: formula", Align::kRight, "ns"},
                         {"simulated", Align::kRight, "ns"},
                         {"changed: formula", Align::kRight, "ns"},
                         {"simulated", Align::kRight, "ns"},
                         {"change", Align::kRight, "%"},
                         {"multi-unicast: now", Align::kRight, "us"},
                         {"changed", Align::kRight, "us"}});
        for (const LatencyPoint& point : study.latencies) {
            if (point.torus.dimensions != dimensions || !is_shown(study, point)) continue;
            const double others = point.torus.nodes - 1.0;
            table.row({std::to_string(point.torus.nodes), ns(point.formula_ns.current), ns(point.simulated_ns.current),
                       ns(point.formula_ns.changed), ns(point.simulated_ns.changed),
                       change_percent(point.simulated_ns.current, point.simulated_ns.changed),
                       ns(point.simulated_ns.current * others / 1e3), ns(point.simulated_ns.changed * others / 1e3)});
        }
        if (table.empty()) continue;
        text += paragraph(fmt::format("{}-D: latency of a 64-byte request, averaged over all destinations", dimensions),
                          table.text(0, room), room);
    }
    if (!text.empty())
        text += wrapped("Multi-unicast: the root sends to each other node, one after the other. All sizes: --csv FILE.",
                        0, room.prose()) +
                '\n';
    return text;
}

std::string simulated_text(const std::optional<analytic::BracketedCrossover>& crossover)
{
    if (!crossover) return kNothing;
    return fmt::format("{} ({:.0f} to {:.0f})", with_thousands(crossover->nodes, 1), crossover->below,
                       crossover->above);
}

std::string crossovers_text(const WhatIf& study, Room room)
{
    TextTable table(
        {{"crossover, in nodes"}, {"1D-2D", Align::kRight}, {"2D-3D", Align::kRight}, {"3D-4D", Align::kRight}});
    const auto row = [&](const char* name, const auto& text_of) {
        std::vector<std::string> cells{name};
        for (const Crossover& crossover : study.crossovers) cells.push_back(text_of(crossover));
        table.row(std::move(cells));
    };
    const auto whole = [](double value) { return fmt::format("{:.0f}", value); };
    table.section("published for the testbed [000 Table 2]");
    row("current, average latency", [&](const Crossover& c) { return whole(c.published_average); });
    row("current, multi-unicast", [&](const Crossover& c) { return whole(c.published_multicast); });
    row("l_s halved, average latency", [&](const Crossover& c) { return whole(c.enhanced_average); });
    row("l_s halved, multi-unicast", [&](const Crossover& c) { return whole(c.enhanced_multicast); });
    table.section("equation 17, published components");
    row("current", [](const Crossover& c) { return nodes(c.by_published_components.current); });
    row("l_s halved", [](const Crossover& c) { return nodes(c.by_published_components.changed); });
    table.section("equation 17, components of the simulated machines");
    row("current", [](const Crossover& c) { return nodes(c.formula.current); });
    row("changed", [](const Crossover& c) { return nodes(c.formula.changed); });
    table.section("simulated, between sizes that were run");
    row("current", [](const Crossover& c) { return simulated_text(c.simulated.current); });
    row("changed", [](const Crossover& c) { return simulated_text(c.simulated.changed); });
    return paragraph("number of nodes from which another dimension is faster", table.text(0, room), room) +
           wrapped(
               "Simulated crossovers lie between tori of equal dimensions, on lines in log N; '-': no two sizes that "
               "were run enclose one. Multi-unicast is N - 1 times the average, so its crossovers are the same: the "
               "published ones do not follow from the papers' equations.",
               0, room.prose()) +
           "\n\n";
}

std::string gains_text(const WhatIf& study, Room room)
{
    if (study.gains.empty()) return {};
    TextTable table({{"nodes", Align::kRight},
                     {"best now", Align::kRight},
                     {"best changed", Align::kRight},
                     {"gain", Align::kRight, "%"},
                     {"overhead kept", Align::kRight, "%"},
                     {"papers' l_s halved", Align::kRight, "%"},
                     {"and as they say"}});
    for (const Gain& gain : study.gains) {
        const bool small = gain.nodes < 1000;
        table.row({fmt::format("{:.0f}", gain.nodes), fmt::format("{}-D", gain.best.current.dimensions),
                   fmt::format("{}-D", gain.best.changed.dimensions), fmt::format("{:.2f}", gain.percent),
                   fmt::format("{:.2f}", gain.overhead_kept_percent),
                   fmt::format("{:.2f}", gain.published_components_percent),
                   small ? "about 5 % (average), none (multi-unicast)" : "about 10 % (multi-unicast)"});
    }
    return paragraph("gain of the best topology, by equation 17", table.text(0, room), room) +
           wrapped("A change to the LC-2 or the B-Link also shortens the overhead; the papers kept it.", 0,
                   room.prose()) +
           "\n\n";
}

}  // namespace

std::string whatif_text(const WhatIf& study, Room room)
{
    std::string text = changes_text(study, room);
    if (study.has_equations()) text += components_text(study, room);
    if (study.systems.current.has_equations()) text += remedies_text(study, room);
    text += crossovers_text(study, room) + gains_text(study, room) + latencies_text(study, room);
    return text;
}

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

Json components_json(const WhatIf& study)
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

std::string optional_cell(const std::optional<double>& value)
{
    return value ? fmt::format("{}", *value) : std::string();
}

}  // namespace

std::string whatif_json(const WhatIf& study, const std::optional<Analysis>& error_bars)
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
    if (error_bars) json["error_bars"] = error_bars_json(*error_bars);
    return json_text(json);
}

std::string whatif_csv(const WhatIf& study)
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
                            optional_cell(point.formula_ns.current), point.simulated_ns.current,
                            optional_cell(point.formula_ns.changed), point.simulated_ns.changed);
    }
    return text;
}

}  // namespace ringmesh::lab
