// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/resource_use.h"

#include <algorithm>

namespace ringmesh::workloads {
namespace {

constexpr NameTable<Resource, 3> kNames{
    {{{"link", Resource::kLink}, {"blink", Resource::kBLink}, {"pci", Resource::kPci}}}};

/// What has no booking beyond this time is free from it on.
std::vector<Booked> not_before(Duration time, std::vector<Booked> all)
{
    for (Booked& one : all) one.until = std::max(one.until, time);
    return all;
}

}  // namespace

ResourceUse::ResourceUse(const SciMachine& machine, std::vector<Resource> sorts) : machine_(machine)
{
    for (const Resource sort : sorts) sorts_.push_back({sort, {}, {}});
}

void ResourceUse::begin(Duration time)
{
    from_ = time;
    for (Busy& busy : sorts_) busy.before = not_before(time, machine_.busy(busy.sort));
}

void ResourceUse::end(Duration time)
{
    to_ = time;
    for (Busy& busy : sorts_) busy.after = not_before(time, machine_.busy(busy.sort));
}

std::optional<ResourceUse::Use> ResourceUse::of(Resource sort) const
{
    if (!from_ || !to_ || *from_ >= *to_) return std::nullopt;
    for (const Busy& busy : sorts_) {
        if (busy.sort != sort || busy.after.empty()) continue;
        Use use;
        std::size_t busiest = 0;
        for (std::size_t i = 0; i < busy.after.size(); ++i) {
            const Duration window = busy.after[i].until - busy.before[i].until;
            if (window <= Duration::zero()) continue;  // one booking from before the window to behind it: none is new
            const double part = (busy.after[i].busy - busy.before[i].busy) / window;
            use.mean += part / static_cast<double>(busy.after.size());
            if (part <= use.highest) continue;
            use.highest = part;
            busiest = i;
        }
        use.busiest = machine_.resource_name(sort, busiest);
        return use;
    }
    return std::nullopt;
}

void ResourceUse::add_columns(Results& results) const
{
    for (const Busy& busy : sorts_) {
        const std::string name(kNames.name(busy.sort));
        results.columns.push_back({name + "_use_mean", ""});
        results.columns.push_back({name + "_use_highest", ""});
        results.columns.push_back({"busiest_" + name, ""});
    }
}

void ResourceUse::add_cells(std::vector<Cell>& row) const
{
    for (const Busy& busy : sorts_) {
        const auto use = of(busy.sort);
        row.push_back(use ? Cell(use->mean) : Cell(std::monostate()));
        row.push_back(use ? Cell(use->highest) : Cell(std::monostate()));
        row.push_back(use ? Cell(use->busiest) : Cell(std::monostate()));
    }
}

}  // namespace ringmesh::workloads
