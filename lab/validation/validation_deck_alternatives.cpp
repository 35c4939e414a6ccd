// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/validation/deck_parts.h"

/// What-ifs that the paper suggests, and the alternatives that it rejects.
namespace ringmesh::lab::deck {
namespace {

struct Alternative {
    const char* name;
    const char* overlay;  ///< or none
    const char* options;  ///< of the library
    bool short_too;       ///< whether protocol 1 changes with it
    const char* setting = nullptr;
};

constexpr const char* kLongerPacket = ",packet=128";

constexpr std::array<Alternative, 8> kAlternatives{{
    {"as it is", nullptr, "", true},
    {"16 stream buffers of 128 B", "stream-16x128", "", true},
    {"the same, packets of 128 B", "stream-16x128-packets-128", "", true},
    {"the same, protocol 1 with 128 B", "stream-16x128-packets-128", kLongerPacket, true},
    {"a flush that costs nothing", "free-barrier", "", false},
    {"interrupt in place of polling", nullptr, ",notification=interrupt", true},
    {"the card's DMA in place of stores", nullptr, ",transfer=dma", false},
    {"the same, started in no time", nullptr, ",transfer=dma", false, "psb.dma_startup=0 ns"},
}};

constexpr const char* kLatencySizes = "64..4160 step 256";
/// Averages over every phase between rings and eight stream buffers.
constexpr int kLatencyRepetitions = 64;

std::string name_of(const Alternative& alternative, const char* what)
{
    return fmt::format("deck {}: {}", alternative.name, what);
}

void plan_one(Experiments& experiments, const Alternative& alternative, const char* what, int protocol,
              const std::string& sizes)
{
    std::vector<std::string> overlays;
    if (alternative.overlay != nullptr) overlays.emplace_back(alternative.overlay);
    std::vector<std::string> settings;
    if (alternative.setting != nullptr) settings.emplace_back(alternative.setting);
    experiments.plan(name_of(alternative, what), over(fmt::format("deck:protocol={}{}", protocol, alternative.options),
                                                      request("ping-pong:" + sizes, std::move(settings), overlays)));
}

/// The results of one row: latencies, and where the lines of protocols 2 and 3 cross.
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

std::string crossing_text(const std::optional<double>& crossing)
{
    return crossing ? fmt::format("{:.0f}", *crossing) : "over 4160";
}

std::string changed(double value, double before, int digits)
{
    const double percent = std::round(100 * (value / before - 1));
    return fmt::format("{:.{}f} ({})", value, digits, percent == 0 ? "0 %" : fmt::format("{:+.0f} %", percent));
}

/// The value, followed by its change against the unchanged cluster.
std::string beside(double value, double now, int digits, bool is_now)
{
    return is_now ? fmt::format("{:.{}f}", value, digits) : changed(value, now, digits);
}

Report::Table costs(const std::vector<Findings>& all)
{
    TextTable table({{"DECK on this cluster"},
                     {"protocol 1, smallest", Align::kRight, "us"},
                     {"protocol 2, 64 B", Align::kRight, "us"},
                     {"protocol 3, 64 B", Align::kRight, "us"},
                     {"protocol 2, 1 MiB", Align::kRight, "MB/s"},
                     {"protocol 3, 1 MiB", Align::kRight, "MB/s"},
                     {"3 is faster from", Align::kRight, "bytes"}});
    const Findings& now = all.front();
    const Findings* longer_packet = nullptr;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Findings& found = all[i];
        const bool is_now = i == 0;
        std::vector<std::string> cells{kAlternatives.at(i).name};
        cells.push_back(found.short_us ? beside(*found.short_us, *now.short_us, 2, is_now) : "as before");
        for (std::size_t protocol = 0; protocol < 2; ++protocol) {
            cells.push_back(beside(found.lines.at(protocol).latency_us, now.lines.at(protocol).latency_us, 2, is_now));
        }
        for (std::size_t protocol = 0; protocol < 2; ++protocol) {
            cells.push_back(
                beside(found.lines.at(protocol).peak_mb_per_s, now.lines.at(protocol).peak_mb_per_s, 1, is_now));
        }
        cells.push_back(crossing_text(found.crossing));
        table.row(std::move(cells));
        if (std::string_view(kAlternatives.at(i).options) == kLongerPacket) longer_packet = &found;
    }
    std::vector<std::string> notes{
        fmt::format("Latencies are means of {} repetitions. Smallest message of protocol 1: 0 B.", kLatencyRepetitions),
        "DMA moves the data of protocols 2 and 3, 64 bytes for each read of memory over PCI (psb.dma_burst), so it "
        "stays",
        "below the processor's stores. Its start-up and what an interrupt takes are assumed (psb.dma_startup, "
        "host.interrupt)."};
    if (longer_packet != nullptr) {
        notes.push_back(fmt::format(
            "Protocol 1 with 128 B carries up to 126 B: from 63 B on it takes {:.2f} us where protocol 2 takes {:.2f}.",
            *longer_packet->short_us, longer_packet->lines[0].latency_us));
    }
    return {"What-ifs: newer cards, a free flush, and the alternatives that the paper rejects [002 I, III]",
            std::move(table), std::move(notes)};
}

/// The size from which an alternative is faster than the unchanged cluster.
std::string gains_from(const Experiments& experiments, std::size_t i, const std::vector<Findings>& all, int protocol)
{
    const char* what = protocol == 2 ? "protocol 2" : "protocol 3";
    const auto from = crossover(experiments.outcome(name_of(kAlternatives.front(), what)),
                                experiments.outcome(name_of(kAlternatives.at(i), what)));
    if (from) return *from == 0 ? "64" : fmt::format("{:.0f}", *from);
    const auto line = static_cast<std::size_t>(protocol - 2);
    const bool at_last = all[i].lines.at(line).peak_mb_per_s > all.front().lines.at(line).peak_mb_per_s;
    return at_last ? "over 4160" : "never";
}

Report::Table gains(const Experiments& experiments, const std::vector<Findings>& all)
{
    TextTable table({{"faster than as it is"},
                     {"protocol 2 from", Align::kRight, "bytes"},
                     {"protocol 3 from", Align::kRight, "bytes"}});
    for (std::size_t i = 1; i < all.size(); ++i) {
        table.row({kAlternatives.at(i).name, gains_from(experiments, i, all, 2), gains_from(experiments, i, all, 3)});
    }
    return {"Where the lines cross those of the cluster as it is", std::move(table), {}};
}

}  // namespace

void plan_alternatives(Experiments& experiments)
{
    for (const Alternative& alternative : kAlternatives) {
        for (const int protocol : {2, 3}) {
            plan_one(experiments, alternative, protocol == 2 ? "protocol 2" : "protocol 3", protocol,
                     fmt::format("sizes={},repetitions={}", kLatencySizes, kLatencyRepetitions));
            plan_one(experiments, alternative, protocol == 2 ? "long 2" : "long 3", protocol,
                     fmt::format("sizes={},repetitions=1", kLong));
        }
        if (alternative.short_too) {
            plan_one(experiments, alternative, "protocol 1", 1, "sizes=0,repetitions=50");
        }
    }
}

std::vector<Report::Table> alternatives(const Experiments& experiments)
{
    std::vector<Findings> all;
    all.reserve(kAlternatives.size());
    for (const Alternative& alternative : kAlternatives) all.push_back(find(experiments, alternative));
    return {costs(all), gains(experiments, all)};
}

}  // namespace ringmesh::lab::deck
