// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tlm/units/units.h"

/// Upper bounds on the bandwidth of [002]'s protocols, from bus clocks and memory accesses. In bytes per second, for
/// long messages: latency and load are left out.
namespace ringmesh::analytic {

/// How a host writes a stream buffer's worth of bytes over PCI.
struct BlockWrite {
    Bytes block = 64_B;         ///< of the stream buffer
    Bytes burst = 32_B;         ///< that the host bridge gathers into one transaction
    Bytes width = 4_B;          ///< of the bus
    Cycles each_transaction{};  ///< address phase, wait states and turnaround
    Cycles each_word{1};        ///< of `width`
    Cycles first_of_block{};    ///< wait states while the stream buffer is opened
    Frequency clock = 33_MHz;
};

/// Clocks of one block on the bus. @throws std::domain_error unless bursts fill the block and words the burst
Cycles clocks_of(const BlockWrite& write);
/// The bandwidth of blocks that follow one another. @throws std::domain_error as clocks_of does
double write_bandwidth(const BlockWrite& write);

/// Bandwidth of copying memory line by line, with one read access and one write access per line. @throws
/// std::domain_error if not positive
double copy_bandwidth(Bytes line, Duration access);

/// Bandwidth of two steps in series, each done for every byte. @throws std::domain_error if one is not positive
double in_series(double one, double other);

/// A message's time as a line over its size, from the smallest packet on.
struct TimeLine {
    double latency_us = 0;    ///< of a message of kSmallest bytes
    double bytes_per_us = 1;  ///< of a long one: MB/s

    static constexpr double kSmallest = 64;
};
/// The size in bytes above which `steep`, which starts lower, takes longer than `flat`.
/// @throws std::domain_error if the lines do not cross above the smallest packet
double crossing_bytes(const TimeLine& steep, const TimeLine& flat);
/// The start-up latency that `flat` needs for the lines to cross at this size.
double latency_for_crossing(const TimeLine& steep, double flat_bytes_per_us, double bytes);

}  // namespace ringmesh::analytic
