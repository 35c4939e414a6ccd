// SPDX-License-Identifier: Apache-2.0
#include "lab/place_use.h"

#include <fmt/format.h>

#include <algorithm>

namespace ringmesh::lab {
namespace {

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
                 .waited_ns = use.waited().ns(),
                 .longest_wait_ns = use.longest_wait().ns(),
                 .queue_mean = 0,
                 .queue_highest = use.highest(),
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
    return row.busy_ns > 0 || row.packets > 0 || row.waits > 0 || row.queue_highest > 0;
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
    row.waited_ns = number_at(json, "waited_ns");
    row.longest_wait_ns = number_at(json, "longest_wait_ns");
    if (const Json* queue = json.find("queue")) {
        row.is_queue = true;
        row.queue_mean = queue->at("mean").as_number();
        row.queue_highest = static_cast<std::uint32_t>(queue->at("highest").as_integer());
        row.queue_histogram_ns = numbers_in(*queue, "histogram");
    }
    if (const Json* states = json.find("states")) {
        for (const auto& [word, ns] : states->members()) row.states_ns.emplace_back(word, ns.as_number());
    }
    return row;
}

}  // namespace

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
    std::vector<const PlaceRow*> rows;
    for (const PlaceRow& row : use.places) {
        if (was_used(row)) rows.push_back(&row);
    }
    std::stable_sort(rows.begin(), rows.end(), [](const PlaceRow* a, const PlaceRow* b) {
        return a->busy_ns != b->busy_ns ? a->busy_ns > b->busy_ns : a->queue_mean > b->queue_mean;
    });
    const std::size_t shown = std::min(most, rows.size());
    TextTable table({{"place"},
                     {"kind"},
                     {"busy", Align::kRight, "%"},
                     {"bytes", Align::kRight},
                     {"packets", Align::kRight},
                     {"waits", Align::kRight},
                     {"mean wait", Align::kRight, "ns"},
                     {"longest", Align::kRight, "ns"},
                     {"mean fill", Align::kRight},
                     {"highest", Align::kRight}});
    const auto count = [](bool has, std::uint64_t number) {
        return has ? with_thousands(static_cast<std::int64_t>(number)) : std::string();
    };
    for (std::size_t i = 0; i < shown; ++i) {
        const PlaceRow& row = *rows[i];
        const bool waited = row.waited_ns > 0;
        const bool carries = row.carries && row.states_ns.empty();
        const double busy = simulated > Duration::zero() ? 100 * row.busy_ns / simulated.ns() : 0;
        table.row({row.name, row.kind, row.carries ? with_thousands(busy, 1) : "", count(carries, row.bytes),
                   count(carries, row.packets), count(carries || row.waits != 0, row.waits),
                   waited ? with_thousands(row.waited_ns / static_cast<double>(row.waits), 1) : "",
                   waited ? with_thousands(row.longest_wait_ns, 1) : "",
                   row.is_queue ? with_thousands(row.queue_mean, 3) : "",
                   row.is_queue ? with_thousands(static_cast<std::int64_t>(row.queue_highest)) : ""});
    }
    std::string text = table.text(0, room);
    if (shown < rows.size()) {
        text += fmt::format("and {} more that were used: --json FILE and --report FILE have all\n",
                            counted(rows.size() - shown, "place"));
    }
    return text;
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
        if (row.waited_ns > 0) {
            one["waited_ns"] = row.waited_ns;
            one["longest_wait_ns"] = row.longest_wait_ns;
        }
        if (row.is_queue) {
            one["queue"] = {{"mean", row.queue_mean},
                            {"highest", row.queue_highest},
                            {"histogram", list_of(row.queue_histogram_ns)}};
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
