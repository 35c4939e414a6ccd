// SPDX-License-Identifier: Apache-2.0
#include "lab/compare/sides.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "lab/table/writers/text_table.h"
#include "tlm/error.h"
#include "tlm/parameters/names.h"

namespace ringmesh::lab {
namespace {

/// The done points of one model.
struct ModelPoints {
    std::string latest;  ///< when the last one ended
    std::vector<std::string> keys;
};
using Models = std::map<std::string, ModelPoints>;

Models models_of(const Store& store)
{
    Models models;
    for (const std::string& key : store.keys()) {
        const auto header = store.find_header(key);
        if (!header || header->state != PointState::kDone) continue;
        ModelPoints& model = models[header->model];
        model.latest = std::max(model.latest, header->finished);
        model.keys.push_back(key);
    }
    return models;
}

std::string names_of(const Models& models)
{
    std::vector<std::string> names;
    for (const auto& [name, model] : models) names.push_back(name);
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

std::vector<Point> points_of(const Store& store, const ModelPoints& model)
{
    std::vector<Point> points;
    for (const std::string& key : model.keys) {
        if (auto point = store.find(key)) points.push_back(std::move(*point));
    }
    return points;
}

/// Of one model, because those of two are no repetitions of each other: the one that ran last.
std::vector<Point> latest_points(const Store& store, std::vector<std::string>& notes)
{
    const Models models = models_of(store);
    if (models.empty()) return {};
    const auto latest = std::ranges::max_element(
        models, [](const auto& a, const auto& b) { return a.second.latest < b.second.latest; });
    if (models.size() > 1) {
        notes.push_back(fmt::format("{} has points of {} models; those of the one that ran last are compared, {}",
                                    store.folder().string(), models.size(), latest->first));
    }
    return points_of(store, latest->second);
}

/// "test, axis=1" of a point without its variant and repetition.
std::string place_of(const AskedPoints& asked, const StudyPoint& point)
{
    const StudyTest& test = asked.study->tests[point.test];
    std::string place = test.name;
    for (std::size_t i = 0; i < test.axes.size(); ++i) {
        place += fmt::format(", {}={}", test.axes[i].name, point.axes[i]);
    }
    return place;
}

/// Places in the order in which they were first named.
class Places {
public:
    ComparedPlace& at(const std::string& key, const std::string& title)
    {
        const auto [found, added] = by_key_.emplace(key, all_.size());
        if (added) all_.push_back({.title = title, .a = {}, .b = {}});
        return all_[found->second];
    }

    /// Those that have both sides. @param notes what is said already
    Sides sides(const std::string& a, const std::string& b, std::vector<std::string> notes = {})
    {
        Sides sides{.places = {}, .notes = std::move(notes)};
        std::size_t only_a = 0;
        std::size_t only_b = 0;
        for (ComparedPlace& place : all_) {
            if (place.b.empty()) only_a += place.a.size();
            if (place.a.empty()) only_b += place.b.size();
            if (!place.a.empty() && !place.b.empty()) sides.places.push_back(std::move(place));
        }
        for (const auto& [count, here, there] : {std::tuple(only_a, &a, &b), std::tuple(only_b, &b, &a)}) {
            if (count == 0) continue;
            sides.notes.push_back(
                fmt::format("without counterpart in {}: {} of {}", *there, counted(count, "point"), *here));
        }
        return sides;
    }

private:
    std::vector<ComparedPlace> all_;
    std::map<std::string, std::size_t> by_key_;
};

/// Each done point of a study beside the one of the others with its configuration and seed.
Sides beside(const AskedPoints& asked, const Store& store, std::vector<Point> others, const std::string& name,
             std::vector<std::string> notes = {})
{
    const auto identity = [](const Point& point) {
        return fmt::format("{}seed {}", identity_of(point.record), point.record.request.seed);
    };
    std::map<std::string, Point*> by_identity;
    for (Point& other : others) by_identity.emplace(identity(other), &other);
    Places places;
    for (std::size_t i = 0; i < asked.points.size(); ++i) {
        auto point = asked.granted[i].done() ? store.find(asked.granted[i].key) : std::nullopt;
        if (!point) continue;
        const StudyPoint& own = asked.points[i];
        std::string title = place_of(asked, own);
        if (asked.study->tests[own.test].variants.size() > 1) title += ", variant " + own.variant;
        ComparedPlace& place = places.at(title, title);
        const auto other = by_identity.find(identity(*point));
        if (other != by_identity.end()) place.b.push_back(*other->second);
        place.a.push_back(std::move(*point));
    }
    return places.sides("the study", name, std::move(notes));
}

}  // namespace

Point point_with(const Store& store, const std::string& key, std::string_view who)
{
    const std::vector<std::string> found = store.keys(key);
    const std::string folder = store.folder().string();
    if (found.empty()) {
        throw UserError(
            fmt::format("{}: no point '{}' in {}; `ringmesh study list STUDY` shows keys", who, key, folder));
    }
    if (found.size() > 1) {
        throw UserError(fmt::format("{}: {} points of {} begin with '{}': {}, ...; write more of the key", who,
                                    found.size(), folder, key, fmt::join(found.begin(), found.begin() + 2, ", ")));
    }
    auto point = store.find(found.front());
    if (!point || point->header.state != PointState::kDone) {
        throw UserError(fmt::format("{}: the point {} has no results; run it again with --retry", who, found.front()));
    }
    return std::move(*point);
}

Sides sides_of_stores(const Store& a, const Store& b)
{
    std::vector<std::string> notes;
    std::vector<Point> of_a = latest_points(a, notes);
    std::vector<Point> of_b = latest_points(b, notes);
    std::map<std::string, std::set<std::string>> values;
    for (const auto* points : {&of_a, &of_b}) {
        for (const Point& point : *points) {
            for (const auto& [name, value] : configuration_of(point)) values[name].insert(value);
        }
    }
    // What is not the same everywhere tells the places apart
    const auto title_for = [&values](const Point& point) {
        std::string title = point.record.workload + " on " + point.record.request.platform;
        for (const auto& [name, value] : configuration_of(point)) {
            const bool shown = name != "model" && name != "program" && values[name].size() > 1;
            if (shown && !value.empty()) title += fmt::format(", {}={}", name, value);
        }
        return title;
    };
    Places places;
    const auto add = [&](std::vector<Point>& points, std::vector<Point> ComparedPlace::*side) {
        for (Point& point : points) {
            (places.at(identity_of(point.record), title_for(point)).*side).push_back(std::move(point));
        }
    };
    add(of_a, &ComparedPlace::a);
    add(of_b, &ComparedPlace::b);
    return places.sides(a.folder().string(), b.folder().string(), std::move(notes));
}

Sides sides_of_variants(const AskedPoints& asked, const Store& store, const std::string& a, const std::string& b)
{
    std::vector<std::string> names;
    for (const StudyTest& test : asked.study->tests) {
        for (const Variant& variant : test.variants) {
            if (std::ranges::find(names, variant.name) == names.end()) names.push_back(variant.name);
        }
    }
    for (const std::string& name : {a, b}) {
        if (std::ranges::find(names, name) != names.end()) continue;
        throw UserError(fmt::format("study compare: unknown variant '{}'{}", name, suggestion(name, names)));
    }
    Places places;
    for (std::size_t i = 0; i < asked.points.size(); ++i) {
        const StudyPoint& point = asked.points[i];
        if ((point.variant != a && point.variant != b) || !asked.granted[i].done()) continue;
        auto found = store.find(asked.granted[i].key);
        if (!found) continue;
        const std::string title = place_of(asked, point);
        ComparedPlace& place = places.at(title, title);
        (point.variant == a ? place.a : place.b).push_back(std::move(*found));
    }
    return places.sides("variant " + a, "variant " + b);
}

Sides sides_of_study(const AskedPoints& asked, const Store& store, const Store& other)
{
    std::vector<std::string> notes;
    std::vector<Point> points = latest_points(other, notes);
    return beside(asked, store, std::move(points), other.folder().string(), std::move(notes));
}

Sides sides_of_models(const AskedPoints& asked, const Store& store, const std::string& model)
{
    Models models = models_of(store);
    models.erase(model_version());
    const std::string known = names_of(models);
    std::erase_if(models, [&model](const auto& each) { return !each.first.starts_with(model); });
    if (models.size() != 1) {
        throw UserError(fmt::format(
            "study compare: --model {}: {} of points in {} begin so; write enough of one; others than this program's "
            "{}: {}",
            model, counted(models.size(), "model"), store.folder().string(), model_version(), known));
    }
    return beside(asked, store, points_of(store, models.begin()->second), "model " + model);
}

}  // namespace ringmesh::lab
