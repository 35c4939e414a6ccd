// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "analytic/sci/components.h"
#include "tlm/units/units.h"

/// One unidirectional ring under uniform load, which the papers leave out: the wait of a request at its source for a
/// gap, and of passing packets for the own packets of the nodes they pass. Derived in
/// docs/reference/evidence/analytic.md, which also gives its distance from simulation; no constant is fitted.
///
///     Poisson requests --> output FIFO --> own queue --+--> link (passing packets first, one packet at a time)
///                             passing --> bypass FIFO -+
///
/// Not modelled: go bits and idle debt, full queues and retries, the B-Link and the hosts behind the link controllers
/// (a response leaves when its request is delivered), traffic that is not uniform.
///
/// Every function throws std::domain_error if an argument is out of the range it states or is no finite number.
namespace ringmesh::analytic {

/// Mean and mean square of a random time, in ns and ns^2.
struct Moments {
    double mean = 0;
    double square = 0;
};

/// How long a link shared by passing trains and a node's own packets is blocked for the next own packet.
///
/// Heads of trains come at random while no train is coming in, `rate` of them per ns of such time; a train takes a
/// random time. An arriving head reserves the link from `margin` ns later on, so an own packet can start only after
/// `margin` ns without a head. Derived in docs/reference/evidence/analytic.md; exact under these assumptions.
class GapWait {
public:
    /// @param rate above 0 @param train_square at least train_mean squared @param margin 0 or more; all finite
    GapWait(double rate, double train_mean, double train_square, double margin);

    /// From the head of a train that finds the link free to the next moment at which an own packet could start.
    Moments blocked() const;

    /// From the start of an own packet that takes `length` >= 0 ns to the next moment at which another could start.
    Moments clearing(double length) const;

private:
    Moments clearing_within_margin(double length) const;

    double rate_;
    Moments train_;
    double margin_;
    Moments from_margin_;  // the same for an own packet as long as the margin
};

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

/// Upper bounds on the write throughput of a torus under uniform traffic, from the time that a transaction holds each
/// shared resource (docs/reference/evidence/analytic.md). Queues, retries, gaps too small to use and the latency of
/// stream buffers lower it further.
///
/// Every function throws std::domain_error if an argument is out of the range it states or is no finite number.

/// How long a transaction holds a node's PCI bus, both above zero.
struct PciTimes {
    double sending_ns = 0;    ///< at the source: the bytes to the card
    double receiving_ns = 0;  ///< at the destination: the bytes into memory
};

enum class Resource { kLink, kBLink, kPci };

/// Payload in MB/s (10^6 bytes a second) that each node can send, and receives, with only one resource limited.
struct NodeLimits {
    double link = 0;
    double blink = 0;
    double pci = 0;

    Resource binding() const;  ///< the lowest; link before B-Link before PCI if equal
    double lowest() const;
};

struct TorusTraffic {
    Bytes payload{64};     ///< of a request: 16 or 64 B
    bool answered = true;  ///< whether a response without data comes back for each
};

/// Time for which one transaction holds B-Links, in ns, summed over all nodes and so the share of each node: request
/// and response cross one at the source, one at the destination, and one for each change of dimension.
double blink_time_ns(std::span<const double> sizes, const TorusTraffic& traffic, const BLinkTiming& blink);

/// Time for which one transaction holds the links of the busiest dimension, in ns, summed over its links and so the
/// share of each: packets with their echoes on the rest of each ring.
double link_time_ns(std::span<const double> sizes, const TorusTraffic& traffic, const RingTiming& timing);

/// Takes sizes like average_way().
NodeLimits node_limits(std::span<const double> sizes, const TorusTraffic& traffic, const RingTiming& timing,
                       const BLinkTiming& blink, const PciTimes& pci);

}  // namespace ringmesh::analytic
