// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

/// Programs that pass messages through one buffer each, as RCCE's do, without the machine: which program waits for
/// which, and when each ends. No contention: each step takes its given cost.
namespace ringmesh::analytic {

enum class MessageStepKind : std::uint8_t {
    kPut,    ///< into the own buffer, once the message before has been got from there
    kGet,    ///< out of the peer's buffer, once its message is there
    kDrain,  ///< wait until the own buffer's message has been got; a blocking send is a put and this
};

struct MessageStep {
    MessageStepKind kind = MessageStepKind::kPut;
    unsigned peer = 0;         ///< a put's receiver, a get's sender; unused by drain
    std::int64_t message = 0;  ///< which; both sides must agree
    double cost = 0;
};

struct MessagePrograms {
    std::vector<std::vector<MessageStep>> steps;  ///< by program
    /// Called for each get; the gets of one program come in program order.
    std::function<void(unsigned from, unsigned to, std::int64_t message)> got = [](unsigned, unsigned, std::int64_t) {};
};

/// When each program ends, in the unit of the costs.
/// @throws std::domain_error naming the steps that deadlock, or that disagree on the message
std::vector<double> program_ends(const MessagePrograms& programs);

}  // namespace ringmesh::analytic
