// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/parameters/names.h"
#include "tlm/parameters/parameters.h"
#include "workloads/broadcast/cube_schedule.h"

namespace ringmesh::workloads::broadcast {

enum class Algorithm : std::uint8_t {
    kOwn,               ///< the library's own; RCCE_bcast: the root sends to all others in turn
    kLinear,            ///< the root sends to all others in turn
    kBinomial,          ///< down a binomial tree
    kScatterAllgather,  ///< a block for each, down a binomial tree, then all blocks around a ring
    kCube,
    kDopl,
    kTree,  ///< one-sided: parallel gets down a tree of message-passing buffers
};

/// What the measured time includes, by the thesis' programs [004 app. 10.2, 10.5, 10.7].
enum class Method : std::uint8_t {
    kPartSize,  ///< until the root itself returns
    kPipeSize,  ///< until it leaves a barrier of all; a part is cut into part/pipe equal pieces, the short last one too
    kCurve,     ///< until it leaves a barrier of all; pieces of the pipe size
    kQuiet,     ///< from a begin at a fixed time, without barriers, until the last rank returns (QuietRounds)
};

/// One line of the table.
struct Case {
    std::uint32_t size = 0;
    std::uint32_t part = 0;  ///< 0: the algorithm has none
    std::uint32_t pipe = 0;
};

struct Options {
    static constexpr std::uint32_t kLargest = 4 * 1024 * 1024;  ///< bytes
    static constexpr std::int64_t kDegree = 7;                  ///< of the tree, as in [OCB]

    Algorithm algorithm = Algorithm::kCube;
    std::string size = "50000";
    std::string part = "auto";
    std::string pipe = "auto";
    std::int64_t root = 0;
    Method method = Method::kCurve;
    std::int64_t repetitions = 3;
    FinalExchange final_exchange = FinalExchange::kThesis;
    std::int64_t degree = kDegree;
    std::int64_t offset = 0;
    bool warm_up = true;
    bool per_rank = false;

    void visit(ParameterVisitor& visitor);
    /// Writes what "auto" means.
    void write_out_auto();
    /// The cases to measure: every size with every part and every pipe. @throws UserError naming the option
    std::vector<Case> cases() const;
    /// Checks combinations of options. @param ranks that take part @throws UserError
    void require_sound(unsigned ranks) const;
    bool closing_barrier() const { return method == Method::kPipeSize || method == Method::kCurve; }
    /// Timed ones. @param size of the broadcast
    std::int64_t timed_repetitions(std::uint32_t size) const;

private:
    std::vector<std::uint32_t> part_list() const;
    std::vector<std::uint32_t> pipe_list() const;
    void require_pieces(const Case& sizes) const;
};

std::string_view word(Algorithm algorithm);
std::string_view word(Method method);

}  // namespace ringmesh::workloads::broadcast
