// SPDX-License-Identifier: Apache-2.0
#include "lab/explain/load_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "lab/explain/explanation.h"
#include "lab/explain/folding.h"
#include "lab/explain/report.h"
#include "lab/process/child_process.h"
#include "lab/run/record/run_record.h"
#include "lab/table/writers/json.h"
#include "tlm/error.h"

namespace ringmesh::lab {

std::string title_of(const LoadExplanation& explanation)
{
    const ExperimentRequest& request = explanation.request;
    std::string title = fmt::format("the slowest {} of {} on {}: {}",
                                    with_thousands(static_cast<std::int64_t>(explanation.ways.size())),
                                    counted(explanation.packets, "packet"), request.platform, request.workload);
    if (!explanation.library.empty()) title += " over " + explanation.library;
    return with_changes(std::move(title), request);
}

namespace {

std::string find_slowest(const ExperimentRequest& request, std::size_t slowest)
{
    // Not destroyed, as in a run: destroying a big machine takes seconds
    auto& experiment = *new Experiment(request);
    SlowestFinder finder(slowest);
    experiment.prepare_simulation();
    experiment.simulation().on_journey(finder);
    experiment.build();
    try {
        experiment.run();
    } catch (const FaultError&) {
        if (finder.packets() == 0) throw;  // else those that arrived are worth to be seen
    }
    return text_of(finder.slowest(), finder.packets());
}

using Waits = std::map<std::pair<std::string, std::string>, PlaceOfWaits>;

/// Longest sum first.
std::vector<PlaceOfWaits> sorted(Waits places)
{
    std::vector<PlaceOfWaits> all;
    for (auto& [key, place] : places) all.push_back(std::move(place));
    std::stable_sort(all.begin(), all.end(),
                     [](const PlaceOfWaits& a, const PlaceOfWaits& b) { return a.waited > b.waited; });
    return all;
}

/// @param all the latencies
std::string waits_table(const std::vector<PlaceOfWaits>& places, Duration all, std::size_t width)
{
    constexpr std::size_t kMostPlaces = 20;
    // Places whose names differ in numbers alone become one, if there are several
    Waits by_sort;
    for (const PlaceOfWaits& place : places) {
        PlaceOfWaits& sort = by_sort[{without_numbers(place.where), place.what}];
        const bool is_first = sort.waits == 0;
        sort.add(place);
        if (!is_first) sort.where = without_numbers(place.where);
        sort.of = all;
    }
    std::vector<PlaceOfWaits> sorts = sorted(std::move(by_sort));
    if (sorts.size() > kMostPlaces) {
        PlaceOfWaits rest;
        rest.of = all;
        for (std::size_t i = kMostPlaces; i < sorts.size(); ++i) rest.add(sorts[i]);
        rest.where = "elsewhere";
        rest.what.clear();
        sorts.resize(kMostPlaces);
        sorts.push_back(std::move(rest));
    }
    return wait_columns().table(sorts).text(0, width);
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
    TextTable table({{"where"},
                     {"what"},
                     {"from", Align::kRight, "ns"},
                     {"working", Align::kRight, "ns"},
                     {"waiting", Align::kRight, "ns"}});
    for (std::size_t i = 0; i < std::min(ways.size(), kMostShown); ++i) {
        const Way& way = ways[i];
        table.section(fmt::format("packet {}, {}: {} ns from {} ns on, of it {} ns waiting", way.packet, way.name,
                                  in_ns(way.span()), in_ns(way.from), in_ns(way.waiting())));
        for (const FoldedPart& row : short_rows(way)) {
            table.row({row.where, row.what, in_ns(row.from - way.from), in_ns_unless_zero(row.working),
                       in_ns_unless_zero(row.waiting)});
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
        listed<PlaceOfWaits>("what", &PlaceOfWaits::what).titled("waits for").printed(&PlaceOfWaits::what),
        listed<PlaceOfWaits>("waits", &PlaceOfWaits::waits),
        listed<PlaceOfWaits>("waited_ns", &PlaceOfWaits::waited).titled("in all", "ns"),
        listed<PlaceOfWaits>("percent", [](Row row) { return 100 * (row.waited / row.of); })
            .titled("of the latency", "%")
            .printed(1)
            .in(kOnTerminal),
        listed<PlaceOfWaits>("longest_ns", &PlaceOfWaits::longest).titled("longest", "ns"),
    });
    return kColumns;
}

void PlaceOfWaits::add(const PlaceOfWaits& other)
{
    where = other.where;
    what = other.what;
    waits += other.waits;
    waited += other.waited;
    longest = std::max(longest, other.longest);
}

std::vector<PlaceOfWaits> waits_by_place(const std::vector<Way>& ways)
{
    Waits places;
    for (const Way& way : ways) {
        for (const PathPart& part : way.parts()) {
            if (!part.waiting) continue;
            places[{part.where, part.what}].add({part.where, part.what, 1, part.span(), part.span()});
        }
    }
    return sorted(std::move(places));
}

LoadExplanation explain_load(const ExperimentRequest& request, std::size_t slowest,
                             std::unique_ptr<Experiment>& experiment)
{
    experiment = std::make_unique<Experiment>(request);  // mistakes are told before anything runs
    const std::vector<Job> first{[&] { return find_slowest(request, slowest); }};
    const auto [chosen, packets] = packets_of(run_in_children(first, 1).front());
    if (chosen.empty()) {
        throw UserError(
            fmt::format("explain: no packet arrived in a run of {} on {}; choose a workload that sends some",
                        experiment->workload_name(), request.platform));
    }
    ChosenRecorder recorder(chosen);
    experiment->prepare_simulation();
    experiment->simulation().on_journey(recorder);
    experiment->build();
    std::string ended_by_fault;
    try {
        experiment->run();
    } catch (const FaultError& error) {
        ended_by_fault = error.what();
    }

    LoadExplanation explanation{.request = experiment->request(),
                                .library = experiment->library_name(),
                                .parameters = experiment->parameters(),
                                .workload_options = experiment->workload_options(),
                                .packets = packets,
                                .ways = {},
                                .ended_by_fault = std::move(ended_by_fault)};
    const bool is_sci = experiment->machine_kind() == "wulfkit";
    for (const SlowPacket& packet : chosen) {
        Way way = way_of_packet(recorder.stages(packet.key), packet.key.packet, packet.key.leg, is_sci);
        if (way.span() != packet.latency) {
            throw ModelError(fmt::format("explain: packet {} took {} ps in the first run and {} ps in the second",
                                         packet.key.packet, packet.latency.ps(), way.span().ps()));
        }
        if (const auto stream = recorder.stream(packet.key); stream != TrafficModel::kOfWorkload) {
            way.name += fmt::format(" of {}", stream);
            ++explanation.beside;
        }
        explanation.ways.push_back(std::move(way));
    }
    explanation.notes = notes_of_strikes(recorder.strikes(), Duration::zero());
    const auto note_others = [&explanation](const std::vector<RecordedStrike>& strikes, std::string_view what) {
        if (strikes.empty()) return;
        explanation.notes.push_back(fmt::format("struck, of packets that {}: {}", what, strikes.size()));
        for (std::string& note : notes_of_strikes(strikes, Duration::zero())) {
            explanation.notes.push_back(std::move(note));
        }
    };
    note_others(recorder.strikes_on_others(), "arrived and are not among these");
    note_others(recorder.strikes_on_lost(), "never arrived");
    return explanation;
}

Answer answer_of(const LoadExplanation& explanation)
{
    const std::vector<Way>& ways = explanation.ways;
    Duration all;
    Duration waiting;
    for (const Way& way : ways) {
        all += way.span();
        waiting += way.waiting();
    }
    const std::string sum =
        ways.size() == 1 ? ""
                         : fmt::format("; the latencies of the slowest {} add up to {} ns", ways.size(), in_ns(all));
    Answer answer{{fmt::format("The slowest of {} packets took {} ns{}, of it {} ns ({:.1f} %) waiting.",
                               with_thousands(static_cast<std::int64_t>(explanation.packets)),
                               in_ns(ways.front().span()), sum, in_ns(waiting), 100 * (waiting / all))}};
    if (explanation.beside > 0) {
        answer.sentences.push_back(
            fmt::format("Of the slowest {}, {} of the background.", ways.size(),
                        explanation.beside == 1 ? "1 is" : fmt::format("{} are", explanation.beside)));
    }
    if (const auto places = waits_by_place(ways); !places.empty()) {
        const PlaceOfWaits& most = places.front();
        answer.sentences.push_back(fmt::format("Most waiting: at {}, {}: {} ns in {}.", most.where, most.what,
                                               in_ns(most.waited), counted(most.waits, "wait")));
    }
    return answer;
}

std::string load_text(const LoadExplanation& explanation, std::size_t width)
{
    Duration all;
    for (const Way& way : explanation.ways) all += way.span();
    std::string text = wrapped(title_of(explanation), 2, width) + "\n\n";
    const auto places = waits_by_place(explanation.ways);
    if (!places.empty()) text += waits_table(places, all, width) + '\n';
    text += waterfalls(explanation.ways, width);
    return text + notes_text(explanation.notes, width);
}

Json load_json(const LoadExplanation& explanation)
{
    Json json = {{"ringmesh", program_json()},
                 {"platform", explanation.request.platform},
                 {"overlays", explanation.request.overlays},
                 {"settings", explanation.request.settings},
                 {"workload", explanation.request.workload},
                 {"library", cell_json(cell_of(explanation.library))},
                 {"seed", explanation.request.seed},
                 {"parameters", values_json(explanation.parameters)},
                 {"workload_options", values_json(explanation.workload_options)},
                 {"packets", explanation.packets},
                 {"slowest", explanation.ways.size()},
                 {"waits", wait_columns().json(waits_by_place(explanation.ways))},
                 {"legs", legs_json(explanation.ways, Duration::zero())}};
    if (!explanation.notes.empty()) json["notes"] = explanation.notes;
    if (!explanation.ended_by_fault.empty()) json["ended_by_fault"] = explanation.ended_by_fault;
    return json;
}

std::string load_csv(const LoadExplanation& explanation)
{
    return csv_head(title_of(explanation),
                    {{"parameter ", &explanation.parameters}, {"workload ", &explanation.workload_options}},
                    explanation.notes) +
           legs_csv(explanation.ways, Duration::zero());
}

}  // namespace ringmesh::lab
