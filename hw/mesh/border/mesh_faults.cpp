// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/border/mesh_faults.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tlm/mesh/journey.h"

namespace ringmesh::hw {
namespace {

constexpr auto kDown = static_cast<std::size_t>(MeshLinkFault::kDown);
constexpr auto kHalfWidth = static_cast<std::size_t>(MeshLinkFault::kHalfWidth);
constexpr auto kCorrupt = static_cast<std::size_t>(MeshLinkFault::kCorrupt);
constexpr std::size_t kStop = 0;

}  // namespace

std::unique_ptr<MeshFaults> MeshFaults::of(const std::string& mesh, const MeshGrid& grid,
                                           const std::function<bool(OutputIndex)>& leads, FaultPlan& plan,
                                           const MeshRecoveryParams& params, const MeshClock& clock)
{
    if (plan.empty()) return nullptr;
    std::unique_ptr<MeshFaults> all(new MeshFaults(params, clock, grid.outputs()));
    bool any = false;
    for (const RouterIndex number : grid.here()) {
        const auto begins = [&](const BlockFaults& faults, std::size_t word, OutputIndex output) {
            faults.for_each_begin(word, [&](Duration at) { all->begins_.push_back({at, output}); });
        };
        auto router = plan.of(fmt::format("{}.{}", mesh, grid.router_name(number)), kRouterFaults);
        for (std::size_t port = 0; port < mesh::kPorts; ++port) {
            const OutputIndex output(number, static_cast<unsigned>(port));
            if (!leads(output)) continue;
            Link& link = all->links_[output];
            link.own = plan.of(fmt::format("{}.{}", mesh, grid.output_name(output)), kMeshLinkFaults);
            link.router = router.get();
            any |= all->has(output);
            if (link.own != nullptr) begins(*link.own, kDown, output);
            if (link.router != nullptr) begins(*link.router, kStop, output);
        }
        if (router != nullptr) all->routers_.push_back(std::move(router));
    }
    if (!any) return nullptr;
    for (OutputIndex output; output.number < grid.outputs(); ++output.number) {
        all->end_asking(output, Duration::zero());
    }
    std::stable_sort(all->begins_.begin(), all->begins_.end(),
                     [](const Begin& a, const Begin& b) { return a.at < b.at; });
    return all;
}

std::string MeshFaults::waits_text(const MeshGrid& grid, std::span<const Waiting> all)
{
    std::string text;
    std::vector<OutputIndex> links;  // that routes could do without
    for (const auto& [output, packets, first] : all) {
        if (packets == 0) continue;
        const std::string who = packets == 1 ? "" : fmt::format("{} packets, the first of them ", packets);
        text += fmt::format("{}{}{} {} to {}{} for {}, which takes no flits", text.empty() ? "" : ", ", who,
                            mesh::word(first.kind), first.id, mesh::port_name(first.to),
                            packets == 1 ? " waits" : ", wait", grid.output_name(output));
        if (grid.neighbour(output) != MeshGrid::kNone && !grid.is_graph()) links.push_back(output);
    }
    if (links.empty()) return text;
    // A fault leaves routes as they are: they were made before it
    const RouterIndex router = links.front().router();
    const bool whole_router = links.size() > 1 && std::all_of(links.begin(), links.end(), [router](OutputIndex link) {
                                  return link.router() == router;
                              });
    std::vector<std::string> names;
    for (const OutputIndex link : links) names.push_back(grid.output_name(link));
    return text + fmt::format(
                      " (routes were made before the fault; for some that do without write {} "
                      "mesh.routes_by=\"up-down\")",
                      whole_router ? fmt::format("mesh.holes=\"{}\"", grid.router_name(router))
                                   : fmt::format("mesh.cut_links=\"{}\"", fmt::join(names, " ")));
}

void MeshFaults::begin_asking(OutputIndex output)
{
    for_each_beside(output,
                    [this](OutputIndex each) { calm_.take(each, links_[each].own.get(), links_[each].router); });
}

void MeshFaults::end_asking(OutputIndex output, Duration at)
{
    for_each_beside(output, [this, at](OutputIndex each) {
        const Link& link = links_[each];
        FaultCalm calm = link.given_up ? FaultCalm::none() : FaultCalm{};
        if (link.own != nullptr) calm = calm.and_of(link.own->calm(at));
        if (link.router != nullptr) {
            // Its outputs share what is left
            FaultCalm of_router = link.router->calm(at);
            if (of_router.packets > 0) of_router.packets /= std::int64_t{mesh::kPorts};
            if (of_router.symbols > 0) of_router.symbols /= std::int64_t{mesh::kPorts};
            calm = calm.and_of(of_router);
        }
        calm_.set(each, calm, clock_);
    });
}

Duration MeshFaults::down_until(OutputIndex output, Duration at) const
{
    const Link& link = links_[output];
    if (link.given_up) return Duration::never();
    Duration end;
    if (link.own != nullptr) end = link.own->until(kDown, at);
    if (link.router != nullptr) end = std::max(end, link.router->until(kStop, at));
    return end;
}

Duration MeshFaults::meets_down(OutputIndex output, Duration at, FaultVictim victim)
{
    const Link& link = links_[output];
    if (link.own != nullptr) link.own->meets(kDown, at, victim);
    if (link.router != nullptr) link.router->meets(kStop, at, victim);
    return down_until(output, at);
}

void MeshFaults::tell_down(OutputIndex output, Duration at, FaultVictim victim)
{
    const Link& link = links_[output];
    if (link.given_up) link.own->tell(kCorrupt, at, victim);
    if (link.own != nullptr && link.own->until(kDown, at) != Duration::zero()) link.own->tell(kDown, at, victim);
    if (link.router != nullptr && link.router->until(kStop, at) != Duration::zero()) {
        link.router->tell(kStop, at, victim);
    }
}

std::int64_t MeshFaults::crosses(OutputIndex output, std::uint32_t flits, Duration at, Duration retry,
                                 FaultVictim victim)
{
    Link& link = links_[output];
    if (link.router != nullptr && link.router->until(kStop, at) == Duration::zero()) {
        link.router->strike(kStop, at, flits, victim);
    }
    if (link.own == nullptr) return 0;
    if (link.own->until(kDown, at) == Duration::zero()) link.own->strike(kDown, at, flits, victim);
    link.own->strike(kHalfWidth, at, flits, victim);
    std::int64_t again = 0;
    while (link.own->strike(kCorrupt, at, flits, victim)) {
        ++again;
        at += retry;
        if (again < params_.tries) continue;
        link.given_up = true;
        ++given_up_;
        break;
    }
    for (std::int64_t i = 0; i < again; ++i) ++sent_again_;
    return again;
}

void MeshFaults::statistics(StatisticsVisitor& visitor) const
{
    std::uint64_t struck = 0;
    for (const Link& link : links_) {
        if (link.own != nullptr) struck += link.own->struck().count();
    }
    for (const auto& router : routers_) struck += router->struck().count();
    visitor.value("faults", static_cast<double>(struck), "times", "that a fault of a router or link struck");
    visitor.counter("sent_again", sent_again_, "packets", "over a link, since a flit of them had arrived corrupted");
    visitor.counter("given_up", given_up_, "links", "after the last try; they are down from then on");
}

}  // namespace ringmesh::hw
