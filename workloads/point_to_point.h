// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/endpoint.h"
#include "workloads/sci_workload.h"

/// Benchmarks between two processors after scibench [000 app. A]: what they have in common.
namespace ringmesh::workloads {

struct PointToPointOptions {
    std::int64_t from = 0;
    std::int64_t to = -1;
    std::string sizes;
    std::int64_t repetitions = 1;
    std::int64_t series = 5;
    bool aligned = true;
    Stores stores = Stores::kAuto;

    void visit(ParameterVisitor& visitor);
};

/// The options that all benchmarks between two processors have, and those of them that are ranks.
void visit_series(ParameterVisitor& visitor, std::int64_t& from, std::int64_t& to, std::string& sizes,
                  std::int64_t& repetitions, std::int64_t& series);
void visit_ranks(ParameterVisitor& visitor, std::int64_t& from, std::int64_t& to);

/// The two ranks of a benchmark. @throws UserError if the machine has no such pair
struct RankPair {
    unsigned from;
    unsigned to;
};
RankPair choose_ranks(std::string_view workload, std::int64_t from, std::int64_t to, unsigned nodes);

/// Latencies of the series of one size.
struct SizeLatency {
    std::uint32_t size = 0;
    std::vector<double> latencies_ns;  ///< one per series
};

/// One row per size: smallest, largest and average latency of the series, how far they are apart in percent of the
/// smallest, and the throughput that belongs to the smallest (the papers quote minima).
Results latency_table(const std::vector<SizeLatency>& measured);

/// For each size one exchange warms up, then each series times `repetitions` messages by the from-processor's clock.
/// All sizes run one after another in one simulation.
class PointToPoint : public SciWorkload {
public:
    void visit(ParameterVisitor& visitor) override { options_.visit(visitor); }
    NodeKind needs() const override { return NodeKind::kProcessor; }
    void start_on(SciMachine& machine) override;
    void check() const override;
    Results results() const override;

protected:
    /// What a benchmark makes of the time of one series.
    struct Method {
        std::string_view name;
        int messages_per_repetition = 1;  ///< one after another: the latency is elapsed / repetitions / this
        bool answers_every_message = true;
    };
    PointToPoint(const Method& method, PointToPointOptions options);

    /// The from-processor's part of the messages `first` to `first + count - 1`, of which the last is answered.
    virtual Task<> exchange(std::uint64_t first, std::uint64_t count) = 0;

    const Schedule& schedule() const { return schedule_; }
    Endpoint& from() { return *from_; }

private:
    Task<> measure();
    Task<> answer();

    Method method_;
    PointToPointOptions options_;
    Simulation* simulation_ = nullptr;
    std::uint32_t largest_transaction_ = 0;
    Schedule schedule_;
    std::optional<Endpoint> from_;
    std::optional<Endpoint> to_;
    std::vector<SizeLatency> measured_;
};

}  // namespace ringmesh::workloads
