// SPDX-License-Identifier: Apache-2.0
#include "analytic/deck.h"

#include <stdexcept>

namespace ringmesh::analytic {
namespace {

void require_positive(double value)
{
    if (!(value > 0)) throw std::domain_error("a bandwidth must be positive");
}

}  // namespace

Cycles clocks_of(const BlockWrite& write)
{
    if (write.burst.count() <= 0) throw std::domain_error("a transaction of no bytes");
    if (write.block.count() % write.burst.count() != 0 || write.burst.count() % write.width.count() != 0) {
        throw std::domain_error("bursts must fill the block, and words the burst");
    }
    const std::int64_t bursts = write.block.count() / write.burst.count();
    const std::int64_t words = write.block.count() / write.width.count();
    return write.first_of_block + write.each_transaction * bursts + write.each_word * words;
}

double write_bandwidth(const BlockWrite& write)
{
    const Duration time = clocks_of(write) * Clock(write.clock);
    require_positive(time.seconds());
    return static_cast<double>(write.block.count()) / time.seconds();
}

double copy_bandwidth(Bytes line, Duration access)
{
    require_positive(access.seconds());
    return static_cast<double>(line.count()) / (2 * access.seconds());
}

double in_series(double one, double other)
{
    require_positive(one);
    require_positive(other);
    return 1 / (1 / one + 1 / other);
}

double crossing_bytes(const TimeLine& steep, const TimeLine& flat)
{
    require_positive(steep.bytes_per_us);
    require_positive(flat.bytes_per_us);
    const double slope = 1 / steep.bytes_per_us - 1 / flat.bytes_per_us;
    const double beyond = (flat.latency_us - steep.latency_us) / slope;
    if (!(slope > 0) || !(beyond > 0)) throw std::domain_error("the lines do not cross above the smallest packet");
    return TimeLine::kSmallest + beyond;
}

double latency_for_crossing(const TimeLine& steep, double flat_bytes_per_us, double bytes)
{
    require_positive(steep.bytes_per_us);
    require_positive(flat_bytes_per_us);
    return steep.latency_us + (bytes - TimeLine::kSmallest) * (1 / steep.bytes_per_us - 1 / flat_bytes_per_us);
}

}  // namespace ringmesh::analytic
