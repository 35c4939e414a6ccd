// SPDX-License-Identifier: Apache-2.0
#include "lab/saturation/report.h"

#include <fmt/format.h>

#include "lab/json.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;

Cell cell(const std::optional<double>& number) { return number ? Cell(*number) : Cell(std::monostate()); }
Json value(const std::optional<double>& number) { return number ? Json(*number) : Json(); }

std::string state_of(const SaturationSearch& search, const LoadPoint& point, const SaturationRule& rule)
{
    switch (search.state(point)) {
        case LoadState::kBelow: return "below";
        case LoadState::kLittleAccepted: return fmt::format("accepted < {:g} %", 100 * rule.accepted_part);
        case LoadState::kLate: return fmt::format("latency > {:g}x", rule.latency_factor);
        case LoadState::kStuck: return "stuck";
    }
    return {};
}

Json point_json(const SaturationSearch& search, const LoadPoint& point, const SaturationRule& rule,
                const LoadTerms& terms)
{
    Json json = {
        {"load", point.load}, {"saturated", search.saturated(point)}, {"state", state_of(search, point, rule)}};
    if (point.stuck) return json;
    json["accepted_part"] = point.accepted_part;
    json["accepted_load"] = point.accepted_load;
    json["offered_total_mb_per_s"] = point.offered_total_mb_per_s;
    json["accepted_total_mb_per_s"] = point.accepted_total_mb_per_s;
    json["latency_mean_ns"] = point.latency_mean_ns;
    json["latency_ci95_ns"] = value(point.latency_ci95_ns);
    json["latency_p99_ns"] = point.latency_p99_ns;
    json["link_use_highest"] = point.link_use_highest;
    if (terms.has_blinks) json["blink_use_highest"] = value(point.blink_use_highest);
    return json;
}

/// "123 MB/s" for all senders together, or "0.250 flits/cycle" for each.
std::string accepted_text(const LoadPoint& point, const LoadTerms& terms)
{
    if (terms.unit.empty()) return fmt::format("{:.0f} MB/s", point.accepted_total_mb_per_s);
    return fmt::format("{:.3f} {}", point.accepted_load, terms.unit);
}

std::string verdict(const SaturationSearch& search, const LoadTerms& terms)
{
    const LoadPoint* below = search.last_below();
    const LoadPoint* above = search.first_above();
    if (below == &search.points().back()) {
        if (below->load >= 1) return "not saturated up to load 1";
        return fmt::format(
            "not saturated up to load {:.3g}; at the next one that was tried the sources cannot offer so much",
            below->load);
    }
    std::string text;
    if (below == nullptr && above == &search.points().front()) {
        text = fmt::format("saturated at load {:.3g} already, the lowest that was tried", above->load);
    } else if (below == nullptr) {
        text = "saturated at the lowest load already, but not at all higher ones";
    } else if (above == nullptr) {
        text = fmt::format("saturates above load {:.3g}, of which {} are accepted, but not at all loads above",
                           below->load, accepted_text(*below, terms));
    } else {
        text = fmt::format("saturates between load {:.3g}, of which {} are accepted, and load {:.3g}", below->load,
                           accepted_text(*below, terms), above->load);
    }
    if (search.ambiguous()) text += "; runs between do not agree: raise duration";
    return text;
}

}  // namespace

workloads::Results saturation_results(const SaturationSearch& search, const SaturationRule& rule,
                                      const LoadTerms& terms)
{
    workloads::Results results;
    results.columns = {{"load", terms.unit},
                       {"state", ""},
                       {"accepted_load", terms.unit},
                       {"offered_total_mb_per_s", "MB/s"},
                       {"accepted_total_mb_per_s", "MB/s"},
                       {"accepted_part", ""},
                       {"latency_mean_ns", "ns"},
                       {"latency_ci95_ns", "ns"},
                       {"latency_p99_ns", "ns"},
                       {"link_use_highest", ""}};
    if (terms.has_blinks) results.columns.push_back({"blink_use_highest", ""});
    bool stuck = false;
    for (const LoadPoint& point : search.points()) {
        auto& row = results.rows.emplace_back();
        row = {point.load, state_of(search, point, rule)};
        stuck = stuck || point.stuck;
        if (point.stuck) {
            row.resize(results.columns.size(), std::monostate());
            continue;
        }
        row.insert(row.end(), {point.accepted_load, point.offered_total_mb_per_s, point.accepted_total_mb_per_s,
                               point.accepted_part, point.latency_mean_ns, cell(point.latency_ci95_ns),
                               point.latency_p99_ns, point.link_use_highest});
        if (terms.has_blinks) row.push_back(cell(point.blink_use_highest));
    }
    results.notes.push_back(verdict(search, terms));
    if (const LoadPoint* most = search.most_accepted()) {
        results.notes.push_back(
            fmt::format("most was accepted at load {:.3g}: {}", most->load, accepted_text(*most, terms)));
    }
    results.notes.push_back(fmt::format(
        "saturated: less than {:g} % of what is offered is accepted, or the mean latency is above {:g} times that of "
        "the lowest load; MB/s are of all senders together; {}",
        100 * rule.accepted_part, rule.latency_factor, terms.meaning));
    results.notes.push_back(
        fmt::format("the runs between the loads of the first grid are {} times as long", SaturationSearch::kLonger));
    if (stuck) {
        results.notes.push_back(
            "stuck: the run ended in livelock, with endless retries; 'ringmesh run' at that load names the "
            "blocks");
    }
    return results;
}

std::string saturation_json(const SaturationSearch& search, const SaturationRule& rule, const LoadTerms& terms,
                            const ExperimentRequest& request)
{
    Json points = Json::array();
    for (const LoadPoint& point : search.points()) points.push_back(point_json(search, point, rule, terms));
    const auto point_or_null = [&](const LoadPoint* point) {
        return point == nullptr ? Json() : point_json(search, *point, rule, terms);
    };
    return json_text({{"ringmesh", program_json()},
                      {"platform", request.platform},
                      {"overlays", request.overlays},
                      {"settings", request.settings},
                      {"workload", request.workload},
                      {"seed", request.seed},
                      {"rule", {{"accepted_part", rule.accepted_part}, {"latency_factor", rule.latency_factor}}},
                      {"points", std::move(points)},
                      {"saturation",
                       {{"last_below", point_or_null(search.last_below())},
                        {"first_above", point_or_null(search.first_above())},
                        {"ambiguous", search.ambiguous()},
                        {"most_accepted", point_or_null(search.most_accepted())}}}});
}

}  // namespace ringmesh::lab
