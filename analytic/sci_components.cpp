// SPDX-License-Identifier: Apache-2.0
#include "analytic/sci_components.h"

#include "analytic/domain.h"

namespace ringmesh::analytic {
namespace {

constexpr double kPropagationNs = 7;
constexpr double kForwardingNs = 60;
constexpr double kSwitchingNs = 670;
constexpr double kOverheadAt64BytesNs = 2085;
constexpr double kOverheadNsPerByte = 11.6;
constexpr Bytes kSmallestPublishedMessage{64};

constexpr double kRounding = 1e-12;  // averages over tori with rings of two have no forwarding at all

constexpr double kLightMetresPerNs = 0.2997925;  // the digits that [000 5.2] uses
constexpr double kCableVelocityFactor = 0.5;

void check_latency(double ns)
{
    require(is_finite_above(ns, 0), "a measured latency must be a number of nanoseconds above 0");
}

void check_propagation(double ns)
{
    require(is_finite_from(ns, 0), "the propagation latency must be a number of nanoseconds, 0 or more");
}

double bytes_per_ns(Bytes message, double latency_ns)
{
    require(message.count() >= 1, "a message has at least 1 byte");
    check_latency(latency_ns);
    return static_cast<double>(message.count()) / latency_ns;
}

}  // namespace

void check(const Components& components)
{
    check_propagation(components.propagation_ns);
    require(is_finite_from(components.forwarding_ns, 0),
            "the forwarding latency must be a number of nanoseconds, 0 or more");
    require(is_finite_from(components.overhead_ns, 0), "the overhead must be a number of nanoseconds, 0 or more");
    require(is_finite_from(components.switching_ns, 0),
            "the switching latency must be a number of nanoseconds, 0 or more");
}

double one_way_latency(double hops, double switches, const Components& components)
{
    check(components);
    require(is_finite_from(hops, 1), "a path has at least 1 hop");
    require(is_finite_from(switches, 0), "the number of dimension changes must not be negative");
    require(switches <= (hops - 1) * (1 + kRounding) + kRounding,
            "a path changes dimension only at the nodes between its hops");
    return 2 * components.overhead_ns + hops * components.propagation_ns +
           (hops - 1 - switches) * components.forwarding_ns + switches * components.switching_ns;
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
            .overhead_ns = published_overhead_ns(message),
            .switching_ns = kSwitchingNs};
}

Components enhanced_components(Bytes message)
{
    Components components = published_components(message);
    components.switching_ns /= 2;
    return components;
}

double propagation_ns(Length cable)
{
    require(cable.um() >= 0, "the length of a cable must not be negative");
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
