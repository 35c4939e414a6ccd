// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analytic/sci_load.h"
#include "lab/validation/wulfkit_parts.h"

/// Left out by the papers: rings with many senders, against the closed form of docs/analytic.md, and the throughput
/// limit of a torus. Sources are attached to the link controllers of the rings and to the B-Links of the torus:
/// software would saturate neither.
namespace ringmesh::lab::wulfkit {
namespace {

/// The expected accuracy of a formula for the mean of a random process below saturation.
constexpr double kLoadTolerance = 10;

constexpr std::array kNodes{8, 32};
constexpr std::array kPercents{20, 40, 60, 80};  ///< of the load at which the formula's ring saturates
/// More than any ring accepts.
constexpr double kFlood = 1.3;
/// If less than this part is delivered in the window, the queues at the sources grow throughout the run.
constexpr double kStationaryPart = 0.98;

enum class FlowControl : std::uint8_t { kOff, kGoBits };
constexpr std::array kFlowControls{std::pair{FlowControl::kOff, "off"}, std::pair{FlowControl::kGoBits, "go-bits"}};

constexpr const char* kTorus = "wulfkit torus of 4x4, flooded";
constexpr std::array<double, 2> kTorusSizes{4, 4};

/// PCI clocks of 33 MHz for 64 bytes: on the sender's bus sixteen stores of three clocks, on the receiver's one burst:
/// arbitration 2, address 1, data 16, turnaround 1.
constexpr double kPciClock = 1000.0 / 33;
constexpr analytic::PciTimes kPci{.sending_ns = 16 * 3 * kPciClock, .receiving_ns = 20 * kPciClock};

std::string name_of(int nodes, std::string_view flow_control, double load)
{
    return fmt::format("wulfkit ring of {} at load {}, flow control {}", nodes, load, flow_control);
}

/// Rounded to four digits, for the workload's option.
double load_of(int nodes, int percent)
{
    constexpr double kDigits = 1e4;
    return std::round(percent / 100.0 * analytic::saturation_load({.nodes = nodes}) * kDigits) / kDigits;
}

/// Larger rings have more packets to average over; at high loads these are correlated for longer.
int window_ms(int nodes, int percent) { return (percent >= 80 ? 160 : 80) / nodes; }

ExperimentRequest on_ring(int nodes, const char* flow_control, double load, int window)
{
    return request(fmt::format("traffic:command=write64,inject=link,load={},warm_up=500us,duration={}ms", load, window),
                   {fmt::format("topology.dimensions={}", nodes), fmt::format("link.flow_control={}", flow_control)});
}

double only(const Outcome& outcome, std::string_view name) { return column(outcome, name).at(0); }

Row latency_row(const Experiments& experiments, int nodes, int percent, FlowControl flow_control, const char* word)
{
    const double load = load_of(nodes, percent);
    const Outcome& outcome = experiments.outcome(name_of(nodes, word, load));
    Row row = plain_row(
        fmt::format("wulfkit.load.{}.{}_percent.{}", nodes, percent, flow_control == FlowControl::kOff ? "off" : "on"),
        fmt::format("latency of a request; ring of {}, load {} ({} % of saturation), flow control {}", nodes, load,
                    percent, word),
        "ns");
    row.analytic = analytic::loaded_latency({.nodes = nodes, .load = load}).value().mean_ns;
    row.simulated = only(outcome, "latency_mean_ns");
    row.source = "[SCINET]";
    row.note = fmt::format("ci95 {:.0f} ns", only(outcome, "latency_ci95_ns"));
    if (flow_control == FlowControl::kOff) {
        row.role = Role::kPrediction;
        row.tolerance_percent = kLoadTolerance;
        return row;
    }
    row.note += "; the closed form knows no flow control";
    if (only(outcome, "accepted_part") < kStationaryPart) {
        row.note += fmt::format("; saturated: accepts {:.2f}, and the latency grows with the window",
                                only(outcome, "accepted_load"));
    }
    return row;
}

void add_saturation(Rows& rows, const Experiments& experiments, int nodes, FlowControl flow_control, const char* word)
{
    Row row = plain_row(
        fmt::format("wulfkit.load.{}.saturation.{}", nodes, flow_control == FlowControl::kOff ? "off" : "on"),
        fmt::format("load accepted when {} is offered; ring of {}, flow control {}", kFlood, nodes, word), "");
    row.analytic = analytic::saturation_load({.nodes = nodes});
    row.simulated = only(experiments.outcome(name_of(nodes, word, kFlood)), "accepted_load");
    row.source = "[SCINET]";
    if (flow_control == FlowControl::kOff) {
        row.role = Role::kPrediction;
        row.tolerance_percent = kLoadTolerance;
    } else {
        row.note = "the closed form knows no flow control, whose fairness costs throughput";
    }
    rows.add(std::move(row));
}

std::string_view text_of(analytic::Resource resource)
{
    switch (resource) {
        case analytic::Resource::kLink: return "link";
        case analytic::Resource::kBLink: return "B-Link";
        case analytic::Resource::kPci: break;
    }
    return "PCI";
}

void add_torus(Rows& rows, const Experiments& experiments)
{
    const analytic::NodeLimits limits = analytic::node_limits(kTorusSizes, {}, {}, {}, kPci);
    const Outcome& outcome = experiments.outcome(kTorus);
    const double accepted = only(outcome, "accepted_mb_per_s");
    rows.section("A torus of 4x4 under more uniform writes than it can carry: which resource binds");
    const auto add = [&rows](const char* id, std::string quantity, const char* unit, double formula,
                             std::optional<double> simulated, std::string note) {
        Row row = plain_row(fmt::format("wulfkit.torus_4x4.{}", id), std::move(quantity), unit);
        row.analytic = formula;
        row.simulated = simulated;
        row.source = "[SCINET]";
        row.note = std::move(note);
        rows.add(std::move(row));
    };
    const double without_pci = std::min(limits.link, limits.blink);
    add("accepted", "payload accepted per node; sources on the B-Links", "MB/s", without_pci, accepted,
        fmt::format("calculated: the lower of the two limits below, {}; an upper bound, from which queues, retries and "
                    "go bits take more off",
                    limits.link < limits.blink ? "the links'" : "the B-Links'"));
    const auto use = [&](const char* sort) {
        return fmt::format(
            "calculated: the limit of this resource alone; simulated: accepted over its mean use, {:.3f}",
            only(outcome, fmt::format("{}_use_mean", sort)));
    };
    const auto whole = [&](const char* sort) { return accepted / only(outcome, fmt::format("{}_use_mean", sort)); };
    add("limit.link", "payload per node if links alone were limited", "MB/s", limits.link, whole("link"),
        use("link") + "; retries use links, too");
    add("limit.blink", "payload per node if B-Links alone were limited", "MB/s", limits.blink, whole("blink"),
        use("blink"));
    add("limit.pci", "payload per node if PCI buses alone were limited", "MB/s", limits.pci, std::nullopt,
        fmt::format(
            "single stores of 3 clocks; of the whole machine {} binds, so that software does not reach the other two",
            text_of(limits.binding())));
}

}  // namespace

void plan_load(Experiments& experiments)
{
    for (const auto& [flow_control, word] : kFlowControls) {
        for (const int nodes : kNodes) {
            for (const int percent : kPercents) {
                const double load = load_of(nodes, percent);
                experiments.plan(name_of(nodes, word, load), on_ring(nodes, word, load, window_ms(nodes, percent)));
            }
            experiments.plan(name_of(nodes, word, kFlood), on_ring(nodes, word, kFlood, 2));
        }
    }
    ExperimentRequest flooded =
        request(fmt::format("traffic:command=write64,inject=blink,load={},warm_up=500us,duration=1ms", kFlood),
                {"topology.dimensions=[4, 4]"});
    flooded.platform = "wulfkit-torus-2d";
    experiments.plan(kTorus, std::move(flooded));
}

void add_load(Rows& rows, const Experiments& experiments)
{
    rows.section("Rings under load: uniform writes of 64 bytes from sources on the link controllers");
    for (const auto& [flow_control, word] : kFlowControls) {
        for (const int nodes : kNodes) {
            for (const int percent : kPercents) {
                rows.add(latency_row(experiments, nodes, percent, flow_control, word));
            }
        }
    }
    for (const auto& [flow_control, word] : kFlowControls) {
        for (const int nodes : kNodes) add_saturation(rows, experiments, nodes, flow_control, word);
    }
    add_torus(rows, experiments);
}

}  // namespace ringmesh::lab::wulfkit
