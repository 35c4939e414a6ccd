// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include "lab/validation/ncube_parts.h"

/// Programs that the six times were not fitted to, and what the report discusses.
namespace ringmesh::lab::ncube {
namespace {

constexpr int kLength = 8;
constexpr int kHops = 4;
constexpr int kDimension = 6;

/// How well the six times should predict.
enum class Overlap : std::uint8_t {
    kNone,  ///< no overlap
    kSome,  ///< E overlaps with the rest
};

struct Predicted {
    const char* name;      // in ids of rows
    std::string workload;  // without sizes
    std::string words;
    Overlap overlap;
    std::function<double(const analytic::NcubeTimes&)> model;
    std::function<double(const analytic::NcubeTimes&)> one_by_one;  // without overlap
};

const std::vector<Predicted>& programs()
{
    using analytic::NcubeTimes;
    static const std::vector<Predicted> all{
        {"message",
         fmt::format("stream:messages=1,to={},", (1 << kHops) - 1),
         fmt::format("forwarded over {} hops", kHops),
         Overlap::kNone,
         [](const NcubeTimes& t) { return analytic::ncube_message(t, kHops); },
         {}},
        {"chain",
         fmt::format("chain:length={},", kLength),
         fmt::format("chain of {} programs", kLength),
         Overlap::kNone,
         [](const NcubeTimes& t) { return analytic::ncube_chain(t, kLength); },
         {}},
        {"broadcast",
         "broadcast:",
         "broadcast to 64 nodes",
         Overlap::kNone,
         [](const NcubeTimes& t) { return analytic::ncube_broadcast(t, kDimension); },
         {}},
        {"exchange", "exchange:ranks=2,overlap=true,", "exchange of neighbours", Overlap::kSome,
         [](const NcubeTimes& t) { return analytic::ncube_exchange(t); },
         [](const NcubeTimes& t) { return 2 * analytic::ncube_chain(t, 1); }},
        {"stream", fmt::format("stream:messages={},", kLength), fmt::format("{} messages in a row", kLength),
         Overlap::kSome, [](const NcubeTimes& t) { return analytic::ncube_stream(t, kLength); },
         [](const NcubeTimes& t) { return kLength * analytic::ncube_chain(t, 1); }},
        {"all-to-all",
         "all-to-all:overlap=true,",
         "each of 64 nodes to each",
         Overlap::kSome,
         [](const NcubeTimes& t) { return analytic::ncube_all_to_all(t, kDimension); },
         {}},
    };
    return all;
}

/// No line was fitted to 64 bytes, to 200, where an exchange is predicted worst, nor to the last size, far beyond them.
constexpr std::array kProgramSizes{16, 64, 200, 500, 2000, 4096};

std::string workload(const Predicted& program)
{
    const bool is_broadcast = program.workload == "broadcast:";
    return fmt::format("{}{}={}", program.workload,
                       is_broadcast ? "algorithm=binomial,method=quiet,warm_up=false,repetitions=1,size"
                                    : "quiet=true,repetitions=1,sizes",
                       fmt::join(kProgramSizes, ","));
}

/// The tolerance of predictions without overlap.
constexpr double kSequentialTolerance = 1;

constexpr const char* kUnbuffered = "ncube unbuffered";
constexpr const char* kStream = "ncube stream of 2000 B";
constexpr const char* kUnbufferedStream = "ncube stream of 2000 B, unbuffered";
constexpr int kLarge = 2000;
constexpr int kStreamed = 20;

double time_us(const Experiments& experiments, const std::string& name, int size)
{
    const std::string_view column = name == "ncube broadcast" ? "min_ns" : "time_min_ns";
    return nanoseconds(result(experiments.outcome(name), column, "size_bytes", size)).us();
}

std::string experiment(const Predicted& program) { return fmt::format("ncube {}", program.name); }

/// Processor time of a program to send, to receive, and to forward a message.
double send_cost(const Experiments& experiments, const char* name, int size)
{
    return timed(experiments, name, "F_S", size);
}
double receive_cost(const Experiments& experiments, const char* name, int size)
{
    return timed(experiments, name, "A_U", size) + timed(experiments, name, "R", size);
}
double forward_cost(const Experiments& experiments, const char* name, int size)
{
    return receive_cost(experiments, name, size) + send_cost(experiments, name, size);
}

/// [001 6], for long messages by the report's definition.
constexpr int kFirstLong = 500;

/// A statement about the cost for programs, in percent of E: the number of long sizes for which it holds.
Row natural(const Experiments& experiments, const char* id, std::string quantity,
            double (*cost)(const Experiments&, const char*, int), const std::function<bool(double)>& holds)
{
    std::size_t cases = 0, held = 0;
    std::string note = "simulated:";
    for (const int size : kSizes) {
        if (size < kFirstLong) continue;
        const double percent = 100 * cost(experiments, kInteger, size) / timed(experiments, kInteger, "E", size);
        ++cases;
        if (holds(percent)) ++held;
        note += fmt::format("{} {:.0f} % at {} B", cases > 1 ? "," : "", percent, size);
    }
    Row row = statement(id, std::move(quantity), held, cases);
    row.source = "[001 6]";
    row.note = std::move(note);
    return row;
}

}  // namespace

void plan_programs(Experiments& experiments)
{
    for (const Predicted& each : programs()) {
        experiments.plan(experiment(each), request(workload(each), {"vertex.buffer_memory=256KiB"}));
    }
}

void add_programs(Rows& rows, std::vector<Report::Table>& tables, const Experiments& experiments)
{
    rows.section("Programs that the six times were not fitted to; analytic: predicted with the simulation's own lines");
    const analytic::NcubeModel own = fitted(experiments);
    TextTable table({{"program", Align::kLeft},
                     {"size", Align::kRight, "bytes"},
                     {"one by one", Align::kRight, "us"},
                     {"Table 3", Align::kRight, "us"},
                     {"own lines", Align::kRight, "us"},
                     {"simulated", Align::kRight, "us"},
                     {"error", Align::kRight, "%"}});
    for (const Predicted& each : programs()) {
        for (const int size : kProgramSizes) {
            const double simulated = time_us(experiments, experiment(each), size);
            const double predicted = each.model(own.at(size));
            table.row({each.words, fmt::format("{}", size),
                       each.one_by_one ? fmt::format("{:.0f}", each.one_by_one(own.at(size))) : "",
                       fmt::format("{:.0f}", each.model(analytic::NcubeModel{}.at(size))),
                       fmt::format("{:.0f}", predicted), fmt::format("{:.0f}", simulated),
                       fmt::format("{:+.1f}", 100 * (predicted - simulated) / simulated)});
            if (size != kLarge) continue;
            Row row = plain_row(fmt::format("ncube.program.{}.{}B", each.name, size),
                                fmt::format("{}, {} B", each.words, size), "us");
            row.analytic = predicted;
            if (each.overlap == Overlap::kNone) {
                rows.add(judged(std::move(row), Role::kPrediction, kSequentialTolerance, simulated));
            } else {
                row.simulated = simulated;
                rows.add(std::move(row));
            }
        }
    }
    tables.push_back(
        {"The six times as a predictor of programs that they were not fitted to",
         std::move(table),
         {"error: of the prediction with the lines fitted to the simulation; no line was fitted to 64, 200 or 4096 B.",
          "It holds where one thing happens at a time. Exchange and stream overlap E with all else, as the",
          "report observed (one by one: without that); the six times do not include that handlers of both",
          "directions wait for each other, and that replies queue behind data. All to all is limited by transfers of",
          "large messages and by the processors of those that forward small ones (16 bytes: within 1 %); between the",
          "two neither alone says how long it takes."}});
}

void plan_discussion(Experiments& experiments)
{
    experiments.plan(kUnbuffered, request("vertex-timing:trials=50", {}, {"unbuffered-messages"}));
    const std::string stream = fmt::format("stream:messages={},sizes={},quiet=true,repetitions=1", kStreamed, kLarge);
    experiments.plan(kStream, request(stream));
    experiments.plan(kUnbufferedStream, request(stream, {}, {"unbuffered-messages"}));
}

void add_discussion(Rows& rows, std::vector<Report::Table>& tables, const Experiments& experiments)
{
    rows.section("What the report discusses");
    Row send = published_as_row("ncube.unbuffered.send");
    const double most = *send.published;
    rows.add(judged_between(std::move(send), Role::kPrediction, 0, most, send_cost(experiments, kUnbuffered, kLarge)));
    Row receive = published_as_row("ncube.unbuffered.receive");
    receive.simulated = receive_cost(experiments, kUnbuffered, kLarge);
    rows.add(std::move(receive));
    rows.add(natural(experiments, "ncube.natural.send",
                     fmt::format("sizes from {} B on at which a send costs 50 to 100 % of E", kFirstLong), &send_cost,
                     [](double percent) { return percent >= 50 && percent <= 100; }));
    rows.add(natural(experiments, "ncube.natural.forward",
                     fmt::format("sizes from {} B on at which a program pays more than E to forward", kFirstLong),
                     &forward_cost, [](double percent) { return percent > 100; }));

    TextTable streams({{"20 messages of 2000 bytes in a row", Align::kLeft},
                       {"time", Align::kRight, "us/message"},
                       {"sender's processor", Align::kRight, "us/message"},
                       {"receiver's processor", Align::kRight, "us/message"},
                       {"system buffers held", Align::kRight, "bytes"}});
    for (const bool buffered : {true, false}) {
        const char* times = buffered ? kInteger : kUnbuffered;
        const char* streamed = buffered ? kStream : kUnbufferedStream;
        streams.row({buffered ? "through system buffers" : "unbuffered",
                     fmt::format("{:.0f}", time_us(experiments, streamed, kLarge) / kStreamed),
                     fmt::format("{:.0f}", send_cost(experiments, times, kLarge)),
                     fmt::format("{:.0f}", receive_cost(experiments, times, kLarge)),
                     fmt::format("{}", statistic(experiments.outcome(streamed), "node*.vertex", "buffers_highest"))});
    }
    tables.push_back({"Large messages at the channel's full rate, for a small part of the processors' time",
                      std::move(streams),
                      {"The channel alone takes E(2000) = 2790 us a message. The report expects less than 400 us for",
                       "each of sender and receiver; its own lines give A + U + R = 510 us without the copies."}});

    TextTable table({{"size", Align::kRight, "bytes"},
                     {"send F + S", Align::kRight, "% of E"},
                     {"forward A + U + R + F + S", Align::kRight, "% of E"},
                     {"send, unbuffered", Align::kRight, "% of E"},
                     {"forward, unbuffered", Align::kRight, "% of E"}});
    for (const int size : kSizes) {
        const auto part = [&](const char* name, double (*cost)(const Experiments&, const char*, int)) {
            const double percent = 100 * cost(experiments, name, size) / timed(experiments, name, "E", size);
            return fmt::format("{:.0f}", percent);
        };
        table.row({fmt::format("{}", size), part(kInteger, &send_cost), part(kInteger, &forward_cost),
                   part(kUnbuffered, &send_cost), part(kUnbuffered, &forward_cost)});
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
