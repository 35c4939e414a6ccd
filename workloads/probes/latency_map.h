// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tlm/sci/sci_machine.h"
#include "workloads/libraries/raw/raw_library.h"
#include "workloads/traffic/measurements/pair_latencies.h"
#include "workloads/workload.h"

namespace ringmesh::workloads {

/// The rows of the results.
enum class MapRows : std::uint8_t {
    kSummary,  ///< one row over all pairs
    kPairs,    ///< a row for each pair
};

/// What the messages go between.
enum class MapBetween : std::uint8_t {
    kAuto,        ///< processors, if the platform has PCs with SCI cards; else sources
    kProcessors,  ///< messages through the library
    kSources,     ///< single packets of the network
};

struct LatencyMapOptions {
    MapBetween between = MapBetween::kAuto;
    PacketOptions packet;  ///< its size is that of messages between processors as well
    std::int64_t from = 0;
    std::int64_t repetitions = 1;
    Stores stores = Stores::kAuto;
    MapRows rows = MapRows::kSummary;

    void visit(ParameterVisitor& visitor);
};

/// The unloaded latency of a request between two ranks, for many pairs in one run: one message at a time, the next when
/// the last has arrived and the network is idle, without responses and echoes in flight.
///
/// The latency runs from the call into the library at the sender to the return from it at the receiver, which polls.
/// Equals half the round trip of a ping-pong if both directions take the same time, but needs no symmetry. From one
/// rank to all others it is also the papers' one-to-all multi-unicast: the sum of its latencies [000 ch.6].
///
/// Between packet sources, on any network that has them, it is the time from a packet's birth to its delivery whole.
class LatencyMap final : public WorkloadWith<NetworkMachine, LatencyMapOptions> {
public:
    void choose_among(std::span<const std::string_view> sorts) override;
    void write_out_auto(const UsualTraffic& usual) override;
    NodeKind needs() const override;
    ProgramUse uses() override { return use_of(options_.stores); }
    void start_on(NetworkMachine& machine) override;
    bool finished() const override;
    void check() const override;
    Results results() const override;

private:
    struct Pair {
        unsigned from = 0;
        unsigned to = 0;
        std::vector<double> latencies_ns;  ///< one per repetition
    };

    void start_programs(SciMachine& machine);
    bool between_sources() const { return options_.between == MapBetween::kSources; }
    Task<> program(unsigned rank);
    Task<> send_to_all(unsigned rank);
    Task<> receive_from(unsigned sender, unsigned rank);
    /// Until the last message has arrived and the network is idle.
    Task<> wait_until_quiet(PcProcessor& processor);
    void require_arrived() const;
    Message message(unsigned sender, unsigned repetition) const;
    double mean_of(const Pair& pair) const;
    Results pair_rows() const;
    Results summary() const;
    Results source_results() const;

    NetworkMachine* network_ = nullptr;
    std::unique_ptr<PairLatencies> sources_;  ///< null: between processors
    SciMachine* machine_ = nullptr;
    std::int64_t size_ = 0;          ///< bytes of each message between processors
    std::vector<unsigned> senders_;  ///< in their order
    std::unique_ptr<RawLibrary> library_;
    std::vector<std::unique_ptr<Rank>> ranks_;
    std::vector<Pair> pairs_;  ///< in the order in which they are measured
    bool on_its_way_ = false;  ///< the last message of the last pair is in flight
    Duration sent_at_;         ///< of the one message in flight
};

}  // namespace ringmesh::workloads
