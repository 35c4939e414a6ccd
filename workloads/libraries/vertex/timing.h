// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tlm/ncube/ncube_machine.h"
#include "tlm/parameters/names.h"
#include "tlm/parameters/parameters.h"
#include "workloads/libraries/vertex/vertex.h"
#include "workloads/libraries/vertex/vertex_library.h"
#include "workloads/workload.h"

namespace ringmesh::workloads::vertex {

/// The arithmetic of the background computation.
enum class Underlying : std::uint8_t { kInteger, kFloat };

/// The tests to run, and the rows of the results.
enum class Measure : std::uint8_t {
    kValues,     ///< tests 1 to 7: the sums and the six values, a row for each size
    kDistances,  ///< test 1 alone: the echo by distance
    kChannels,   ///< test 8: several channels active on one node
};

struct TimingOptions {
    Measure measure = Measure::kValues;
    Underlying underlying = Underlying::kInteger;
    std::string sizes = "16,500,1000,1500,2000";
    std::int64_t trials = 100;
    bool offset_trials = true;
    std::int64_t integer_turn = 205;
    std::int64_t float_turn = 404;
    std::int64_t channel_bytes = 2000;
    std::int64_t outstanding = 4;
    std::int64_t channel_blocks = 100;

    void visit(ParameterVisitor& visitor);
};

/// The eight tests by which [001] measures communication on an NCUBE, reimplemented: node 0 measures with the programs'
/// timer, all nodes near a message compute in the background (except in test 7), and the six values are differences of
/// the measured sums, each from those before:
///
///     E from the echoes, R, R + S -> S, F + S -> F, F + E + U -> U, A + U -> A
///
/// Trials begin at times spread evenly over the timer's grain, equivalent to many more of them; in the report's program
/// these times are random.
class VertexTiming final : public WorkloadWith<NcubeMachine, TimingOptions> {
public:
    using WorkloadWith::WorkloadWith;

    Library* library() override { return &library_; }
    void start_on(NcubeMachine& machine) override;
    bool finished() const override;
    void check() const override;
    Results results() const override;

private:
    /// Sums of ticks over the trials, of one size.
    struct Sums {
        std::vector<double> echo, idle_echo;  // by distance, from 1
        double r = 0, au = 0, fs = 0, rs = 0, efu2 = 0;
    };
    /// One of each size is not timed; its sums go nowhere.
    struct Trial {
        std::int64_t number = 0;  // -1: not timed
        std::uint32_t size = 0;
        Sums* sums = nullptr;
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

    VertexLibrary library_;
    NcubeMachine* machine_ = nullptr;
    std::vector<std::uint32_t> sizes_;
    std::vector<std::unique_ptr<Vertex>> vertices_;  // the host's last
    std::vector<std::uint64_t> buffers_;             // of each node's program
    std::vector<std::uint64_t> patterns_;
    Phase phase_ = Phase::kEchoes;
    double timer_ = 0, long_q_ = 0, short_q_ = 0;  // ticks
    std::vector<Sums> sums_;
    Sums untimed_;
    std::vector<Trial> trials_;  // of each test, in order
    std::vector<Channels> channels_;
    std::vector<Stream> streams_;
    Duration last_step_;         // when node 0 ended a computation of test 8, or began it
    std::uint64_t checked_ = 0;  // messages
    Duration last_read_;         // when the last of them was read
};

}  // namespace ringmesh::workloads::vertex
