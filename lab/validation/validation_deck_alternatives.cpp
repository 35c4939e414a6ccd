// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "lab/validation/deck_parts.h"

/// What-ifs that the paper suggests, and the ways that it argues against.
namespace ringmesh::lab::deck {
namespace {

struct Alternative {
    const char* name;
    const char* overlay;  ///< or none
    const char* options;  ///< of deck-ping-pong
    bool short_too;       ///< whether protocol 1 changes with it
    int packet = 64;
};

constexpr std::array<Alternative, 6> kAlternatives{{
    {"16 stream buffers of 128 B", "stream-16x128", "", true},
    {"the same, packets of 128 B", "stream-16x128-packets-128", "", true},
    {"the same, protocol 1 with 128 B", "stream-16x128-packets-128", ",packet=128", true, 128},
    {"a flush that costs nothing", "free-barrier", "", false},
    {"interrupt in place of polling", nullptr, ",notification=interrupt", true},
    {"the card's DMA in place of stores", nullptr, ",transfer=dma", false},
}};

constexpr std::int64_t kLong = 1024 * 1024;
constexpr const char* kLatencySizes = "64..4096 step 64";

std::string name_of(const Alternative& alternative, const char* what)
{
    return fmt::format("deck {}: {}", alternative.name, what);
}

void plan_one(Experiments& experiments, const Alternative& alternative, const char* what, const std::string& options)
{
    std::vector<std::string> overlays;
    if (alternative.overlay != nullptr) overlays.emplace_back(alternative.overlay);
    experiments.plan(name_of(alternative, what),
                     request("deck-ping-pong:" + options + alternative.options, {}, overlays));
}

/// Of one row: what it costs and where the lines of protocols 2 and 3 cross.
struct Findings {
    std::optional<double> short_us;
    std::array<ProtocolLine, 2> lines;  ///< protocols 2 and 3
    std::optional<double> crossing;
};

double smallest_us(const Outcome& outcome) { return column(outcome, "latency_avg_ns").at(0) / 1e3; }

Findings find(const Experiments& experiments, const Alternative& alternative)
{
    const auto outcome = [&](const char* what) -> const Outcome& {
        return experiments.outcome(name_of(alternative, what));
    };
    const auto line = [&](const char* latency, const char* peak) {
        return ProtocolLine{smallest_us(outcome(latency)),
                            result(outcome(peak), "throughput_mb_per_s", "size_bytes", kLong)};
    };
    Findings found{.lines = {line("protocol 2", "long 2"), line("protocol 3", "long 3")},
                   .crossing = crossover(outcome("protocol 2"), outcome("protocol 3"))};
    if (alternative.short_too) found.short_us = smallest_us(outcome("protocol 1"));
    return found;
}

Findings find_as_it_is(const Experiments& experiments)
{
    return {.short_us = smallest_us(experiments.outcome("deck protocol 1 latency")),
            .lines = {protocol_line(experiments, 2), protocol_line(experiments, 3)},
            .crossing = crossover(experiments.outcome("deck protocol 2 latency"),
                                  experiments.outcome("deck protocol 3 latency"))};
}

std::string crossing_text(const std::optional<double>& crossing)
{
    return crossing ? fmt::format("{:.0f}", *crossing) : "over 4096";
}

std::string changed(double value, double before, int digits)
{
    return fmt::format("{:.{}f} ({:+.0f} %)", value, digits, 100 * (value / before - 1));
}

Report::Table costs(const Experiments& experiments)
{
    TextTable table({{"DECK on this cluster"},
                     {"protocol 1, smallest", Align::kRight, "us"},
                     {"protocol 2, 64 B", Align::kRight, "us"},
                     {"protocol 3, 64 B", Align::kRight, "us"},
                     {"protocol 2, 1 MiB", Align::kRight, "MB/s"},
                     {"protocol 3, 1 MiB", Align::kRight, "MB/s"},
                     {"3 is faster from", Align::kRight, "bytes"}});
    const Findings now = find_as_it_is(experiments);
    table.row({"as it is", fmt::format("{:.2f}", *now.short_us), fmt::format("{:.2f}", now.lines[0].latency_us),
               fmt::format("{:.2f}", now.lines[1].latency_us), fmt::format("{:.1f}", now.lines[0].peak_mb_per_s),
               fmt::format("{:.1f}", now.lines[1].peak_mb_per_s), crossing_text(now.crossing)});
    for (const Alternative& alternative : kAlternatives) {
        const Findings found = find(experiments, alternative);
        std::vector<std::string> cells{alternative.name};
        cells.push_back(found.short_us ? changed(*found.short_us, *now.short_us, 2) : "as before");
        for (std::size_t i = 0; i < 2; ++i) {
            cells.push_back(changed(found.lines.at(i).latency_us, now.lines.at(i).latency_us, 2));
        }
        for (std::size_t i = 0; i < 2; ++i) {
            cells.push_back(changed(found.lines.at(i).peak_mb_per_s, now.lines.at(i).peak_mb_per_s, 1));
        }
        cells.push_back(crossing_text(found.crossing));
        table.row(std::move(cells));
    }
    return {
        "What-ifs: newer cards, a free flush, and what the paper argues against [002 I, III]",
        std::move(table),
        {"Smallest message of protocol 1: 0 B. DMA moves the data of protocols 2 and 3; DMA start-up and interrupt are "
         "assumed (psb.dma_startup, host.interrupt)."}};
}

}  // namespace

void plan_alternatives(Experiments& experiments)
{
    for (const Alternative& alternative : kAlternatives) {
        for (const int protocol : {2, 3}) {
            plan_one(experiments, alternative, protocol == 2 ? "protocol 2" : "protocol 3",
                     fmt::format("protocol={},sizes={},repetitions=10", protocol, kLatencySizes));
            plan_one(experiments, alternative, protocol == 2 ? "long 2" : "long 3",
                     fmt::format("protocol={},sizes={},repetitions=1", protocol, kLong));
        }
        if (alternative.short_too) {
            plan_one(experiments, alternative, "protocol 1", "protocol=1,sizes=0,repetitions=50");
        }
    }
}

std::vector<Report::Table> alternatives(const Experiments& experiments) { return {costs(experiments)}; }

}  // namespace ringmesh::lab::deck
