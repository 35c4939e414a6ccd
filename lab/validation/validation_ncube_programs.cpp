// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <functional>
#include <string>

#include "lab/validation/ncube_parts.h"

/// Programs that the six times were not fitted to, and what the report discusses.
namespace ringmesh::lab::ncube {
namespace {

constexpr int kLength = 8;
constexpr int kHops = 4;
constexpr int kDimension = 6;

struct Predicted {
    const char* name;
    std::string workload;
    std::string words;
    std::function<double(const analytic::NcubeTimes&)> model;
};

const std::vector<Predicted>& programs()
{
    using analytic::NcubeTimes;
    static const std::vector<Predicted> all{
        {"ncube message", fmt::format("message,length={}", kHops), fmt::format("forwarded over {} hops", kHops),
         [](const NcubeTimes& t) { return analytic::ncube_message(t, kHops); }},
        {"ncube chain", fmt::format("chain,length={}", kLength), fmt::format("chain of {} programs", kLength),
         [](const NcubeTimes& t) { return analytic::ncube_chain(t, kLength); }},
        {"ncube exchange", "exchange,length=1", "exchange of neighbours",
         [](const NcubeTimes& t) { return analytic::ncube_exchange(t); }},
        {"ncube stream", fmt::format("stream,length={}", kLength), fmt::format("{} messages in a row", kLength),
         [](const NcubeTimes& t) { return analytic::ncube_stream(t, kLength); }},
        {"ncube broadcast", "broadcast", "broadcast to 64 nodes",
         [](const NcubeTimes& t) { return analytic::ncube_broadcast(t, kDimension); }},
    };
    return all;
}

constexpr const char* kBuffered = "ncube buffered";
constexpr const char* kUnbuffered = "ncube unbuffered";
constexpr int kLarge = 2000;

double value(const Experiments& experiments, const char* name, const char* quantity, int size)
{
    return result(experiments.outcome(name), quantity, "size_bytes", size);
}

}  // namespace

void plan_programs(Experiments& experiments)
{
    for (const Predicted& each : programs()) {
        experiments.plan(each.name, request("vertex-program:program=" + each.workload));
    }
}

void add_programs(std::vector<Report::Table>& tables, const Experiments& experiments)
{
    const analytic::NcubeModel own = fitted(experiments);
    TextTable table({{"program", Align::kLeft},
                     {"size", Align::kRight, "bytes"},
                     {"Table 3", Align::kRight, "us"},
                     {"own lines", Align::kRight, "us"},
                     {"simulated", Align::kRight, "us"},
                     {"error", Align::kRight, "%"}});
    for (const Predicted& each : programs()) {
        for (const int size : {16, 500, 2000}) {
            const double simulated = value(experiments, each.name, "time_us", size);
            const double predicted = each.model(own.at(size));
            table.row({each.words, fmt::format("{}", size),
                       fmt::format("{:.0f}", each.model(analytic::NcubeModel{}.at(size))),
                       fmt::format("{:.0f}", predicted), fmt::format("{:.0f}", simulated),
                       fmt::format("{:+.1f}", 100 * (predicted - simulated) / simulated)});
        }
    }
    tables.push_back(
        {"The six times as a predictor of programs that they were not fitted to",
         std::move(table),
         {"error: of the prediction with the lines fitted to the simulation. Exchange and stream overlap E with all",
          "else, as the report observed; what the six times do not know is that handlers of both directions wait",
          "for each other, and that replies queue behind data."}});
}

void plan_discussion(Experiments& experiments)
{
    experiments.plan(kBuffered, request("vertex-timing:trials=50"));
    experiments.plan(kUnbuffered, request("vertex-timing:trials=50", {}, {"unbuffered-messages"}));
}

void add_discussion(Rows& rows, std::vector<Report::Table>& tables, const Experiments& experiments)
{
    rows.section("What the report discusses");
    Row send = published_as_row("ncube.unbuffered.send");
    send.simulated = value(experiments, kUnbuffered, "F_S_us", kLarge);
    rows.add(std::move(send));
    Row receive = published_as_row("ncube.unbuffered.receive");
    receive.simulated =
        value(experiments, kUnbuffered, "A_U_us", kLarge) + value(experiments, kUnbuffered, "R_us", kLarge);
    rows.add(std::move(receive));

    TextTable table({{"size", Align::kRight, "bytes"},
                     {"send F + S", Align::kRight, "% of E"},
                     {"forward A + U + R + F + S", Align::kRight, "% of E"},
                     {"send, unbuffered", Align::kRight, "% of E"},
                     {"forward, unbuffered", Align::kRight, "% of E"}});
    for (const int size : kSizes) {
        const auto part = [&](const char* name, bool forward) {
            double cost = value(experiments, name, "F_S_us", size);
            if (forward) cost += value(experiments, name, "A_U_us", size) + value(experiments, name, "R_us", size);
            return fmt::format("{:.0f}", 100 * cost / value(experiments, name, "E_us", size));
        };
        table.row({fmt::format("{}", size), part(kBuffered, false), part(kBuffered, true), part(kUnbuffered, false),
                   part(kUnbuffered, true)});
    }
    tables.push_back(
        {"Natural prevention of deadlock: what a program pays to send or forward, of the transmission's time",
         std::move(table),
         {"The report says 50 to 100 % to send and more than 100 % to forward. It holds from 500 bytes on; a message "
          "of 16",
          "bytes costs more than its transmission. Without buffers it is lost: programs can send faster than "
          "channels."}});
}

}  // namespace ringmesh::lab::ncube
