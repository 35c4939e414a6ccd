// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "lab/validation/ncube_parts.h"

/// Several channels active on one node [001 5.2], beside the null models and what else could explain six.
namespace ringmesh::lab::ncube {
namespace {

struct Variant {
    const char* name;
    const char* words;
    std::vector<std::string> settings;
    std::vector<std::string> overlays;
};

const std::vector<Variant>& variants()
{
    static const std::vector<Variant> all{
        {"ncube channels", "memory port (the model)", {}, {}},
        {"ncube channels, free port", "interrupts alone: DMA costs nothing", {}, {"free-memory-port"}},
        {"ncube channels, repeat 5",
         "memory port; buffers for 5 messages, refused requests are repeated",
         {"vertex.buffer_memory=10240 B", "vertex.full_buffers=repeat"},
         {}},
        {"ncube channels, wait 5",
         "memory port; buffers for 5 messages, requests wait",
         {"vertex.buffer_memory=10240 B", "vertex.full_buffers=wait"},
         {}},
        {"ncube channels, free port, repeat 5",
         "DMA costs nothing; buffers for 5 messages, refused requests are repeated",
         {"vertex.buffer_memory=10240 B", "vertex.full_buffers=repeat"},
         {"free-memory-port"}},
    };
    return all;
}

constexpr double kTimeTolerance = 3;  // percent
constexpr double kSlowdownTolerance = 5;
constexpr double kBytes = 2000;
constexpr int kPredicted = 4;  // up to so many channels a tolerance is asked for

double number(const Experiments& experiments, const char* name, std::string_view quantity, int active)
{
    return result(experiments.outcome(name), quantity, "active_channels", active);
}

/// The load that interrupts have without DMA: what R and S are at 0 bytes.
double speed(double slowdown, int active, double period)
{
    const analytic::NcubeTimes bare = analytic::NcubeModel{}.at(0);
    return analytic::ncube_processor_speed(slowdown, bare.r + bare.s, active / 2, period);
}

}  // namespace

void plan_channels(Experiments& experiments)
{
    for (const Variant& variant : variants()) {
        experiments.plan(variant.name, request("vertex-timing:measure=channels", variant.settings, variant.overlays));
    }
}

void add_channels(Rows& rows, std::vector<Report::Table>& tables, const Experiments& experiments)
{
    rows.section("Several channels active on one node; analytic: the null models, E alone and interrupts alone");
    const char* model = variants().front().name;
    const analytic::NcubeTimes times = analytic::NcubeModel{}.at(kBytes);
    for (const int active : {2, 4, 6}) {
        const double period = number(experiments, model, "us_per_message", active);
        const double slowdown = number(experiments, model, "slowdown", active);
        Row time = published_as_row(fmt::format("ncube.channels{}.time", active));
        Row slow = published_as_row(fmt::format("ncube.channels{}.slowdown", active));
        time.analytic = times.e;
        slow.analytic = analytic::ncube_interrupt_slowdown(times, active / 2, *time.published);
        Row clocked =
            plain_row(fmt::format("ncube.channels{}.speed", active),
                      fmt::format("processor speed that explains the slowdown, {} channels active", active), "");
        clocked.published = speed(*slow.published, active, *time.published);
        clocked.kind = "derived";
        clocked.source = "[001 5.2]";
        clocked.simulated = speed(slowdown, active, period);
        if (active <= kPredicted) {
            rows.add(judged(std::move(time), Role::kPrediction, kTimeTolerance, period));
            rows.add(judged(std::move(slow), Role::kPrediction, kSlowdownTolerance, slowdown));
        } else {
            time.simulated = period;
            slow.simulated = slowdown;
            time.note = slow.note = "not explained by the port alone, see the table";
            rows.add(std::move(time));
            rows.add(std::move(slow));
        }
        rows.add(std::move(clocked));
    }

    TextTable table({{"what slows", Align::kLeft},
                     {"4: time", Align::kRight, "us"},
                     {"4: slowdown", Align::kRight},
                     {"6: time", Align::kRight, "us"},
                     {"6: slowdown", Align::kRight},
                     {"refused", Align::kRight}});
    table.row({"published", "2830", "1.61", "3070", "3.78", ""});
    for (const Variant& variant : variants()) {
        const auto of = [&](std::string_view quantity, int active) {
            return number(experiments, variant.name, quantity, active);
        };
        table.row({variant.words, fmt::format("{:.0f}", of("us_per_message", 4)),
                   fmt::format("{:.2f}", of("slowdown", 4)), fmt::format("{:.0f}", of("us_per_message", 6)),
                   fmt::format("{:.2f}", of("slowdown", 6)), fmt::format("{:.0f}", of("refusals", 6))});
    }
    tables.push_back(
        {"What could slow a node with six active channels so much",
         std::move(table),
         {"Saturation of the port explains four channels and most of six. Requests repeated at full buffers reach",
          "the slowdown of six, but hold up the messages more than was measured; with room for six messages",
          "of 2000 bytes none is refused. Without the port, repeating does not explain it either."}});
}

}  // namespace ringmesh::lab::ncube
