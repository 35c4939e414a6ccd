// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/sources/arrivals.h"

#include <algorithm>
#include <cmath>

namespace ringmesh::workloads {

ArrivalProcess::ArrivalProcess(Arrivals kind, MeanTime gap, Clock clock, const Bursts& bursts)
    : kind_(kind), gap_(gap), clock_(clock), bursts_(bursts)
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
        case Arrivals::kOnOff: {
            const double gap_on = gap_.ps() * bursts_.on;
            const auto on = MeanTime::picoseconds(gap_on * bursts_.packets);
            const auto off = MeanTime::picoseconds(on.ps() * (1 - bursts_.on) / bursts_.on);
            if (!births.started && random.unit() < bursts_.on) births.off = random.exponential(on);
            // What is left of a time on, or of a gap, is distributed as the whole: both may be drawn anew
            Duration birth = births.last + random.exponential(MeanTime::picoseconds(gap_on));
            while (birth > births.off) {
                const Duration begin = births.off + random.exponential(off);
                births.off = begin + random.exponential(on);
                birth = begin + random.exponential(MeanTime::picoseconds(gap_on));
            }
            births.last = birth;
            break;
        }
    }
    births.started = true;
    return births.last;
}

}  // namespace ringmesh::workloads
