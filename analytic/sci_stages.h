// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tlm/units.h"

/// The switching latency as a sum over the stages of two LC-2 and the B-Link between them, for what-ifs that change one
/// stage. Plain arithmetic without load; docs/analytic.md derives the bounds of cut-through.
///
/// Every function throws std::domain_error if an argument is out of the range it states or is no finite number.
namespace ringmesh::analytic {

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
