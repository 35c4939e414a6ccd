// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "lab/compare/whatif/error_bars.h"
#include "lab/compare/whatif/variants_report.h"
#include "lab/table/json.h"

/// A comparison of variants for other programs.
namespace ringmesh::lab {
namespace {

Json number_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json place_json(const VariantComparison& comparison, const VariantPlace& place)
{
    Json at = Json::object();
    for (std::size_t i = 0; i < place.at.size(); ++i) {
        at[comparison.dimensions[i].name] = cell_json(comparison.dimensions[i].values[place.at[i]]);
    }
    Json variants = Json::object();
    for (std::size_t i = 0; i < place.variants.size(); ++i) {
        const Contender& each = place.variants[i];
        if (!each.measured()) continue;
        Json json = {{"mean", each.sample.mean},
                     {"interval", number_or_null(each.interval)},
                     {"values", each.values},
                     {"points", each.points}};
        if (i > 0) {
            json["change_percent"] = number_or_null(each.change.percent);
            json["change_interval"] = number_or_null(each.change.interval);
            json["beyond_noise"] = kNoises.name(each.change.noise);
        }
        variants[comparison.variants[i]] = std::move(json);
    }
    return {{"at", std::move(at)}, {"variants", std::move(variants)}};
}

Json family_json(const VariantComparison& comparison, const CurveFamily& family)
{
    const auto name = [&family](std::size_t curve) { return Json(family.names[curve]); };
    Json pairs = Json::array();
    for (const CurvePair& pair : family.pairs) {
        const auto lower = [&](int sign) { return sign == 0 ? Json() : name(sign < 0 ? pair.a : pair.b); };
        Json crossings = Json::array();
        for (std::size_t i = 0; i < pair.crossings.size(); ++i) {
            const analytic::Crossing& crossing = pair.crossings[i];
            crossings.push_back({{"at", crossing.at},
                                 {"between", {crossing.below, crossing.above}},
                                 {"lower_above", lower(crossing.lower)},
                                 {"within_noise", static_cast<bool>(pair.within_noise[i])}});
        }
        Json one = Json::object();
        one["a"] = name(pair.a);
        one["b"] = name(pair.b);
        one["lower_first"] = lower(pair.lower);
        one["least_percent"] = pair.least_percent;
        one["most_percent"] = pair.most_percent;
        one["all_within_noise"] = pair.all_within_noise;
        one["crossings"] = std::move(crossings);
        pairs.push_back(std::move(one));
    }
    Json best = Json::array();
    for (const analytic::BestRange& range : family.best) {
        Json curves = Json::array();
        for (const std::size_t curve : range.curves) curves.push_back(name(curve));
        best.push_back({{"from", range.from}, {"to", range.to}, {"curves", std::move(curves)}});
    }
    return {{"along", comparison.dimensions[family.along].name},
            {"curves_of", family.of ? comparison.dimensions[*family.of].name : "variant"},
            {"held", family.held},
            {"curves", family.names},
            {"points", family.points},
            {"pairs", std::move(pairs)},
            {"best", std::move(best)}};
}

Json example_json(const std::string& variant, const Point& point)
{
    Json json = {{"name", variant}};
    add_request(json, point.record);
    json["parameters"] = values_json(point.record.parameters);
    return json;
}

}  // namespace

std::string variants_json(const VariantReport& report)
{
    const VariantComparison& comparison = report.comparison;
    Json json;
    json["ringmesh"] = program_json();
    json["title"] = report.title;
    json["by"] = {{"name", comparison.by.name}, {"unit", comparison.by.unit}};
    json["better"] =
        comparison.better ? Json(*comparison.better == Better::kSmaller ? "smaller" : "larger") : Json(nullptr);
    json["everywhere"] = comparison.everywhere;
    json["variants"] = Json::array();
    for (std::size_t i = 0; i < comparison.variants.size(); ++i) {
        json["variants"].push_back(example_json(comparison.variants[i], report.examples[i]));
    }
    json["dimensions"] = Json::array();
    for (const Dimension& dimension : comparison.dimensions) {
        json["dimensions"].push_back({{"name", dimension.name}, {"unit", dimension.unit}});
    }
    json["places"] = Json::array();
    for (const VariantPlace& place : comparison.places) json["places"].push_back(place_json(comparison, place));
    json["crossovers"] = Json::array();
    for (const CurveFamily& family : report.families) json["crossovers"].push_back(family_json(comparison, family));
    if (report.error_bars) json["error_bars"] = error_bars_json(*report.error_bars);
    return json_text(json);
}

std::string variants_csv(const VariantReport& report)
{
    return results_csv(variant_listing(report.comparison).results(measured_rows(report.comparison)));
}

}  // namespace ringmesh::lab
