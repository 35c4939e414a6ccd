// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "tlm/units.h"

/// One unidirectional ring under uniform load, which the papers leave out: the wait of a request at its source for a
/// gap, and of passing packets for the own packets of the nodes they pass. Derived in docs/analytic.md, which also
/// gives its distance from simulation; no constant is fitted.
///
///     Poisson requests --> output FIFO --> own queue --+--> link (passing packets first, one packet at a time)
///                             passing --> bypass FIFO -+
///
/// Not modelled: go bits and idle debt, full queues and retries, the B-Link and the hosts behind the link controllers
/// (a response leaves when its request is delivered), traffic that is not uniform.
///
/// Every function throws std::domain_error if an argument is out of the range it states or is no finite number.
namespace ringmesh::analytic {

/// Timing of the ring: none below zero, the symbol above zero; by default the Wulfkit card's [SCINET].
struct RingTiming {
    double symbol_ns = 5;
    double idle_symbols = 2;  ///< after every packet
    double bypass_ns = 60;    ///< from a head on the incoming link to the same on the outgoing one
    double propagation_ns = 6.67;
    double decode_ns = 20;
    double in_fifo_ns = 106;
    double out_fifo_ns = 82;
};

struct UniformLoad {
    int nodes = 2;         ///< 2 to 4096
    Bytes payload{64};     ///< of a request: 0, 16 or 64 B
    bool answered = true;  ///< whether a response without data comes back for each
    /// Part of the time in which a link is busy, from 0 to 1: requests, responses, echoes and idle symbols; the same as
    /// the option of the workload traffic.
    double load = 0;
};

/// Mean latency of a request, from its creation to complete delivery: source wait, output FIFO, links, nodes passed,
/// decoding, last symbol, input FIFO.
///
/// The wait depends on how irregular the passing traffic is, for which there are two limits: `steadier` takes trains of
/// geometrically many packets, as they form on the links; `burstier` takes the long-run variance of Poisson sources.
/// `mean_ns` is the middle of the two.
struct LoadedLatency {
    double mean_ns = 0;
    double steadier_ns = 0;
    double burstier_ns = 0;
    double passing_wait_ns = 0;  ///< at each node passed; included in the three above
    double occupancy = 0;        ///< part of the time in which an own packet holds a node up: 1 is saturation
};

/// Empty if the ring is saturated: then there is no mean.
std::optional<LoadedLatency> loaded_latency(const UniformLoad& traffic, const RingTiming& timing = {});

/// The load at which the waits at the sources become infinite; `traffic.load` is ignored. At most 1.
double saturation_load(const UniformLoad& traffic, const RingTiming& timing = {});

/// Link time of a transaction per hop of its request, including response and echoes: on a ring, averaged over all
/// destinations, a request and its echo take equally many hops, and so do the response and its echo.
double link_time_per_hop_ns(Bytes payload, bool answered, const RingTiming& timing = {});

/// Mean gap between the requests of one node; `load` above 0.
double request_gap_ns(const UniformLoad& traffic, const RingTiming& timing = {});

}  // namespace ringmesh::analytic
