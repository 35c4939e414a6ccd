// SPDX-License-Identifier: Apache-2.0
#include "lab/run/place_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>

namespace ringmesh::lab {
namespace {

using workloads::Cell;

double in_nanoseconds(std::int64_t ps) { return Duration::picoseconds(ps).ns(); }

PlaceRow row_of(const PlaceUse& use, Duration simulated)
{
    PlaceRow row{.name = use.name(),
                 .kind = std::string(use.kind()),
                 .carries = use.has_busy(),
                 .is_queue = use.has_level(),
                 .busy_ns = use.busy_time().ns(),
                 .bytes = use.bytes(),
                 .packets = use.packets(),
                 .waits = use.waits(),
                 .refusals = use.refusals(),
                 .waited_ns = use.waited().ns(),
                 .longest_wait_ns = use.longest_wait().ns(),
                 .queue_mean = 0,
                 .queue_highest = use.highest(),
                 .queue_room = use.room(),
                 .queue_histogram_ns = {},
                 .states_ns = {}};
    if (simulated > Duration::zero()) {
        row.queue_mean = static_cast<double>(use.level_area()) / static_cast<double>(simulated.ps());
    }
    for (const std::int64_t ps : use.levels_ps()) row.queue_histogram_ns.push_back(in_nanoseconds(ps));
    for (const auto& [word, ps] : use.states_ps()) row.states_ns.emplace_back(word, in_nanoseconds(ps));
    return row;
}

template <class Value>
void trim(std::vector<Value>& values)
{
    while (!values.empty() && values.back() == Value{}) values.pop_back();
}

PlaceUseTable::Series series_of(const PlaceUse& use, Duration every)
{
    PlaceUseTable::Series series{.name = use.name(), .busy = {}, .bytes = {}, .packets = {}, .queue = {}};
    const auto interval = static_cast<double>(every.ps());
    for (const PlaceUse::Sample& sample : use.samples()) {
        series.busy.push_back(static_cast<double>(sample.busy_ps) / interval);
        series.bytes.push_back(sample.bytes);
        series.packets.push_back(sample.packets);
        series.queue.push_back(static_cast<double>(sample.level_ps) / interval);
    }
    trim(series.busy);
    trim(series.bytes);
    trim(series.packets);
    trim(series.queue);
    return series;
}

bool was_used(const PlaceRow& row)
{
    return row.busy_ns > 0 || row.packets > 0 || row.waits > 0 || row.refusals > 0 || row.queue_highest > 0;
}

/// Places whose names differ in numbers alone.
struct Sort {
    std::string name;
    std::size_t number = 0;
    PlaceRow all{};  ///< sums, and what is most

