// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "workloads/endpoint.h"
#include "workloads/sci_workload.h"

namespace ringmesh::workloads {

/// What the results show.
enum class MapRows : std::uint8_t {
    kSummary,  ///< one row over all pairs
    kPairs,    ///< a row for each pair
};

struct LatencyMapOptions {
    std::int64_t from = 0;
    std::int64_t size = 64;
    std::int64_t repetitions = 1;
    Stores stores = Stores::kAuto;
    MapRows rows = MapRows::kSummary;

    void visit(ParameterVisitor& visitor);
};

/// The unloaded latency of a request between two ranks, for many pairs in one run: one message at a time, the next when
/// the last has arrived and the network is quiet, its response and echoes included.
///
/// The latency runs from the call into the library at the sender to the return from it at the receiver, which polls. It
/// is what half the round trip of a ping-pong is where ping and pong take equally long, and needs no symmetry. From one
/// rank to all others it is also the papers' one-to-all multi-unicast: the sum of its latencies [000 ch.6].
class LatencyMap final : public SciWorkload {
public:
    void visit(ParameterVisitor& visitor) override { options_.visit(visitor); }
    NodeKind needs() const override { return NodeKind::kProcessor; }
    void start_on(SciMachine& machine) override;
    void check() const override;
    Results results() const override;

private:
    struct Pair {
        unsigned from = 0;
        unsigned to = 0;
        std::vector<double> latencies_ns;  ///< one per repetition
    };

    Task<> program(unsigned rank);
    Task<> send_to_all(unsigned rank);
    Task<> receive_from(unsigned sender, unsigned rank);
    /// Until the last message has arrived and nothing of it is left in the network.
    Task<> wait_until_quiet(SciProcessor& processor);
    void require_arrived() const;
    Endpoint& endpoint(unsigned rank, unsigned peer);
    Message message(unsigned sender, unsigned repetition) const;
    double mean_of(const Pair& pair) const;
    Results pair_rows() const;
    Results summary() const;

    LatencyMapOptions options_;
    SciMachine* machine_ = nullptr;
    std::vector<unsigned> senders_;                                         ///< in their order
    std::vector<std::uint64_t> receive_areas_;                              ///< of each rank
    std::vector<std::map<unsigned, std::unique_ptr<Endpoint>>> endpoints_;  ///< of each rank, by peer; made when used
    std::vector<Pair> pairs_;                                               ///< in the order in which they are measured
    bool on_its_way_ = false;                                               ///< the last message of the last pair
    Duration sent_at_;                                                      ///< of the one message on its way
};

}  // namespace ringmesh::workloads
