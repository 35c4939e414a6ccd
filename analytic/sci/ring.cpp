// SPDX-License-Identifier: Apache-2.0
#include "analytic/sci/ring.h"

#include <stdexcept>

#include "analytic/domain.h"

namespace ringmesh::analytic {
namespace {

constexpr std::int64_t kBytesPerSymbol = 2;
constexpr double kBitsPerSymbol = 16;
constexpr std::int64_t kHeaderSymbols = 8;
constexpr double kSlowestLink = 0.001;  // Gb/s; the result stays far inside a Duration
constexpr double kFastestLink = 1000;

}  // namespace

Duration symbol_time(double gigabits_per_second)
{
    const bool usable = gigabits_per_second >= kSlowestLink && gigabits_per_second <= kFastestLink;  // not so if NaN
    if (!usable) throw std::domain_error("a link rate must be from 0.001 to 1000 Gb/s");
    return nanoseconds(kBitsPerSymbol / gigabits_per_second);
}

std::int64_t packet_symbols(Bytes payload)
{
    if (payload != 0_B && payload != 16_B && payload != 64_B && payload != 128_B) {
        throw std::domain_error("an SCI packet carries 0, 16, 64 or 128 B");
    }
    return kHeaderSymbols + payload.count() / kBytesPerSymbol;
}

Duration send_time(std::int64_t symbols, Duration time_per_symbol)
{
    if (symbols < 0) throw std::domain_error("the number of symbols must not be negative");
    if (time_per_symbol <= Duration::zero()) throw std::domain_error("a symbol takes more than 0 ps");
    return symbols * time_per_symbol;
}

namespace {

void check(RingPath path)
{
    require(path.nodes >= 2, "a ring has at least 2 nodes");
    require(path.hops >= 1, "a path has at least 1 hop");
    require(path.hops < path.nodes, "a path has fewer hops than its ring has nodes");
}

}  // namespace

double request_latency(RingPath path, const Components& components)
{
    check(path);
    return one_way_latency(path.hops, 0, components);
}

double response_latency(RingPath path, const Components& components)
{
    check(path);
    return one_way_latency(path.nodes - path.hops, 0, components);
}

double transaction_latency(RingPath path, const Components& components)
{
    return request_latency(path, components) + response_latency(path, components);
}

double ping_pong(int hops, const Components& components)
{
    require(hops >= 1, "a ping-pong has at least 1 hop");
    return one_way_latency(hops, 0, components);
}

}  // namespace ringmesh::analytic
