// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/background.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tlm/error.h"
#include "tlm/time/kernel_time.h"
#include "tlm/time/wakeup.h"
#include "tlm/units/quantity.h"
#include "workloads/traffic/measurements/latency_series.h"

namespace ringmesh::workloads {
namespace {

constexpr Duration kLookAtWorkload = 1_us;

/// Of the table of traffic, those that a background adds.
constexpr std::string_view kShownColumns[] = {"offered_load",    "accepted_load",   "accepted_part",
                                              "latency_mean_ns", "latency_ci95_ns", "latency_p50_ns",
                                              "latency_p95_ns",  "latency_p99_ns",  "latency_p999_ns"};

}  // namespace

/// Looks each microsecond whether the workload has finished, and stops the sources then, or after the longest time that
/// traffic may take, so that a program that waits for ever is found.
class Background::EndWatch {
public:
    EndWatch(Simulation& simulation, const Workload& workload, OpenLoop& engine, Duration longest)
        : workload_(workload),
          engine_(engine),
          longest_(longest),
          wakeup_(wakes<&EndWatch::look>(simulation.calendar(), *this))
    {
        wakeup_.at(kLookAtWorkload);
    }

private:
    void look()
    {
        const Duration present = ringmesh::now();
        wakeup_.taken(present);
        if (workload_.finished() || present >= longest_) {
            engine_.stop();
        } else {
            wakeup_.at(present + kLookAtWorkload);
        }
    }

    const Workload& workload_;
    OpenLoop& engine_;
    const Duration longest_;
    Wakeup wakeup_;
};

Background::Background(std::string name) : name_(std::move(name)) {}
Background::~Background() = default;

void Background::refuse(std::string_view option, std::string_view value, std::string_view why) const
{
    throw UserError(fmt::format("{}.{} = {}: {}", name_, option, value, why));
}

void Background::write_out_auto(const UsualTraffic& usual)
{
    const std::string duration = options_.duration;
    options_.write_out_auto(usual);
    options_.duration = duration;
}

void Background::start(Machine& machine, const Workload& workload)
{
    TrafficMachine* const sources = machine.sources();
    if (sources == nullptr) {
        throw UserError("--background: this machine has no packet sources beside its processors; leave it out");
    }
    if (options_.pattern->loop != Loop::kOpen) {
        refuse("pattern", options_.pattern->name, "an operation with an end; write one that sends at a rate: uniform");
    }
    if (options_.packets != 0) {
        refuse("packets", std::to_string(options_.packets), "a background lasts as long as the workload; leave it out");
    }
    if (options_.duration != TrafficOptions::kAuto) {
        refuse("duration", options_.duration, "a background lasts as long as the workload; leave it out");
    }
    if (options_.show != Show::kSummary) {
        throw UserError(fmt::format("{}.show: the rows are those of the workload; leave it out", name_));
    }
    const bool beside_processors = dynamic_cast<ProcessorMachine*>(&machine) != nullptr;
    if (!beside_processors && options_.packet.inject != PacketOptions::kAuto) {
        refuse("inject", options_.packet.inject, "its packets come from the sources of the workload; leave it out");
    }
    const PacketForm packets = options_.resolve(*sources);
    options_.duration = TrafficOptions::kAuto;
    if (!beside_processors) options_.packet.inject = PacketOptions::kAuto;
    auto pattern = make_pattern(name_, options_.pattern, sources->layout(), options_.places);
    engine_ = std::make_unique<OpenLoop>(*sources, options_, packets, std::move(pattern), name_);
    engine_->start(*engine_);
    watch_ = std::make_unique<EndWatch>(machine.simulation(), workload, *engine_,
                                        TrafficOptions::kLongest * sources->clock());
}

void Background::add_to(Results& results) const
{
    const Results own = engine_->results();
    const bool measured = engine_->window_end() > engine_->warm_up();
    const Cell none = std::monostate();
    std::vector<Cell> cells;
    for (const std::string_view shown : kShownColumns) {
        const auto found = std::find_if(own.columns.begin(), own.columns.end(),
                                        [shown](const Column& column) { return column.name == shown; });
        const auto place = static_cast<std::size_t>(found - own.columns.begin());
        results.columns.push_back({fmt::format("{}_{}", name_, shown), found->unit});
        cells.push_back(measured || shown == "offered_load" ? own.rows.front().at(place) : none);
    }
    for (auto& row : results.rows) row.insert(row.end(), cells.begin(), cells.end());
    const auto doubt = [&](std::string_view what, std::string_view why) {
        results.notes.push_back(fmt::format("{}: {}", name_, why));
        if (results.doubt.empty()) results.doubt = fmt::format("{} {}", name_, what);
    };
    results.notes.push_back(
        fmt::format("{}: {} traffic from the start until the workload had finished at {}; its columns count what was "
                    "born after {}, and say of packets what those of traffic say",
                    name_, options_.pattern->name, to_string(engine_->window_end()), to_string(engine_->warm_up())));
    if (!measured) {
        doubt(
            "not warmed up",
            fmt::format("the workload had finished when the network was not yet loaded, which takes {}: repeat it more "
                        "often, or set {}.warm_up to less if packets are under way sooner",
                        to_string(engine_->warm_up()), name_));
    } else if (own.doubt == kSaturated) {
        doubt(kSaturated, "less was accepted than offered: the network is saturated");
    }
}

}  // namespace ringmesh::workloads
