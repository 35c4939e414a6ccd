// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "analytic/sci/components.h"
#include "tlm/units/units.h"

/// The published closed-form latency of one SCI ring without load [000 4.1, 5.4]. Plain arithmetic; a simulation is
/// compared with it, never built from it. Switching latency does not occur here.
///
/// Not modelled, because the papers leave it out: contention, retries, echoes, the time to clock a packet onto a link,
/// several outstanding messages. So there is no formula for the streaming one-way test: its 1.9 us at 1 B are below the
/// overhead of one side at 64 B, so no request latency bounds them.
///
/// Every function throws std::domain_error if an argument is out of the range it states or is no finite number.
namespace ringmesh::analytic {

/// Symbols of an SCI link: 16 bits side by side, one per link clock [000 ch.3, ch.4].
/// Every function throws std::domain_error if an argument is out of the range it states.

/// Time per symbol of a link with this data rate in Gb/s, from 0.001 to 1000: 5 ns at 3.2 Gb/s, 4 ns at 4.0 Gb/s.
/// Rounded to the nearest picosecond.
Duration symbol_time(double gigabits_per_second);

/// Symbols of a request or response with this payload, which is 0, 16, 64 or 128 B: a header of 8 [WIKI, SCINET] and
/// one per two bytes, so that 64 B make the 40 of [000 ch.4]. Idle symbols between packets are not counted.
std::int64_t packet_symbols(Bytes payload);

/// How long `symbols` >= 0 keep a link busy; `time_per_symbol` is above zero.
Duration send_time(std::int64_t symbols, Duration time_per_symbol);

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
