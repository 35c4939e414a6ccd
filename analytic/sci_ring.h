// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analytic/sci_components.h"

/// The published closed-form latency of one SCI ring without load [000 4.1, 5.4]. Plain arithmetic; a simulation is
/// compared with it, never built from it. Switching latency does not occur here.
///
/// Not modelled, because the papers leave it out: contention, retries, echoes, the time to clock a packet onto a link,
/// several outstanding messages. So there is no formula for the streaming one-way test: its 1.9 us at 1 B are below the
/// overhead of one side at 64 B, so no request latency bounds them.
///
/// Every function throws std::domain_error if an argument is out of the range it states or is no finite number.
namespace ringmesh::analytic {

/// A path along one unidirectional ring; the response comes back over the other nodes - hops links.
struct RingPath {
    int nodes = 0;  ///< at least 2
    int hops = 0;   ///< links from source to destination, from 1 to nodes - 1
};

/// One-way latency of a request. [000 eq. 2]: 2 o + h l_p + (h - 1) l_f
double request_latency(RingPath path, const Components& components);

/// One-way latency of the response on the rest of the ring. [000 eq. 3]: 2 o + (n - h) l_p + (n - h - 1) l_f
double response_latency(RingPath path, const Components& components);

/// Request and response. [000 eq. 1]; on one ring the position of the destination cancels out.
double transaction_latency(RingPath path, const Components& components);

/// What a ping-pong test reports, half of its round trip, when ping and pong both cross `hops` >= 1 links: on a ring of
/// 2 * hops nodes. Echo and response are off the critical path, so it equals a request.
/// [000 eq. 18, 21 to 25]: 2 o + (h - 1) l_f + h l_p
double ping_pong(int hops, const Components& components);

}  // namespace ringmesh::analytic
