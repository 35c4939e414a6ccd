// SPDX-License-Identifier: Apache-2.0
#include "lab/run/record/place_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

namespace ringmesh::lab {
namespace {

using workloads::Cell;

double in_nanoseconds(std::int64_t ps) { return Duration::picoseconds(ps).ns(); }

PlaceRow row_of(const PlaceUse& use, Duration simulated)
{
    PlaceRow row;
    row.name = use.name();
    row.kind = use.kind();
    row.carries = use.has_busy();
    row.is_queue = use.has_level();
    row.busy_ns = use.busy_time().ns();
    row.bytes = use.bytes();
    row.packets = use.packets();
    row.waits = use.waits();
    row.refusals = use.refusals();
    row.waited_ns = use.waited().ns();
    row.longest_wait_ns = use.longest_wait().ns();
    row.queue_highest = use.highest();
    row.queue_room = use.room();
    if (simulated > Duration::zero()) {
        row.queue_mean = static_cast<double>(use.level_area()) / static_cast<double>(simulated.ps());
    }
    for (const std::int64_t ps : use.levels_ps()) row.queue_histogram_ns.push_back(in_nanoseconds(ps));
    for (const auto& [word, ps] : use.states_ps()) row.states_ns.emplace_back(word, in_nanoseconds(ps));
    return row;
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
    const auto trim = [](auto& values) {
        while (!values.empty() && values.back() == 0) values.pop_back();
    };
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

/// Adds a place to those whose names differ from its name in numbers alone: sums, and what is most.
void add(const PlaceRow& row, PlaceRow& all)
{
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
    for (const auto& [word, ns] : row.states_ns) {
        const auto same = std::ranges::find(all.states_ns, word, &std::pair<std::string, double>::first);
        if (same != all.states_ns.end()) {
            same->second += ns;
        } else {
            all.states_ns.emplace_back(word, ns);
        }
    }
}

/// Queues stand behind all that can be busy.
bool is_busier(const PlaceRow& a, const PlaceRow& b)
{
    return std::pair(a.busy_ns, a.queue_mean) > std::pair(b.busy_ns, b.queue_mean);
}

/// "0: 91.2 %, 1: 8.8 %": the part of the time that a queue had each length, or a processor each state.
template <class Parts>
Cell parts_text(const Parts& parts_ns)
{
    double all = 0;
    for (const auto& [word, ns] : parts_ns) all += ns;
    if (all <= 0) return std::monostate();
    std::vector<std::string> texts;
    for (const auto& [word, ns] : parts_ns) {
        if (ns > 0) texts.push_back(fmt::format("{}: {:.3g} %", word, 100 * ns / all));
    }
    return fmt::format("{}", fmt::join(texts, ", "));
}

Cell histogram_text(const std::vector<double>& levels_ns)
{
    std::vector<std::pair<std::size_t, double>> parts;
    for (const double ns : levels_ns) parts.emplace_back(parts.size(), ns);
    return parts_text(parts);
}

PlaceRow place_from(const Json& json)
{
    PlaceRow row;
    json.read("name", row.name);
    json.read("kind", row.kind);
    row.carries = json.find("busy_ns") != nullptr;
    json.read("busy_ns", row.busy_ns);
    json.read("bytes", row.bytes);
    json.read("packets", row.packets);
    json.read("waits", row.waits);
    json.read("refused", row.refusals);
    json.read("waited_ns", row.waited_ns);
    json.read("longest_wait_ns", row.longest_wait_ns);
    if (const Json* queue = json.find("queue")) {
        row.is_queue = true;
        queue->read("mean", row.queue_mean);
        queue->read("highest", row.queue_highest);
        queue->read("room", row.queue_room);
        queue->read("histogram", row.queue_histogram_ns);
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

double waiting_ns(const PlaceRow& place)
{
    if (place.states_ns.empty()) return place.waited_ns;
    double all = 0;
    for (const auto& [word, ns] : place.states_ns) all += word == "idle" ? 0 : ns;
    return std::max(all - place.busy_ns, 0.0);
}

PlaceUseTable most_used(const PlaceUseTable& use, std::size_t most)
{
    if (use.places.size() <= most) return use;
    std::vector<const PlaceRow*> order;
    for (const PlaceRow& place : use.places) order.push_back(&place);
    const auto weight = [](const PlaceRow* place) { return place->busy_ns + waiting_ns(*place) + place->queue_mean; };
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(most);
    std::nth_element(order.begin(), end, order.end(), [&](const PlaceRow* a, const PlaceRow* b) {
        return weight(a) != weight(b) ? weight(a) > weight(b) : a < b;
    });
    std::sort(order.begin(), end);
    PlaceUseTable few{.places = {}, .every_ns = use.every_ns, .asked_ns = use.asked_ns, .series = {}};
    std::set<std::string_view> names;
    for (auto place = order.begin(); place != end; ++place) {
        few.places.push_back(**place);
        names.insert((*place)->name);
    }
    for (const PlaceUseTable::Series& series : use.series) {
        if (names.contains(series.name)) few.series.push_back(series);
    }
    return few;
}

namespace {

/// In which a processor has begun a store or load, and can do nothing before memory or a card takes it.
double stalled_ns(const PlaceRow& place)
{
    double all = 0;
    for (const auto& [word, ns] : place.states_ns) all += word == "storing" || word == "loading" ? ns : 0;
    return all;
}

/// Whether it waits rather than works, though it counts as busy.
bool is_stalled(const PlaceRow& place) { return place.busy_ns > 0 && stalled_ns(place) > place.busy_ns / 2; }

/// "node15." of "node15.cpu.state"
std::string_view owner_of(std::string_view name) { return name.substr(0, name.find('.') + 1); }

/// The places that a bottleneck may be; null: there is none of the sort.
struct Suspects {
    const PlaceRow* busiest = nullptr;  ///< but for processors that stall, unless nothing else is known
    const PlaceRow* stalled = nullptr;  ///< the processor that stalls longest
    const PlaceRow* carrier = nullptr;  ///< the busiest link, bus, port or bank
    const PlaceRow* refuser = nullptr;  ///< the queue or buffer that was full most often
    const PlaceRow* full = nullptr;     ///< the one of the stalled processor's node that refused most
    bool is_held_up = false;            ///< the stalled processor is the busiest of all

    const PlaceRow* bottleneck() const { return is_held_up && full != nullptr ? full : busiest; }
};

Suspects suspects_of(const PlaceUseTable& use)
{
    Suspects found;
    const auto keep = [](const PlaceRow*& kept, const PlaceRow& row, bool better) {
        if (kept == nullptr || better) kept = &row;
    };
    auto& [busiest, stalled, carrier, refuser, full, is_held_up] = found;
    for (const PlaceRow& row : use.places) {
        if (!row.carries && row.refusals > 0) {
            keep(refuser, row, refuser != nullptr && row.refusals > refuser->refusals);
        }
        if (row.busy_ns <= 0) continue;
        if (is_stalled(row)) {
            keep(stalled, row, stalled != nullptr && stalled_ns(row) > stalled_ns(*stalled));
        } else {
            keep(busiest, row, busiest != nullptr && is_busier(row, *busiest));
        }
        if (row.states_ns.empty()) keep(carrier, row, carrier != nullptr && is_busier(row, *carrier));
    }
    // What has no room for its own node's stores holds its processor up; else what carries them does
    for (const PlaceRow& row : use.places) {
        if (stalled == nullptr || row.carries || row.refusals == 0) continue;
        if (owner_of(row.name) != owner_of(stalled->name)) continue;
        keep(full, row, full != nullptr && row.refusals > full->refusals);
    }
    is_held_up = stalled != nullptr && (busiest == nullptr || is_busier(*stalled, *busiest));
    if (busiest == nullptr && full == nullptr) busiest = stalled;  // nothing else is known
    return found;
}

}  // namespace

std::string bottleneck_name(const PlaceUseTable& use)
{
    const PlaceRow* const place = suspects_of(use).bottleneck();
    return place == nullptr ? "" : place->name;
}

std::string bottleneck_text(const PlaceUseTable& use, Duration simulated)
{
    if (simulated <= Duration::zero()) return {};
    const auto [busiest, stalled, carrier, refuser, full, is_held_up] = suspects_of(use);
    if (busiest == nullptr && full == nullptr) return {};
    const auto percent = [simulated](double ns) { return fmt::format("{:.3g} %", 100 * ns / simulated.ns()); };
    const auto times = [](std::uint64_t number) { return with_thousands(static_cast<std::int64_t>(number)); };
    const auto waits = [&times](const PlaceRow& row) -> std::string {
        if (row.waits == 0) return "no packet waited for it";
        return fmt::format("{} packets waited for it {} times, {:.3g} ns on average", times(row.packets),
                           times(row.waits), row.waited_ns / static_cast<double>(row.waits));
    };
    const auto named = [](const PlaceRow& row) { return fmt::format("{} ({})", row.name, row.kind); };
    const std::string of_carrier = carrier == nullptr
                                       ? ""
                                       : fmt::format("; of what carries bytes {} is the busiest: {}, {}",
                                                     named(*carrier), percent(carrier->busy_ns), waits(*carrier));
    if (is_held_up && full != nullptr) {
        return fmt::format(
            "The bottleneck is {}: it refused {} times, with a mean fill of {:.3g}{}; {} stalled there, {} "
            "of the run{}.",
            named(*full), times(full->refusals), full->queue_mean,
            full->queue_room == 0 ? "" : fmt::format(" of {}", full->queue_room), stalled->name,
            percent(stalled_ns(*stalled)), of_carrier);
    }
    const std::string end =
        refuser == nullptr ? "."
                           : fmt::format("; {} refused most often, {} times.", refuser->name, times(refuser->refusals));
    const std::string head =
        fmt::format("The bottleneck is {}: busy {} of the run", named(*busiest), percent(busiest->busy_ns));
    if (busiest->states_ns.empty()) {
        const std::string held_up =
            is_held_up ? fmt::format("; {} stalled, {} of the run", stalled->name, percent(stalled_ns(*stalled))) : "";
        return fmt::format("{}; {}{}{}", head, waits(*busiest), held_up, end);
    }
    std::vector<std::pair<double, std::string>> states;
    for (const auto& [word, ns] : busiest->states_ns) {
        if (ns > 0) states.emplace_back(-ns, word);
    }
    std::sort(states.begin(), states.end());
    constexpr std::size_t kMost = 3;
    if (states.size() > kMost) states.resize(kMost);
    std::vector<std::string> texts;
    for (const auto& [ns, word] : states) texts.push_back(fmt::format("{} {}", word, percent(-ns)));
    // A processor that works most of its time stores and loads, too
    return fmt::format("{}, waiting {} (by state: {}){}{}", head, percent(waiting_ns(*busiest)), fmt::join(texts, ", "),
                       of_carrier, end);
}

std::string place_use_text(const PlaceUseTable& use, Duration simulated, std::size_t most, Room room)
{
    std::vector<PlaceRow> sorts;
    std::vector<std::size_t> numbers;  // of places
    std::map<std::pair<std::string, std::string>, std::size_t> known;
    std::vector<PlaceOfRun> busiest;
    for (const PlaceRow& row : use.places) {
        const auto [at, is_new] = known.try_emplace({without_numbers(row.name), row.kind}, sorts.size());
        if (is_new) {
            sorts.emplace_back().name = at->first.first;
            numbers.push_back(0);
        }
        add(row, sorts[at->second]);
        ++numbers[at->second];
        if (was_used(row)) busiest.push_back({&row, simulated.ns()});
    }
    std::vector<PlaceOfRun> by_sort;
    for (std::size_t i = 0; i < sorts.size(); ++i) {
        sorts[i].busy_ns /= static_cast<double>(numbers[i]);
        for (auto& state : sorts[i].states_ns) state.second /= static_cast<double>(numbers[i]);
        sorts[i].queue_mean /= static_cast<double>(numbers[i]);
        if (was_used(sorts[i])) by_sort.push_back({&sorts[i], simulated.ns(), numbers[i]});
    }
    std::stable_sort(busiest.begin(), busiest.end(),
                     [](const PlaceOfRun& a, const PlaceOfRun& b) { return is_busier(*a.place, *b.place); });
    const std::size_t more = busiest.size() - std::min(most, busiest.size());
    busiest.resize(busiest.size() - more);
    const Listing<PlaceOfRun>& columns = place_columns();
    std::string text =
        fmt::format("{}\n\n{}\nthe busiest places\n\n{}",
                    wrapped("places by sort: means of busy, waiting and fill, sums of bytes, packets, waits and "
                            "refusals; busy: part of the whole run, warm-up included, in which a place worked or was "
                            "taken, also by a retry; waiting: time that packets waited for it, or that a processor's "
                            "program waited, by the run's; a 'use' among the results is of the workload's window alone "
                            "and without retries (docs/reference/results/use.md)",
                            0, room.prose()),
                    columns.table(by_sort, kOfSorts).text(0, room), columns.table(busiest, kOnTerminal).text(0, room));
    if (more == 0) return text;
    return text +
           fmt::format("and {} more that were used: --json FILE and --report FILE have all\n", counted(more, "place"));
}

const Listing<PlaceOfRun>& place_columns()
{
    using Row = const PlaceOfRun&;
    constexpr unsigned kForReaders = kOnTerminal | kOfSorts;
    const auto column = [](const char* name, unsigned shown, auto value) {
        return listed<PlaceOfRun>(name, value).in(shown);
    };
    /// Of places that have it.
    const auto if_has = [&column](const char* name, unsigned shown, bool (*has)(Row), auto value) {
        return column(name, shown, [has, value](Row row) {
            return has(row) ? cell_of(std::invoke(value, *row.place)) : Cell(std::monostate());
        });
    };
    const auto busy = [](Row row) { return row.place->carries; };
    const auto carries = [](Row row) { return row.place->carries && row.place->states_ns.empty(); };
    const auto queues = [](Row row) { return row.place->is_queue; };
    const auto has_room = [](Row row) { return row.place->queue_room != 0; };
    const auto waited = [](Row row) { return row.place->waits > 0; };
    const auto refused = [](Row row) { return row.place->refusals != 0; };
    const auto mean_wait = [](const PlaceRow& place) { return place.waited_ns / static_cast<double>(place.waits); };
    const auto busy_percent = [](Row row) {
        const bool has = row.place->carries && (row.simulated_ns > 0);
        return has ? std::optional(100 * row.place->busy_ns / row.simulated_ns) : std::nullopt;
    };
    const auto waiting_percent = [](Row row) {
        const bool has = row.place->carries && (row.simulated_ns > 0);
        // Of a sort, waits are sums, but states are means
        const double places = row.place->states_ns.empty() ? static_cast<double>(row.number) : 1;
        return has ? std::optional(100 * waiting_ns(*row.place) / places / row.simulated_ns) : std::nullopt;
    };
    static const Listing<PlaceOfRun> kColumns({
        column("name", kInSql | kOnTerminal, [](Row row) { return row.place->name; }).titled("place"),
        column("name", kOfSorts, [](Row row) { return row.place->name; }).titled("places"),
        column("number", kOfSorts, &PlaceOfRun::number).titled("no."),
        column("kind", kInSql | kForReaders, [](Row row) { return row.place->kind; }),
        column("busy_percent", kOnPlacePage | kForReaders, busy_percent).titled("busy", "%").printed(1),
        column("waiting_percent", kOnPlacePage | kForReaders, waiting_percent).titled("waiting", "%").printed(1),
        if_has("busy_ns", kInSql, busy, &PlaceRow::busy_ns).titled("busy", "ns"),
        if_has("bytes", kInSql, carries, &PlaceRow::bytes).titled("bytes", "bytes"),
        if_has("bytes", kForReaders, carries, &PlaceRow::bytes).printed(0),
        if_has("packets", kInSql | kForReaders, carries, &PlaceRow::packets).printed(0),
        column("waits", kInSql, [](Row row) { return row.place->waits; }),
        if_has("waits", kForReaders, carries, &PlaceRow::waits).printed(0),
        if_has("mean_wait_ns", kForReaders, waited, mean_wait).titled("mean wait", "ns").printed(1),
        column("waited_ns", kInSql, [](Row row) { return row.place->waited_ns; }).titled("waited", "ns"),
        column("longest_wait_ns", kInSql, [](Row row) { return row.place->longest_wait_ns; })
            .titled("longest wait", "ns"),
        if_has("longest_wait_ns", kForReaders, waited, &PlaceRow::longest_wait_ns).titled("max", "ns").printed(1),
        column("refused", kInSql, [](Row row) { return row.place->refusals; }),
        if_has("refused", kForReaders, refused, &PlaceRow::refusals).printed(0),
        if_has("queue_mean", kInSql | kForReaders, queues, &PlaceRow::queue_mean).titled("mean fill").printed(3),
        if_has("queue_highest", kInSql | kForReaders, queues, &PlaceRow::queue_highest).titled("max").printed(0),
        if_has("queue_room", kInSql | kForReaders, has_room, &PlaceRow::queue_room).titled("room").printed(0),
        column("queue_lengths", kOnPlacePage, [](Row row) { return histogram_text(row.place->queue_histogram_ns); }),
        column("states", kOnPlacePage, [](Row row) { return parts_text(row.place->states_ns); }),
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
    return Json::list(use.places, [](const PlaceRow& row) {
        Json one = {{"name", row.name}, {"kind", row.kind}};
        const auto add_if = [&one](bool has, const char* key, Json value) {
            if (has) one.add(key, std::move(value));
        };
        add_if(row.carries, "busy_ns", row.busy_ns);
        add_if(row.carries && row.states_ns.empty(), "bytes", row.bytes);
        add_if(row.carries && row.states_ns.empty(), "packets", row.packets);
        add_if(row.waits != 0, "waits", row.waits);
        add_if(row.refusals != 0, "refused", row.refusals);
        add_if(row.waited_ns > 0, "waited_ns", row.waited_ns);
        add_if(row.waited_ns > 0, "longest_wait_ns", row.longest_wait_ns);
        Json queue = {{"mean", row.queue_mean}, {"highest", row.queue_highest}};
        if (row.queue_room != 0) queue.add("room", row.queue_room);
        queue.add("histogram", row.queue_histogram_ns);
        add_if(row.is_queue, "queue", std::move(queue));
        Json states = Json::object();
        for (const auto& [word, ns] : row.states_ns) states.add(word, ns);
        add_if(!row.states_ns.empty(), "states", std::move(states));
        return one;
    });
}

Json series_json(const PlaceUseTable& use)
{
    if (use.every_ns <= 0) return {};
    Json places = Json::list(use.series, [](const PlaceUseTable::Series& series) {
        Json one = {{"name", series.name}};
        const auto add = [&one](const char* key, const auto& values) {
            if (!values.empty()) one.add(key, values);
        };
        add("busy", series.busy);
        add("bytes", series.bytes);
        add("packets", series.packets);
        add("queue", series.queue);
        return one;
    });
    return {{"every_ns", use.every_ns}, {"asked_ns", use.asked_ns}, {"from_ns", 0}, {"places", std::move(places)}};
}

PlaceUseTable place_use_from(const Json& places, const Json* series)
{
    PlaceUseTable use;
    for (const Json& place : places.values()) use.places.push_back(place_from(place));
    if (series == nullptr || series->is_null()) return use;
    series->read("every_ns", use.every_ns);
    series->read("asked_ns", use.asked_ns);
    for (const Json& one : series->at("places").values()) {
        PlaceUseTable::Series& read = use.series.emplace_back();
        one.read("name", read.name);
        one.read("busy", read.busy);
        one.read("bytes", read.bytes);
        one.read("packets", read.packets);
        one.read("queue", read.queue);
    }
    return use;
}

}  // namespace ringmesh::lab
