// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tlm/machine/processor.h"

namespace ringmesh::workloads {

/// Rounds of a program that begin at fixed times: all ranks at once, on an idle machine, without the messages of a
/// barrier. Ranks with no part left compute until the round is over, so that messages that pass them interrupt them.
/// This is how programs are timed that the six times of [001] predict.
class QuietRounds {
public:
    static constexpr const char* kShared = "ranks compute until the last one is done, which they know in no time";

    QuietRounds(std::string program, unsigned ranks, std::size_t rounds)
        : program_(std::move(program)), ranks_(ranks), rounds_(rounds)
    {}
    /// @throws UserError if the round before takes longer than there is time between two
    Task<> begin(Processor& processor, std::size_t round);
    /// A message was received: there is no deadlock, in which computing ends.
    void progressed(std::size_t round, Duration now);
    /// The rank's part is done.
    Task<> end(Processor& processor, std::size_t round);

private:
    struct Round {
        unsigned done = 0;  // ranks
        Duration last;      // progress
    };
    std::string program_;
    unsigned ranks_;
    std::vector<Round> rounds_;
};

}  // namespace ringmesh::workloads
