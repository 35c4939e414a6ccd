// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/arrivals.h"

#include <algorithm>
#include <cmath>

namespace ringmesh::workloads {

ArrivalProcess::ArrivalProcess(Arrivals kind, MeanTime gap, Clock clock) : kind_(kind), gap_(gap), clock_(clock)
{
    if (kind == Arrivals::kBernoulli) log_no_birth_ = std::log1p(-std::min(1.0, clock.period_ps() / gap.ps()));
}

Duration ArrivalProcess::next(Births& births, Random& random) const
{
    switch (kind_) {
        case Arrivals::kPoisson: births.last += random.exponential(gap_); break;
        case Arrivals::kPeriodic:
            if (!births.started) {
                const std::uint64_t phase = random.below(static_cast<std::uint64_t>(gap_.ps()));
                births.phase = Duration::picoseconds(static_cast<std::int64_t>(phase));
            }
            // Each from the first one, so that they do not drift
            ++births.edge;
            births.last = births.phase + nanoseconds(static_cast<double>(births.edge) * gap_.ps() / 1e3);
            break;
        case Arrivals::kBernoulli: {
            // Edges without a birth before the next one: geometrically distributed
            const double none = std::log1p(-random.unit()) / log_no_birth_;
            births.edge += 1 + static_cast<std::int64_t>(none);
            births.last = Cycles(births.edge) * clock_;
            break;
        }
    }
    births.started = true;
    return births.last;
}

}  // namespace ringmesh::workloads
