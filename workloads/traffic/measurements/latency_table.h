// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "tlm/machine/traffic_machine.h"
#include "tlm/statistics/statistics.h"
#include "workloads/traffic/traffic_options.h"
#include "workloads/workload.h"

namespace ringmesh::workloads {

/// Latencies of measured packets as a table of many rows: by distance, by pair of nodes, or as a histogram.
class LatencyTable {
public:
    /// Pairs with a row of their own, the first that had a packet; all others have one row together, so that memory is
    /// bounded by 30 MB.
    static constexpr std::size_t kMostPairs = 4'096;
    /// Samples of a pair that are kept; of more, percentiles are to 1 %.
    static constexpr std::size_t kExactOfPair = 128;

    /// @param packets all have this form
    LatencyTable(Show rows, const NetworkMachine& machine, const PacketForm& packets)
        : rows_(rows), machine_(machine), packets_(packets)
    {}

    void add(unsigned from, unsigned to, unsigned hops, Duration latency);
    /// Puts the table in the place of a summary, whose notes stay.
    void put_into(Results& summary) const;

private:
    using Pair = std::pair<unsigned, unsigned>;

    void put_histogram(Results& results) const;

    const Show rows_;
    const NetworkMachine& machine_;
    const PacketForm packets_;
    std::map<unsigned, Distribution> distances_;  // by links
    std::map<Pair, Distribution> pairs_;
    Distribution all_;  // of a histogram, or of pairs without a row
};

}  // namespace ringmesh::workloads
