// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/traffic.h"

#include <fmt/format.h>

#include "tlm/error.h"
#include "workloads/traffic/closed_loop.h"
#include "workloads/traffic/open_loop.h"

namespace ringmesh::workloads {

void Traffic::start_on(SciMachine& machine)
{
    const PatternInfo& info = find_pattern(options_.pattern);
    options_.require_fit(info.loop);
    if (machine.nodes() < 2) {
        throw UserError(
            fmt::format("traffic: needs two nodes, and this machine has {}; take a larger one", machine.nodes()));
    }
    if (options_.inject == Inject::kLink && machine.links_per_node() > 1) {
        throw UserError(
            fmt::format("traffic: inject = link: a source stands on one link controller, and each node of this machine "
                        "has {}; write inject=blink",
                        machine.links_per_node()));
    }
    on_blink_ = options_.inject == Inject::kBLink || machine.links_per_node() > 1;
    auto pattern = make_pattern("traffic", options_.pattern, layout_of(machine), options_.places);
    if (info.loop == Loop::kOpen) {
        engine_ = std::make_unique<OpenLoop>(machine, options_, std::move(pattern));
    } else {
        engine_ = std::make_unique<ClosedLoop>(machine, options_, std::move(pattern));
    }
    engine_->start();
}

Results Traffic::results() const
{
    Results results = engine_->results();
    results.notes.push_back(
        on_blink_ ? "the sources sit on the B-Links: PSB, PCI and hosts are not in this run"
                  : "the sources sit on the link controllers: B-Link, PSB, PCI and hosts are not in this run");
    return results;
}

}  // namespace ringmesh::workloads
