// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tlm/machine/traffic_machine.h"
#include "tlm/simulation/random.h"
#include "tlm/units/units.h"

namespace ringmesh::workloads {

/// The births at one source so far.
struct Births {
    Duration last;
    std::int64_t edge = -1;  ///< of the last one, if they are kBernoulli; its number, if they are kPeriodic
    Duration phase;          ///< of the first one, if they are kPeriodic
    bool started = false;
    Duration off;  ///< end of the burst, if they are kOnOff
};

/// Of kOnOff: times on and off are exponentially distributed.
struct Bursts {
    double packets = 8;  ///< in a time on, on average
    double on = 0.25;    ///< part of the time: 1 / on is the rate in a burst by the mean rate
};

/// The creation times of packets. Takes no work for times without packets.
class ArrivalProcess {
public:
    /// @param gap mean time between the packets of a source
    /// @param clock for kBernoulli only: its edge 0 is at time 0, and `gap` is at least its period
    ArrivalProcess(Arrivals kind, MeanTime gap, Clock clock = Clock(1_MHz), const Bursts& bursts = {});

    /// The next birth of a source after its last one.
    Duration next(Births& births, Random& random) const;

private:
    Arrivals kind_;
    MeanTime gap_;
    Clock clock_;
    Bursts bursts_;
    double log_no_birth_ = 0;  // logarithm of the probability of no birth at an edge
};

}  // namespace ringmesh::workloads
