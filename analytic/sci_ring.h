// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tlm/units.h"

/// The published closed-form latency of one SCI ring without load [000 4.1, 5.2, 5.4]. Plain arithmetic; a simulation
/// is compared with it, never built from it.
///
/// A message pays an overhead at either end, one propagation per link it crosses and one forwarding per node it passes.
/// Latencies are nanoseconds in double, because they are results of formulas and fractions of a picosecond are
/// harmless.
///
/// Not modelled, because the papers leave it out: contention, retries, echoes, the time to clock a packet onto a link,
/// several messages under way. So there is no formula for the streaming one-way test: its 1.9 us at 1 B lie below
/// the overhead of one side at 64 B, so that no request latency is a bound for them.
///
/// Every function throws std::domain_error if an argument is out of the range it states or is no finite number.
namespace ringmesh::analytic {

/// The latencies that equations 2 and 3 are made of, none below zero. The overhead belongs to one message size.
struct Components {
    double propagation_ns = 0;  ///< l_p: one link
    double forwarding_ns = 0;   ///< l_f: a node that passes the message on along its ring
    double overhead_ns = 0;     ///< o: host and card at one end, assumed equal at sender and receiver
};

/// A way along one unidirectional ring; the answer comes back over the other nodes - hops links.
struct RingPath {
    int nodes = 0;  ///< at least 2
    int hops = 0;   ///< links from source to destination, from 1 to nodes - 1
};

/// One-way latency of a request. [000 eq. 2]: 2 o + h l_p + (h - 1) l_f
double request_latency(RingPath path, const Components& components);

/// One-way latency of the response on the rest of the ring. [000 eq. 3]: 2 o + (n - h) l_p + (n - h - 1) l_f
double response_latency(RingPath path, const Components& components);

/// Request and response. [000 eq. 1]; on one ring the place of the destination cancels out.
double transaction_latency(RingPath path, const Components& components);

/// What a ping-pong test reports, half of its round trip, when ping and pong both cross `hops` >= 1 links: on a ring of
/// 2 * hops nodes. Echo and response are off the critical path, so it equals a request.
/// [000 eq. 18, 21 to 25]: 2 o + (h - 1) l_f + h l_p
double ping_pong(int hops, const Components& components);

// The published numbers of the Wulfkit testbed.

/// o(m) = 2085 + 11.6 (m - 64) ns at either end [000 Table 1]. For messages of at least 64 B: below, 16-byte packets
/// take over and nothing was published. The plotted sizes end at 512 B; above, the line is an extrapolation.
double published_overhead_ns(Bytes message);

/// l_p = 7 ns, l_f = 60 ns and o(m) [000 Table 1], with the range of published_overhead_ns().
Components published_components(Bytes message);

// How the papers get components out of measurements. Latencies must be above zero. A result below zero is returned as
// it is: it tells that the arguments do not belong to one machine, and a report should be able to show that.

/// A signal at half the speed of light along a cable no shorter than zero [000 5.2]. One metre gives 6.67 ns, which the
/// papers round to 7.
double propagation_ns(Length cable);

/// o = (PP_1 - l_p) / 2, [000 eq. 18] solved for the overhead.
double overhead_from_ping_pong(double one_hop_ns, double propagation_ns);

/// l_f = (PP_4 - PP_1) / 3 - l_p, [000 eq. 19] solved for the forwarding latency.
double forwarding_from_ping_pongs(double one_hop_ns, double four_hops_ns, double propagation_ns);

/// l_s = PP_switching - PP_non_switching - l_p, the approximation [000 eq. 20] solved for the latency of a dimension
/// change. Its tests cross rings of three nodes, where a two-hop ping comes back in one hop: there it reads
/// (l_f + l_p) / 2 too much (docs/sources.md).
double switching_from_ping_pongs(double non_switching_ns, double switching_ns, double propagation_ns);

// A message of at least one byte per latency above zero. The papers' own benchmark prints the first unit for its
// one-way test and the second for its ping-pong [000 app. A]: 4.9 % apart.

/// In units of 10^6 bytes per second.
double megabytes_per_second(Bytes message, double latency_ns);

/// In units of 2^20 bytes per second.
double mebibytes_per_second(Bytes message, double latency_ns);

}  // namespace ringmesh::analytic
