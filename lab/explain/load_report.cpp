// SPDX-License-Identifier: Apache-2.0
#include "lab/explain/load_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "lab/explain/folding.h"
#include "lab/explain/report.h"
#include "lab/run/place_use.h"
#include "lab/table/json.h"
#include "lab/table/text_table.h"

namespace ringmesh::lab {

std::string title_of(const LoadExplanation& explanation)
{
    const ExperimentRequest& request = explanation.request;
    std::string title = fmt::format("the slowest {} of {} on {}: {}",
                                    with_thousands(static_cast<std::int64_t>(explanation.ways.size())),
                                    counted(explanation.packets, "packet"), request.platform, request.workload);
    if (!explanation.library.empty()) title += " over " + explanation.library;
    for (const auto& overlay : request.overlays) title += ", " + overlay;
    for (const auto& setting : request.settings) title += ", " + setting;
    return title;
}

namespace {

/// Longest sum first.
std::vector<PlaceOfWaits> sorted(std::map<std::pair<std::string, std::string>, PlaceOfWaits> places)
{
    std::vector<PlaceOfWaits> all;
    all.reserve(places.size());
    for (auto& [key, place] : places) all.push_back(std::move(place));
    std::stable_sort(all.begin(), all.end(),
                     [](const PlaceOfWaits& a, const PlaceOfWaits& b) { return a.waited > b.waited; });
    return all;
}

/// Places whose names differ in numbers alone become one, if there are several.
std::vector<PlaceOfWaits> by_sort(const std::vector<PlaceOfWaits>& places)
{
    std::map<std::pair<std::string, std::string>, PlaceOfWaits> sorts;
    for (const PlaceOfWaits& place : places) {
        PlaceOfWaits& sort = sorts[{without_numbers(place.where), place.what}];
        sort.where = sort.waits == 0 ? place.where : without_numbers(place.where);
        sort.what = place.what;
        sort.waits += place.waits;
        sort.waited += place.waited;
        sort.longest = std::max(sort.longest, place.longest);
    }
    return sorted(std::move(sorts));
}

std::string waits_table(const std::vector<PlaceOfWaits>& places, Duration all, std::size_t width)
{
    constexpr std::size_t kMostPlaces = 20;
    const auto right = Align::kRight;
    TextTable table({{"where", Align::kLeft},
                     {"waits for", Align::kLeft},
                     {"waits", right},
                     {"in all", right, "ns"},
                     {"of the latency", right, "%"},
                     {"longest", right, "ns"}});
    PlaceOfWaits rest{.where = "elsewhere", .what = {}, .waits = 0, .waited = {}, .longest = {}};
    const auto add = [&table, all](const PlaceOfWaits& place) {
        table.row({place.where, place.what, with_thousands(static_cast<std::int64_t>(place.waits)), in_ns(place.waited),
                   with_thousands(100 * (place.waited / all), 1), in_ns(place.longest)});
    };
    const std::vector<PlaceOfWaits> sorts = by_sort(places);
    for (std::size_t i = 0; i < sorts.size(); ++i) {
        if (i < kMostPlaces) {
            add(sorts[i]);
            continue;
        }
        rest.waits += sorts[i].waits;
        rest.waited += sorts[i].waited;
        rest.longest = std::max(rest.longest, sorts[i].longest);
    }
    if (rest.waits > 0) add(rest);
    return table.text(0, width);
}

/// Work between two waits becomes one row; so does what is repeated, with its waits.
std::vector<FoldedPart> short_rows(const Way& way)
{
    std::vector<FoldedPart> rows;
    std::size_t stages = 0;  // of the last row, if it is of work alone
    std::string first;
    for (FoldedPart& part : fold(way.steps)) {
        if (part.waiting > Duration::zero()) {
            rows.push_back(std::move(part));
            stages = 0;
            continue;
        }
        if (stages++ == 0) {
            first = part.where;
            rows.push_back(std::move(part));
            continue;
        }
        FoldedPart& row = rows.back();
        row.to = part.to;
        row.working += part.working;
        row.where = part.where == first ? first : fmt::format("{} to {}", first, part.where);
        row.what = fmt::format("{} stages", stages);
    }
    return rows;
}

std::string waterfalls(const std::vector<Way>& ways, std::size_t width)
{
    constexpr std::size_t kMostShown = 20;
    const auto right = Align::kRight;
    TextTable table({{"where", Align::kLeft},
                     {"what", Align::kLeft},
                     {"from", right, "ns"},
                     {"working", right, "ns"},
                     {"waiting", right, "ns"}});
    for (std::size_t i = 0; i < std::min(ways.size(), kMostShown); ++i) {
        const Way& way = ways[i];
        table.section(fmt::format("packet {}, {}: {} ns from {} ns on, of it {} ns waiting", way.packet, way.name,
                                  in_ns(way.span()), in_ns(way.from), in_ns(way.waiting())));
        for (const FoldedPart& row : short_rows(way)) {
            const auto unless_zero = [](Duration time) { return time == Duration::zero() ? "" : in_ns(time); };
            table.row(
                {row.where, row.what, in_ns(row.from - way.from), unless_zero(row.working), unless_zero(row.waiting)});
        }
    }
    std::string text = table.text(0, width);
    if (ways.size() > kMostShown) {
        text += fmt::format("\n{} more are in --json and --csv\n", ways.size() - kMostShown);
    }
    return text;
}

}  // namespace

const Listing<PlaceOfWaits>& wait_columns()
{
    using Row = const PlaceOfWaits&;
    static const Listing<PlaceOfWaits> kColumns({
        listed<PlaceOfWaits>("where", &PlaceOfWaits::where),
        listed<PlaceOfWaits>("what", &PlaceOfWaits::what).titled("waits for"),
        listed<PlaceOfWaits>("waits", &PlaceOfWaits::waits),
        listed<PlaceOfWaits>("waited_ns", [](Row row) { return row.waited.ns(); }).titled("in all", "ns"),
        listed<PlaceOfWaits>("longest_ns", [](Row row) { return row.longest.ns(); }).titled("longest", "ns"),
    });
    return kColumns;
}

std::vector<PlaceOfWaits> waits_by_place(const std::vector<Way>& ways)
{
    std::map<std::pair<std::string, std::string>, PlaceOfWaits> places;
    for (const Way& way : ways) {
        for (const PathPart& part : way.parts()) {
            if (!part.waiting) continue;
            PlaceOfWaits& place = places[{part.where, part.what}];
            place.where = part.where;
            place.what = part.what;
            ++place.waits;
            place.waited += part.span();
            place.longest = std::max(place.longest, part.span());
        }
    }
    return sorted(std::move(places));
}

std::string load_text(const LoadExplanation& explanation, std::size_t width)
{
    Duration all;
    Duration waiting;
    for (const Way& way : explanation.ways) {
        all += way.span();
        waiting += way.waiting();
    }
    std::string text = wrapped(title_of(explanation), 2, width) + "\n\n";
    text += fmt::format("their latencies add up to {} ns, of it {} ns ({:.1f} %) waiting\n\n", in_ns(all),
                        in_ns(waiting), 100 * (waiting / all));
    const auto places = waits_by_place(explanation.ways);
    if (!places.empty()) text += waits_table(places, all, width) + '\n';
    text += waterfalls(explanation.ways, width);
    if (!explanation.notes.empty()) text += '\n';
    for (const std::string& note : explanation.notes) text += wrapped(note, 2, width) + '\n';
    return text;
}

std::string load_json(const LoadExplanation& explanation)
{
    Json waits = Json::array();
    for (const PlaceOfWaits& place : waits_by_place(explanation.ways)) {
        waits.push_back(wait_columns().json(place));
    }
    Json json = {{"ringmesh", program_json()},
                 {"platform", explanation.request.platform},
                 {"overlays", explanation.request.overlays},
                 {"settings", explanation.request.settings},
                 {"workload", explanation.request.workload},
                 {"library", explanation.library.empty() ? Json() : Json(explanation.library)},
                 {"seed", explanation.request.seed},
                 {"parameters", values_json(explanation.parameters)},
                 {"workload_options", values_json(explanation.workload_options)},
                 {"packets", explanation.packets},
                 {"slowest", explanation.ways.size()},
                 {"waits", std::move(waits)},
                 {"legs", legs_json(explanation.ways, Duration::zero())}};
    if (!explanation.notes.empty()) json["notes"] = explanation.notes;
    if (!explanation.ended_by_fault.empty()) json["ended_by_fault"] = explanation.ended_by_fault;
    return json_text(json);
}

std::string load_csv(const LoadExplanation& explanation)
{
    std::string text =
        fmt::format("# ringmesh {}, schema {}: {}\n", RINGMESH_VERSION, kOutputSchema, title_of(explanation));
    for (const auto& row : explanation.parameters) text += fmt::format("# parameter {} = {}\n", row.key, row.value);
    for (const auto& row : explanation.workload_options)
        text += fmt::format("# workload {} = {}\n", row.key, row.value);
    for (const std::string& note : explanation.notes) text += "# " + note + '\n';
    return text + legs_csv(explanation.ways, Duration::zero());
}

}  // namespace ringmesh::lab
