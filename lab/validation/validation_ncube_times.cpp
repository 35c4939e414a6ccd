// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "lab/validation/ncube_parts.h"
#include "tlm/line_fit.h"

/// Tables 1 to 3 of [001].
namespace ringmesh::lab::ncube {
namespace {

constexpr const char* kFloat = "ncube times, float";
constexpr const char* kDistances = "ncube echoes by distance";

constexpr double kTimingTolerance = 3;   // percent
constexpr double kLoadTolerance = 8;     // us, of S; R was measured by itself, as the sums were
constexpr double kAcceptTolerance = 15;  // us, of A
constexpr int kDistanceSize = 500;
constexpr int kTrials = 200;  // the report had five times 100; more make the grain of the timer finer
constexpr int kFarthest = 5;

constexpr std::array<std::string_view, 4> kSums{"R_S", "F_S", "F_E_U", "A_U"};  // E and R are values as well
constexpr std::array<std::string_view, 6> kValues{"E", "R", "S", "F", "U", "A"};

LineFit line_of(const Experiments& experiments, std::string_view quantity)
{
    std::vector<LinePoint> points;
    points.reserve(kSizes.size());
    for (const int size : kSizes)
        points.push_back({static_cast<double>(size), timed(experiments, kInteger, quantity, size)});
    return fit_line(points);
}

LineFit published_line(std::string_view quantity)
{
    std::vector<LinePoint> points;
    points.reserve(kSizes.size());
    for (const int size : kSizes) {
        points.push_back({static_cast<double>(size), published(fmt::format("ncube.{}.{}B", quantity, size))});
    }
    return fit_line(points);
}

void add_sums(Rows& rows, const Experiments& experiments)
{
    rows.section("The sums that were measured, integer arithmetic underneath");
    for (const auto quantity : kSums) {
        for (const int size : kSizes) {
            rows.add(judged(published_as_row(fmt::format("ncube.{}.{}B", quantity, size)), Role::kCalibration,
                            kTimingTolerance, timed(experiments, kInteger, quantity, size)));
        }
    }
}

double tolerance(std::string_view quantity, double published_us)
{
    if (quantity == "S") return percent_of(published_us, kLoadTolerance);
    if (quantity == "A") return percent_of(published_us, kAcceptTolerance);
    return kTimingTolerance;
}

void add_values(Rows& rows, const Experiments& experiments)
{
    rows.section("The six values, by the report's chain of differences");
    for (const auto quantity : kValues) {
        for (const int size : kSizes) {
            Row row = published_as_row(fmt::format("ncube.{}.{}B", quantity, size));
            const double simulated = timed(experiments, kInteger, quantity, size);
            row.analytic = published(fmt::format("ncube.line.{}.base", quantity)) +
                           published(fmt::format("ncube.line.{}.slope", quantity)) * size;
            if (quantity == "A" && (size == 1000 || size == 1500)) {
                row.simulated = simulated;  // for information: see the note
                rows.add(std::move(row));
                continue;
            }
            const double allowed = tolerance(quantity, *row.published);
            rows.add(judged(std::move(row), Role::kCalibration, allowed, simulated));
        }
    }
}

void add_predictions(Rows& rows, const Experiments& experiments)
{
    rows.section("E by distance, and on idle nodes");
    const auto hops = column(experiments.outcome(kDistances), "distance");
    for (int distance = 2; distance <= kFarthest; ++distance) {
        Row row = plain_row(
            fmt::format("ncube.E.distance{}", distance),
            fmt::format("E of {} B by the echoes of distance {} and {}", kDistanceSize, distance, distance - 1), "us");
        row.published = published(fmt::format("ncube.E.{}B", kDistanceSize));
        row.kind = "measured";
        row.source = "[001 Table 1]";
        row.note = "the table has the mean over the distances";
        rows.add(judged(std::move(row), Role::kPrediction, kTimingTolerance,
                        result(experiments.outcome(kDistances), "E_us", "distance", distance)));
    }
    double gain = 0;
    for (const int size : kSizes) {
        gain +=
            (timed(experiments, kInteger, "E", size) - timed(experiments, kInteger, "E_idle", size)) / kSizes.size();
    }
    Row row = published_as_row("ncube.idle_gain");
    row.note += "; processor.longest_instruction (assumed) alone makes it, of which 5 to 18 clocks would pass";
    rows.add(judged_between(std::move(row), Role::kPrediction, 1, 4, gain));
}

Report::Table lines(const Experiments& experiments)
{
    TextTable table({{"", Align::kLeft},
                     {"base", Align::kRight, "us"},
                     {"slope", Align::kRight, "us/byte"},
                     {"largest error", Align::kRight, "us"},
                     {"through Table 1", Align::kLeft},
                     {"Table 3", Align::kLeft}});
    for (const auto quantity : kValues) {
        const auto line = line_of(experiments, quantity);
        const auto through = published_line(quantity);
        table.row({std::string(quantity), fmt::format("{:.1f}", line.intercept), fmt::format("{:.4f}", line.slope),
                   fmt::format("{:.1f}", line.largest_residual),
                   fmt::format("{:.1f} + {:.4f} n", through.intercept, through.slope),
                   fmt::format("{:.0f} + {:.3f} n", published(fmt::format("ncube.line.{}.base", quantity)),
                               published(fmt::format("ncube.line.{}.slope", quantity)))});
    }
    return {
        "Least-squares lines through the simulated values, through Table 1, and as the report printed them",
        std::move(table),
        {"Least squares through the report's own Table 1 give slopes of R and S that are 8 and 13 % above those of its",
         "Table 3, and its A at 1000 and 1500 bytes lies 9 and 23 us below its line of 120 us: errors of four",
         "differences add up in A."}};
}

Report::Table float_values(const Experiments& experiments)
{
    TextTable table({{"size", Align::kRight, "bytes"},
                     {"E", Align::kRight, "us"},
                     {"R", Align::kRight, "us"},
                     {"S", Align::kRight, "us"},
                     {"F", Align::kRight, "us"},
                     {"U", Align::kRight, "us"},
                     {"A", Align::kRight, "us"}});
    for (const int size : kSizes) {
        std::vector<std::string> cells{fmt::format("{}", size)};
        for (const auto quantity : kValues) {
            cells.push_back(fmt::format("{:.0f} ({:.0f})", timed(experiments, kFloat, quantity, size),
                                        published(fmt::format("ncube.float.{}.{}B", quantity, size))));
        }
        table.row(std::move(cells));
    }
    return {"Floating-point arithmetic underneath: simulated, and published (Table 2) in brackets",
            std::move(table),
            {"The model's loops differ only in length, not in their use of the memory port."}};
}

}  // namespace

double timed(const Experiments& experiments, const char* name, std::string_view quantity, int size)
{
    return result(experiments.outcome(name), fmt::format("{}_us", quantity), "size_bytes", size);
}

void plan_lines(Experiments& experiments)
{
    experiments.plan(kInteger, request(fmt::format("vertex-timing:trials={}", kTrials)));
}

void plan_times(Experiments& experiments)
{
    experiments.plan(kFloat, request(fmt::format("vertex-timing:underlying=float,trials={}", kTrials)));
    experiments.plan(kDistances, request(fmt::format("vertex-timing:measure=distances,sizes={}", kDistanceSize)));
}

void add_times(Rows& rows, std::vector<Report::Table>& tables, const Experiments& experiments)
{
    add_sums(rows, experiments);
    add_values(rows, experiments);
    add_predictions(rows, experiments);
    tables.push_back(lines(experiments));
    tables.push_back(float_values(experiments));
}

analytic::NcubeModel fitted(const Experiments& experiments)
{
    const auto line = [&experiments](std::string_view quantity) {
        const auto fit = line_of(experiments, quantity);
        return analytic::NcubeLine{.base = fit.intercept, .slope = fit.slope};
    };
    return {.e = line("E"), .r = line("R"), .s = line("S"), .f = line("F"), .u = line("U"), .a = line("A")};
}

}  // namespace ringmesh::lab::ncube
