// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/arrivals.h"

#include <cmath>

namespace ringmesh::workloads {

ArrivalProcess::ArrivalProcess(Arrivals kind, Duration gap, Clock clock) : kind_(kind), gap_(gap), clock_(clock)
{
    if (kind == Arrivals::kBernoulli) log_no_birth_ = std::log1p(-(Cycles(1) * clock / gap));
}

Duration ArrivalProcess::next(Births& births, Random& random) const
{
    const bool first = !births.started;
    births.started = true;
    switch (kind_) {
        case Arrivals::kPoisson: births.last += random.exponential(gap_); break;
        case Arrivals::kPeriodic:
            births.last = first ? Duration::picoseconds(
                                      static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(gap_.ps()))))
                                : births.last + gap_;
            break;
        case Arrivals::kBernoulli: {
            // Edges without a birth before the next one: geometrically distributed
            const double none = std::log1p(-random.unit()) / log_no_birth_;
            births.edge += 1 + static_cast<std::int64_t>(none);
            births.last = Cycles(births.edge) * clock_;
            break;
        }
    }
    return births.last;
}

}  // namespace ringmesh::workloads
