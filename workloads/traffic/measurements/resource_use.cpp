// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/measurements/resource_use.h"

#include <algorithm>

namespace ringmesh::workloads {
namespace {

/// Resources without bookings beyond this time are free from it on.
std::vector<SharedResources> not_before(Duration time, std::vector<SharedResources> sorts)
{
    for (SharedResources& sort : sorts) {
        for (Booked& one : sort.busy) one.until = std::max(one.until, time);
    }
    return sorts;
}

}  // namespace

void ResourceUse::begin(Duration time)
{
    from_ = time;
    before_ = not_before(time, machine_.shared());
}

void ResourceUse::end(Duration time)
{
    to_ = time;
    after_ = not_before(time, machine_.shared());
}

void ResourceUse::add_up(Totals& totals)
{
    for (auto* const sorts : {&before_, &after_}) {
        for (SharedResources& sort : *sorts) {
            for (Booked& one : sort.busy) {
                totals.sum(one.busy);
                totals.highest(one.until);
            }
        }
    }
}

std::optional<ResourceUse::Use> ResourceUse::of(std::size_t sort) const
{
    if (!from_ || !to_ || *from_ >= *to_) return std::nullopt;
    const std::vector<Booked>& before = before_.at(sort).busy;
    const std::vector<Booked>& after = after_.at(sort).busy;
    if (after.empty()) return std::nullopt;
    Use use;
    std::size_t busiest = 0;
    for (std::size_t i = 0; i < after.size(); ++i) {
        const Duration window = after[i].until - before[i].until;
        if (window <= Duration::zero()) continue;  // one booking covers the window: no new one
        const double part = (after[i].busy - before[i].busy) / window;
        use.mean += part / static_cast<double>(after.size());
        if (part <= use.highest) continue;
        use.highest = part;
        busiest = i;
    }
    use.busiest = machine_.shared_name(sort, busiest);
    return use;
}

void ResourceUse::add_columns(Results& results) const
{
    for (const SharedResources& shared : machine_.shared()) {
        const std::string name(shared.sort);
        results.columns.push_back({name + "_use_mean", ""});
        results.columns.push_back({name + "_use_highest", ""});
        results.columns.push_back({"busiest_" + name, ""});
    }
}

void ResourceUse::add_cells(std::vector<Cell>& row) const
{
    const std::size_t sorts = machine_.shared().size();
    for (std::size_t sort = 0; sort < sorts; ++sort) {
        const auto use = of(sort);
        if (use) {
            row.insert(row.end(), {use->mean, use->highest, use->busiest});
        } else {
            row.insert(row.end(), 3, std::monostate());
        }
    }
}

}  // namespace ringmesh::workloads
