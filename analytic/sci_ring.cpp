// SPDX-License-Identifier: Apache-2.0
#include "analytic/sci_ring.h"

#include <cmath>
#include <stdexcept>

namespace ringmesh::analytic {
namespace {

constexpr double kPropagationNs = 7;
constexpr double kForwardingNs = 60;
constexpr double kOverheadAt64BytesNs = 2085;
constexpr double kOverheadNsPerByte = 11.6;
constexpr Bytes kSmallestPublishedMessage{64};

constexpr double kLightMetresPerNs = 0.2997925;  // the digits that [000 5.2] uses
constexpr double kCableVelocityFactor = 0.5;

/// Written so that a NaN fails too.
void require(bool holds, const char* rule)
{
    if (!holds) throw std::domain_error(rule);
}

void check(const Components& components)
{
    const auto usable = [](double ns) { return std::isfinite(ns) && ns >= 0; };
    require(usable(components.propagation_ns), "the propagation latency must be a number of nanoseconds, 0 or more");
    require(usable(components.forwarding_ns), "the forwarding latency must be a number of nanoseconds, 0 or more");
    require(usable(components.overhead_ns), "the overhead must be a number of nanoseconds, 0 or more");
}

void check(RingPath path)
{
    require(path.nodes >= 2, "a ring has at least 2 nodes");
    require(path.hops >= 1, "a path has at least 1 hop");
    require(path.hops < path.nodes, "a path has fewer hops than its ring has nodes");
}

void check_latency(double ns)
{
    require(std::isfinite(ns) && ns > 0, "a measured latency must be a number of nanoseconds above 0");
}

void check_propagation(double ns)
{
    require(std::isfinite(ns) && ns >= 0, "the propagation latency must be a number of nanoseconds, 0 or more");
}

/// The sum that all one-way equations share: links crossed, and between them nodes passed.
double one_way(int hops, const Components& components)
{
    check(components);
    return 2 * components.overhead_ns + hops * components.propagation_ns + (hops - 1) * components.forwarding_ns;
}

double bytes_per_ns(Bytes message, double latency_ns)
{
    require(message.count() >= 1, "a message has at least 1 byte");
    check_latency(latency_ns);
    return static_cast<double>(message.count()) / latency_ns;
}

}  // namespace

double request_latency(RingPath path, const Components& components)
{
    check(path);
    return one_way(path.hops, components);
}

double response_latency(RingPath path, const Components& components)
{
    check(path);
    return one_way(path.nodes - path.hops, components);
}

double transaction_latency(RingPath path, const Components& components)
{
    return request_latency(path, components) + response_latency(path, components);
}

double ping_pong(int hops, const Components& components)
{
    require(hops >= 1, "a ping-pong has at least 1 hop");
    return one_way(hops, components);
}

double published_overhead_ns(Bytes message)
{
    require(message >= kSmallestPublishedMessage, "the published overhead starts at messages of 64 B");
    const Bytes beyond{message.count() - kSmallestPublishedMessage.count()};
    return kOverheadAt64BytesNs + kOverheadNsPerByte * static_cast<double>(beyond.count());
}

Components published_components(Bytes message)
{
    return {.propagation_ns = kPropagationNs,
            .forwarding_ns = kForwardingNs,
            .overhead_ns = published_overhead_ns(message)};
}

double propagation_ns(Length cable)
{
    require(cable.um() >= 0, "a cable is no shorter than 0 m");
    return cable.metres() / (kCableVelocityFactor * kLightMetresPerNs);
}

double overhead_from_ping_pong(double one_hop_ns, double propagation_ns)
{
    check_latency(one_hop_ns);
    check_propagation(propagation_ns);
    return (one_hop_ns - propagation_ns) / 2;
}

double forwarding_from_ping_pongs(double one_hop_ns, double four_hops_ns, double propagation_ns)
{
    check_latency(one_hop_ns);
    check_latency(four_hops_ns);
    check_propagation(propagation_ns);
    return (four_hops_ns - one_hop_ns) / 3 - propagation_ns;
}

double switching_from_ping_pongs(double non_switching_ns, double switching_ns, double propagation_ns)
{
    check_latency(non_switching_ns);
    check_latency(switching_ns);
    check_propagation(propagation_ns);
    return switching_ns - non_switching_ns - propagation_ns;
}

double megabytes_per_second(Bytes message, double latency_ns) { return bytes_per_ns(message, latency_ns) * 1e3; }

double mebibytes_per_second(Bytes message, double latency_ns)
{
    return bytes_per_ns(message, latency_ns) * 1e9 / (1024.0 * 1024.0);
}

}  // namespace ringmesh::analytic
