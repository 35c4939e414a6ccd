// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tlm/units/units.h"

/// The components that the published latency equations are made of, and how the papers get them from measurements
/// [000 ch.4, 5.2, 5.3].
///
/// A message pays an overhead at either end, one propagation per link it crosses, one forwarding per node it passes and
/// one switching per change of ring. Latencies are nanoseconds in double, because they are results of formulas and
/// fractions of a picosecond are harmless.
///
/// Every function throws std::domain_error if an argument is out of the range it states or is no finite number.
namespace ringmesh::analytic {

/// None below zero. The overhead belongs to one message size.
struct Components {
    double propagation_ns = 0;  ///< l_p: one link
    double forwarding_ns = 0;   ///< l_f: a node that passes the message on along its ring
    double overhead_ns = 0;     ///< o: host and card at one end, assumed equal at sender and receiver
    double switching_ns = 0;    ///< l_s: a node that passes the message on from one ring to another
};

/// @throws std::domain_error unless every component is finite and 0 or more
void check(const Components& components);

/// The sum that the equations for one direction share: 2 o + h l_p + (h - 1 - s) l_f + s l_s for h >= 1 links and s >=
/// 0 dimension changes, s <= h - 1. Linear, so averages over destinations may be given too.
double one_way_latency(double hops, double switches, const Components& components);

// The published numbers of the Wulfkit testbed.

/// o(m) = 2085 + 11.6 (m - 64) ns at either end [000 Table 1]. For messages of at least 64 B: smaller ones use 16-byte
/// packets, for which nothing was published. The plotted sizes end at 512 B; above, the line is an extrapolation.
double published_overhead_ns(Bytes message);

/// l_p = 7 ns, l_f = 60 ns, l_s = 670 ns and o(m) [000 Table 1], with the range of published_overhead_ns().
Components published_components(Bytes message);

/// The same with half the switching latency: the enhanced system of [000 6.2].
Components enhanced_components(Bytes message);

// How the papers get components out of measurements. Latencies must be above zero. A result below zero is returned
// unchanged: it shows that the arguments do not belong to one machine.

/// A signal at half the speed of light along a cable no shorter than zero [000 5.2]. One metre gives 6.67 ns, which the
/// papers round to 7.
double propagation_ns(Length cable);

/// o = (PP_1 - l_p) / 2, [000 eq. 18] solved for the overhead.
double overhead_from_ping_pong(double one_hop_ns, double propagation_ns);

/// l_f = (PP_4 - PP_1) / 3 - l_p, [000 eq. 19] solved for the forwarding latency.
double forwarding_from_ping_pongs(double one_hop_ns, double four_hops_ns, double propagation_ns);

/// l_s = PP_switching - PP_non_switching - l_p, the approximation [000 eq. 20] solved for the latency of a dimension
/// change. Its tests cross rings of three nodes, where a two-hop ping comes back in one hop: there the result is (l_f +
/// l_p) / 2 too high (docs/reference/evidence/sources.md).
double switching_from_ping_pongs(double non_switching_ns, double switching_ns, double propagation_ns);

// A message of at least one byte per latency above zero. The papers' own benchmark prints the first unit for its
// one-way test and the second for its ping-pong [000 app. A]: 4.9 % apart.

/// In units of 10^6 bytes per second.
double megabytes_per_second(Bytes message, double latency_ns);

/// In units of 2^20 bytes per second.
double mebibytes_per_second(Bytes message, double latency_ns);

/// The switching latency as a sum over the stages of two LC-2 and the B-Link between them, for what-ifs that change one
/// stage. Plain arithmetic without load; docs/reference/evidence/analytic.md derives the bounds of cut-through.
///
/// Every function throws std::domain_error if an argument is out of the range it states or is no finite number.

/// The cycles of one packet on the B-Link, each number 0 or more.
struct BLinkTiming {
    double cycle_ns = 20;  ///< 0: infinitely fast
    double arbitration_cycles = 1;
    double header_cycles = 2;
    double trailer_cycles = 1;
    Bytes bytes_per_cycle{8};  ///< at least 1

    /// Cycles that carry `payload`, 0 B or more.
    double data_cycles(Bytes payload) const;
    /// Arbitration, header, data and trailer of one packet.
    double transfer_ns(Bytes payload) const;
};

/// Stage durations of one dimension change, none below zero; by default those of the Wulfkit card [SCINET, 000 ch.4].
struct SwitchStages {
    double decode_ns = 20;
    double symbol_ns = 5;
    Bytes payload{64};  ///< 0, 16, 64 or 128 B
    double in_fifo_ns = 106;
    BLinkTiming blink;
    double out_fifo_ns = 82;
};

enum class SwitchMode {
    kStoreAndForward,      ///< the whole packet is buffered on either side of the B-Link, as in the LC-2
    kCutThroughOnReceive,  ///< the B-Link starts when the head has come through the input FIFO
    kFullCutThrough,       ///< also, the head leaves once the header has crossed the B-Link and the output FIFO
};

/// l_s: from the head on the incoming link to the head on the outgoing one. With cut-through neither the B-Link nor the
/// outgoing link underruns within a packet: one that is faster than its supply starts later by the difference.
double switching_latency(const SwitchStages& stages, SwitchMode mode);

}  // namespace ringmesh::analytic
