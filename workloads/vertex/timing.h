// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tlm/ncube/ncube_machine.h"
#include "workloads/vertex/timing_options.h"
#include "workloads/vertex/vertex.h"
#include "workloads/vertex/vertex_library.h"
#include "workloads/workload.h"

namespace ringmesh::workloads::vertex {

/// The eight tests by which [001] measures communication on an NCUBE, reimplemented: node 0 measures with the programs'
/// timer, all nodes near a message compute in the background (except in test 7), and the six values are differences of
/// the measured sums, each from those before:
///
///     E from the echoes, R, R + S -> S, F + S -> F, F + E + U -> U, A + U -> A
///
/// Trials begin at times spread evenly over the timer's grain, equivalent to many more of them; in the report's program
/// these times are random.
class VertexTiming final : public WorkloadOn<NcubeMachine> {
public:
    explicit VertexTiming(TimingOptions options = {}) : options_(std::move(options)) {}
    VertexTiming(const VertexTiming&) = delete;
    VertexTiming& operator=(const VertexTiming&) = delete;

    Library* library() override { return &library_; }
    void visit(ParameterVisitor& visitor) override { options_.visit(visitor); }
    NodeKind needs() const override { return NodeKind::kProcessor; }
    void start_on(NcubeMachine& machine) override;
    void check() const override;
    Results results() const override;

private:
    /// Sums of ticks over the trials, of one size.
    struct Sums {
        std::vector<double> echo, idle_echo;  // by distance, from 1
        double r = 0, au = 0, fs = 0, rs = 0, efu2 = 0;
    };
    struct Channels {
        unsigned active = 0;
        double us_per_message = 0;
        double slowdown = 0;
        std::uint64_t messages = 0;
        std::uint64_t refusals = 0;
        std::uint64_t buffers = 0;  // maximum held by node 0 so far
    };
    enum class Phase : std::uint8_t { kEchoes, kOthers, kIdle };
    struct Stream {
        unsigned sender = 0;
        std::uint64_t delivered = 0;
        std::uint64_t sent = 0;
    };

    Task<> node0();
    Task<> other(unsigned rank);
    Task<> host();
    Task<> calibrate();
    Task<> echoes(bool loaded);
    Task<> tests_2_to_4();
    Task<> test_5();
    Task<> test_6();
    Task<> test_8();
    Task<> echo_back(unsigned rank, bool loaded);
    Task<> partner(unsigned rank);
    Task<> partner_2();
    Task<> partner_1();
    Task<> stream_from(unsigned rank);
    Task<> stream_to(unsigned rank);
    Task<> compute_until(unsigned rank, Phase phase);
    void require_progress(const Stream& stream) const;
    void require_held(std::uint32_t size, unsigned messages) const;
    [[noreturn]] void not_covered(std::uint32_t size) const;

    Task<> q(Vertex& vertex, std::int64_t repetitions);
    Task<> align(std::int64_t trial);
    Task<std::int64_t> tick();
    Task<> write(Vertex& vertex, std::uint32_t size, unsigned to);
    Task<> read(Vertex& vertex, std::uint32_t size, int from);
    Duration q_time(std::int64_t repetitions) const;
    double grain_us() const;
    unsigned farthest() const;
    unsigned streams() const;
    Results value_rows() const;
    Results distance_rows() const;
    Results channel_rows() const;
    double us(double ticks) const;

    TimingOptions options_;
    VertexLibrary library_;
    NcubeMachine* machine_ = nullptr;
    std::vector<std::uint32_t> sizes_;
    std::vector<std::unique_ptr<Vertex>> vertices_;  // the host's last
    std::vector<std::uint64_t> buffers_;             // of each node's program
    std::vector<std::uint64_t> patterns_;
    Phase phase_ = Phase::kEchoes;
    double timer_ = 0, long_q_ = 0, short_q_ = 0;  // ticks
    std::vector<Sums> sums_;
    std::vector<Channels> channels_;
    std::vector<Stream> streams_;
    Duration last_step_;         // when node 0 ended a computation of test 8, or began it
    std::uint64_t checked_ = 0;  // messages
};

}  // namespace ringmesh::workloads::vertex
