// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "analytic/sci_load.h"
#include "analytic/sci_stages.h"

/// Upper bounds on the write throughput of a torus under uniform traffic, from the time that a transaction holds each
/// shared resource (docs/analytic.md). Queues, retries, gaps too small to use and the latency of stream buffers lower
/// it further.
///
/// Every function throws std::domain_error if an argument is out of the range it states or is no finite number.
namespace ringmesh::analytic {

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
