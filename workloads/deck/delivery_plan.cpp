// SPDX-License-Identifier: Apache-2.0
#include "workloads/deck/delivery_plan.h"

#include <algorithm>
#include <cmath>

namespace ringmesh::workloads::deck {
namespace {

std::uint32_t log_uniform(std::uint32_t largest, Random& random)
{
    const double doublings = std::log2(largest + 1.0);
    const auto size = static_cast<std::uint32_t>(std::exp2(random.unit() * doublings)) - 1;
    return std::min(size, largest);
}

}  // namespace

DeliveryPlan::DeliveryPlan(unsigned ranks, std::uint64_t messages, std::uint32_t largest, Random random)
    : sendings_(ranks), sizes_(ranks, std::vector<std::vector<std::uint32_t>>(ranks))
{
    for (std::uint64_t i = 0; i < messages; ++i) {
        const auto from = static_cast<unsigned>(random.below(ranks));
        const auto to = static_cast<unsigned>((from + 1 + random.below(ranks - 1)) % ranks);
        const std::uint32_t size = log_uniform(largest, random);
        sendings_[from].push_back({to, size});
        sizes_[from][to].push_back(size);
    }
}

std::uint64_t DeliveryPlan::expected_by(unsigned rank) const
{
    std::uint64_t sum = 0;
    for (const auto& from : sizes_) sum += from.at(rank).size();
    return sum;
}

}  // namespace ringmesh::workloads::deck