    void add(const PlaceRow& row)
    {
        ++number;
        all.kind = row.kind;
        all.carries = row.carries;
        all.is_queue = row.is_queue;
        all.busy_ns += row.busy_ns;
        all.bytes += row.bytes;
        all.packets += row.packets;
        all.waits += row.waits;
        all.refusals += row.refusals;
        all.waited_ns += row.waited_ns;
        all.longest_wait_ns = std::max(all.longest_wait_ns, row.longest_wait_ns);
        all.queue_mean += row.queue_mean;
        all.queue_highest = std::max(all.queue_highest, row.queue_highest);
        all.queue_room = std::max(all.queue_room, row.queue_room);
        if (!row.states_ns.empty()) all.states_ns = row.states_ns;
    }
    PlaceRow mean() const
    {
        PlaceRow row = all;
        row.busy_ns /= static_cast<double>(number);
        row.queue_mean /= static_cast<double>(number);
        return row;
    }
};

/// From the kind on.
std::vector<std::string> cells_of(const PlaceRow& row, Duration simulated)
{
    const auto count = [](bool has, std::uint64_t number) {
        return has ? with_thousands(static_cast<std::int64_t>(number)) : std::string();
    };
    const auto number = [](bool has, double value, int decimals) {
        return has ? with_thousands(value, decimals) : std::string();
    };
    const bool waited = row.waits > 0;
    const bool carries = row.carries && row.states_ns.empty();
    const double busy = simulated > Duration::zero() ? 100 * row.busy_ns / simulated.ns() : 0;
    return {row.kind,
            number(row.carries, busy, 1),
            count(carries, row.bytes),
            count(carries, row.packets),
            count(carries, row.waits),
            number(waited, waited ? row.waited_ns / static_cast<double>(row.waits) : 0, 1),
            number(waited, row.longest_wait_ns, 1),
            count(row.refusals != 0, row.refusals),
            number(row.is_queue, row.queue_mean, 3),
            count(row.is_queue, row.queue_highest),
            count(row.queue_room != 0, row.queue_room)};
}

/// "0: 91.2 %, 1: 8.8 %": the part of the time that a queue had each length.
Cell histogram_text(const std::vector<double>& levels_ns)
{
    const double all = std::accumulate(levels_ns.begin(), levels_ns.end(), 0.0);
    if (all <= 0) return std::monostate();
    std::string text;
    for (std::size_t i = 0; i < levels_ns.size(); ++i) {
        const double part = 100 * levels_ns[i] / all;
        if (part > 0) text += fmt::format("{}{}: {:.3g} %", text.empty() ? "" : ", ", i, part);
    }
    return text;
}

/// "computing: 12.5 %, polling: 87.5 %": the part of the time in each state.
Cell states_text(const std::vector<std::pair<std::string, double>>& states_ns)
{
    if (states_ns.empty()) return std::monostate();
    double all = 0;
    for (const auto& [word, ns] : states_ns) all += ns;
    std::string text;
    for (const auto& [word, ns] : states_ns) {
        if (ns > 0) text += fmt::format("{}{}: {:.3g} %", text.empty() ? "" : ", ", word, 100 * ns / all);
    }
    return text;
}

template <class Value>
Json list_of(const std::vector<Value>& values)
{
    return Json(values);
}

std::vector<double> numbers_in(const Json& json, std::string_view key)
{
    std::vector<double> numbers;
    if (const Json* list = json.find(key)) {
        for (const Json& value : list->values()) numbers.push_back(value.as_number());
    }
    return numbers;
}

std::vector<std::uint64_t> counts_in(const Json& json, std::string_view key)
{
    std::vector<std::uint64_t> counts;
    if (const Json* list = json.find(key)) {
        for (const Json& value : list->values()) counts.push_back(static_cast<std::uint64_t>(value.as_integer()));
    }
    return counts;
}

std::uint64_t count_in(const Json& json, std::string_view key)
{
    const Json* const value = json.find(key);
    return value == nullptr ? 0 : static_cast<std::uint64_t>(value->as_integer());
}

double number_at(const Json& json, std::string_view key)
{
    const Json* const value = json.find(key);
    return value == nullptr ? 0 : value->as_number();
}

PlaceRow place_from(const Json& json)
{
    PlaceRow row;
    row.name = json.at("name").as_text();
    row.kind = json.at("kind").as_text();
    row.carries = json.find("busy_ns") != nullptr;
    row.busy_ns = number_at(json, "busy_ns");
    row.bytes = count_in(json, "bytes");
    row.packets = count_in(json, "packets");
    row.waits = count_in(json, "waits");
    row.refusals = count_in(json, "refused");
    row.waited_ns = number_at(json, "waited_ns");
    row.longest_wait_ns = number_at(json, "longest_wait_ns");
    if (const Json* queue = json.find("queue")) {
        row.is_queue = true;
        row.queue_mean = queue->at("mean").as_number();
        row.queue_highest = static_cast<std::uint32_t>(queue->at("highest").as_integer());
        row.queue_room = count_in(*queue, "room");
        row.queue_histogram_ns = numbers_in(*queue, "histogram");
    }
    if (const Json* states = json.find("states")) {
        for (const auto& [word, ns] : states->members()) row.states_ns.emplace_back(word, ns.as_number());
    }
    return row;
}

}  // namespace

std::string without_numbers(std::string_view name)
{
    std::string text;
    for (const char c : name) {
        const bool digit = c >= '0' && c <= '9';
        if (!digit || text.ends_with("lc") || text.ends_with(".l")) {
            text += c;
        } else if (!text.ends_with('*')) {
            text += '*';
        }
    }
    return text;
}

PlaceUseTable place_use_of(const UseMeter& meter, Duration simulated)
{
    PlaceUseTable table;
    for (const auto& use : meter.places()) {
        table.places.push_back(row_of(*use, simulated));
        if (!use->samples().empty()) table.series.push_back(series_of(*use, meter.every()));
    }
    table.every_ns = meter.every().ns();
    table.asked_ns = meter.asked().ns();
    return table;
}

std::string place_use_text(const PlaceUseTable& use, Duration simulated, std::size_t most, Room room)
{
    std::vector<Sort> sorts;
    std::map<std::pair<std::string, std::string>, std::size_t> known;
    std::vector<const PlaceRow*> rows;
    for (const PlaceRow& row : use.places) {
        const auto [at, is_new] = known.try_emplace({without_numbers(row.name), row.kind}, sorts.size());
        if (is_new) sorts.push_back({.name = at->first.first});
        sorts[at->second].add(row);
        if (was_used(row) && row.states_ns.empty()) rows.push_back(&row);
    }
    std::erase_if(sorts, [](const Sort& sort) { return !was_used(sort.all); });
    const auto busier = [](const PlaceRow& a, const PlaceRow& b) {
        return a.busy_ns != b.busy_ns ? a.busy_ns > b.busy_ns : a.queue_mean > b.queue_mean;
    };
    std::stable_sort(rows.begin(), rows.end(),
                     [&busier](const PlaceRow* a, const PlaceRow* b) { return busier(*a, *b); });

    const std::vector<TableColumn> columns{{"kind"},
                                           {"busy", Align::kRight, "%"},
                                           {"bytes", Align::kRight},
                                           {"packets", Align::kRight},
                                           {"waits", Align::kRight},
                                           {"mean wait", Align::kRight, "ns"},
                                           {"max", Align::kRight, "ns"},
                                           {"refused", Align::kRight},
                                           {"mean fill", Align::kRight},
                                           {"max", Align::kRight},
                                           {"room", Align::kRight}};
    std::vector<TableColumn> of_sorts{{"places"}, {"no.", Align::kRight}};
    of_sorts.insert(of_sorts.end(), columns.begin(), columns.end());
    TextTable by_sort(std::move(of_sorts));
    for (const Sort& sort : sorts) {
        std::vector<std::string> cells = cells_of(sort.mean(), simulated);
        cells.insert(cells.begin(), {sort.name, std::to_string(sort.number)});
        by_sort.row(std::move(cells));
    }
    std::vector<TableColumn> of_places{{"place"}};
    of_places.insert(of_places.end(), columns.begin(), columns.end());
    TextTable busiest(std::move(of_places));
    const std::size_t shown = std::min(most, rows.size());
    for (std::size_t i = 0; i < shown; ++i) {
        std::vector<std::string> cells = cells_of(*rows[i], simulated);
        cells.insert(cells.begin(), rows[i]->name);
        busiest.row(std::move(cells));
    }
    std::string text =
        wrapped("use by sort of place: means of busy and fill, sums of bytes, packets, waits and refusals", 0,
                room.prose()) +
        "\n\n" + by_sort.text(0, room) + "\nthe busiest places\n\n" + busiest.text(0, room);
    if (shown < rows.size()) {
        text += fmt::format("and {} more that were used: --json FILE and --report FILE have all\n",
                            counted(rows.size() - shown, "place"));
    }
    return text;
}

const Listing<PlaceOfRun>& place_columns()
{
    using Row = const PlaceOfRun&;
    const auto if_it_has = [](bool has, auto value) { return has ? Cell(value) : Cell(std::monostate()); };
    const auto carries = [](Row row) { return row.place->carries && row.place->states_ns.empty(); };
    const auto whole = [](std::uint64_t number) { return static_cast<std::int64_t>(number); };
    const auto column = [](const char* name, auto value) { return listed<PlaceOfRun>(name, value); };
    static const Listing<PlaceOfRun> kColumns({
        column("name", [](Row row) { return row.place->name; }).titled("place"),
        column("kind", [](Row row) { return row.place->kind; }),
        column("busy_percent",
               [=](Row row) {
                   const bool has = row.place->carries && row.simulated_ns > 0;
                   return if_it_has(has, has ? 100 * row.place->busy_ns / row.simulated_ns : 0);
               })
            .titled("busy", "%")
            .in(kOnPlacePage),
        column("busy_ns", [=](Row row) { return if_it_has(row.place->carries, row.place->busy_ns); })
            .titled("busy", "ns"),
        column("bytes", [=](Row row) { return if_it_has(carries(row), whole(row.place->bytes)); })
            .titled("bytes", "bytes"),
        column("packets", [=](Row row) { return if_it_has(carries(row), whole(row.place->packets)); }),
        column("waits", [](Row row) { return row.place->waits; }),
        column("waited_ns", [](Row row) { return row.place->waited_ns; }).titled("waited", "ns"),
        column("longest_wait_ns", [](Row row) { return row.place->longest_wait_ns; }).titled("longest wait", "ns"),
        column("refused", [](Row row) { return row.place->refusals; }),
        column("queue_mean", [=](Row row) { return if_it_has(row.place->is_queue, row.place->queue_mean); }),
        column("queue_highest",
               [=](Row row) { return if_it_has(row.place->is_queue, whole(row.place->queue_highest)); }),
        column("queue_room",
               [=](Row row) { return if_it_has(row.place->queue_room != 0, whole(row.place->queue_room)); }),
        column("queue_lengths", [](Row row) { return histogram_text(row.place->queue_histogram_ns); }).in(kOnPlacePage),
        column("states", [](Row row) { return states_text(row.place->states_ns); }).in(kOnPlacePage),
    });
    return kColumns;
}

std::vector<PlaceOfRun> rows_of(const PlaceUseTable& use, Duration simulated)
{
    std::vector<PlaceOfRun> rows;
    rows.reserve(use.places.size());
    for (const PlaceRow& place : use.places) rows.push_back({&place, simulated.ns()});
    return rows;
}

Json places_json(const PlaceUseTable& use)
{
    Json all = Json::array();
    for (const PlaceRow& row : use.places) {
        Json one = {{"name", row.name}, {"kind", row.kind}};
        if (row.carries) one["busy_ns"] = row.busy_ns;
        if (row.carries && row.states_ns.empty()) {
            one["bytes"] = row.bytes;
            one["packets"] = row.packets;
        }
        if (row.waits != 0) one["waits"] = row.waits;
        if (row.refusals != 0) one["refused"] = row.refusals;
        if (row.waited_ns > 0) {
            one["waited_ns"] = row.waited_ns;
            one["longest_wait_ns"] = row.longest_wait_ns;
        }
        if (row.is_queue) {
            Json queue = {{"mean", row.queue_mean}, {"highest", row.queue_highest}};
            if (row.queue_room != 0) queue["room"] = row.queue_room;
            queue["histogram"] = list_of(row.queue_histogram_ns);
            one["queue"] = std::move(queue);
        }
        if (!row.states_ns.empty()) {
            Json states = Json::object();
            for (const auto& [word, ns] : row.states_ns) states[word] = ns;
            one["states"] = std::move(states);
        }
        all.push_back(std::move(one));
    }
    return all;
}

Json series_json(const PlaceUseTable& use)
{
    if (use.every_ns <= 0) return {};
    Json places = Json::array();
    for (const PlaceUseTable::Series& series : use.series) {
        Json one = {{"name", series.name}};
        if (!series.busy.empty()) one["busy"] = list_of(series.busy);
        if (!series.bytes.empty()) one["bytes"] = list_of(series.bytes);
        if (!series.packets.empty()) one["packets"] = list_of(series.packets);
        if (!series.queue.empty()) one["queue"] = list_of(series.queue);
        places.push_back(std::move(one));
    }
    return {{"every_ns", use.every_ns}, {"asked_ns", use.asked_ns}, {"from_ns", 0}, {"places", std::move(places)}};
}

PlaceUseTable place_use_from(const Json& places, const Json* series)
{
    PlaceUseTable use;
    for (const Json& place : places.values()) use.places.push_back(place_from(place));
    if (series == nullptr || series->is_null()) return use;
    use.every_ns = series->at("every_ns").as_number();
    use.asked_ns = series->at("asked_ns").as_number();
    for (const Json& one : series->at("places").values()) {
        use.series.push_back({.name = one.at("name").as_text(),
                              .busy = numbers_in(one, "busy"),
                              .bytes = counts_in(one, "bytes"),
                              .packets = counts_in(one, "packets"),
                              .queue = numbers_in(one, "queue")});
    }
    return use;
}

}  // namespace ringmesh::lab
