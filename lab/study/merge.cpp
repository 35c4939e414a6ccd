// SPDX-License-Identifier: Apache-2.0
#include "lab/study/merge.h"

#include <fmt/format.h>

#include <exception>
#include <optional>

#include "lab/run/run_record.h"
#include "lab/table/json.h"
#include "platforms/files/toml_document.h"

namespace ringmesh::lab {
namespace {

/// The point of a text, if it is that of the key.
std::optional<Point> point_of(const std::string& text, const std::string& key)
{
    try {
        Point point = point_from_text(text);
        if (point.header.key == key) return point;
    } catch (const std::exception&) {
        // it is damaged
    }
    return std::nullopt;
}

/// Without the values of each block, which not every run keeps.
std::string results_of(const Point& point) { return outcome_json(point.record.outcome, false).line(); }

}  // namespace

Merged merge(Store& into, std::span<const Store> from, std::span<const std::string> keys)
{
    Merged merged;
    for (const std::string& key : keys) {
        std::optional<Point> here;
        if (const auto text = into.find_text(key)) here = point_of(*text, key);
        const auto is_done = [&here] { return here && here->header.state == PointState::kDone; };
        const bool was_done = is_done();
        bool copied = false;
        for (const Store& other : from) {
            const auto text = other.find_text(key);
            if (!text) continue;
            const auto refuse = [&](std::string_view why) {
                merged.refused.push_back(fmt::format("{}: {}", platforms::shown(other.file_of(key)), why));
            };
            auto point = point_of(*text, key);
            if (!point) {
                refuse("damaged, not copied; run it again");
                continue;
            }
            if (is_done() && point->header.state == PointState::kDone && results_of(*here) != results_of(*point)) {
                refuse(
                    fmt::format("other results than {} has; equal inputs must give equal results, so one of the "
                                "machines or builds is at fault: run the point again on both with --fresh",
                                platforms::shown(into.file_of(key))));
                continue;
            }
            const bool more_blocks = is_done() && point->header.every_block && !here->header.every_block;
            if (here && !more_blocks && (is_done() || point->header.state != PointState::kDone)) continue;
            into.put_text(key, *text);
            here = std::move(point);
            copied = true;
        }
        ++(copied && !was_done ? merged.copied : here ? merged.there : merged.missing);
    }
    return merged;
}

}  // namespace ringmesh::lab
