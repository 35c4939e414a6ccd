// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/traffic.h"

#include <fmt/format.h>

#include <string>

#include "tlm/error.h"
#include "tlm/units/quantity.h"
#include "workloads/traffic/kinds/closed_loop.h"
#include "workloads/traffic/kinds/open_loop.h"

namespace ringmesh::workloads {

void Traffic::start_on(TrafficMachine& machine)
{
    machine_ = &machine;
    if (machine.nodes() < 2) {
        throw UserError(
            fmt::format("traffic: needs two nodes, and this machine has {}; take a larger one", machine.nodes()));
    }
    const PacketForm packets = options_.resolve(machine);
    auto pattern = make_pattern("traffic", options_.pattern, machine.layout(), options_.places);
    if (options_.pattern->loop == Loop::kOpen) {
        options_.duration = to_string(options_.duration_value(machine.clock()));
        auto open = std::make_unique<OpenLoop>(machine, options_, packets, std::move(pattern));
        options_.warm_up = to_string(open->warm_up());
        engine_ = std::move(open);
    } else {
        engine_ = std::make_unique<ClosedLoop>(machine, options_, packets, std::move(pattern));
    }
    engine_->start(recorder_.before(*engine_, machine));
}

std::string Traffic::undivided() const
{
    if (options_.pattern->loop != Loop::kOpen) return "in this pattern sources wait for each other";
    if (options_.packets > 0) return "with a number of packets, one source ends the window of all; write a duration";
    if (options_.show == Show::kPairs) return "show = pairs: the order of deliveries decides which pairs have a row";
    return {};
}

Results Traffic::results() const
{
    Results results = engine_->results();
    for (const std::string& note : machine_->traffic_notes()) results.notes.push_back(note);
    return results;
}

}  // namespace ringmesh::workloads
