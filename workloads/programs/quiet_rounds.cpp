// SPDX-License-Identifier: Apache-2.0
#include "workloads/programs/quiet_rounds.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"

namespace ringmesh::workloads {
namespace {

/// From the begin of a round to that of the next.
constexpr Duration kRoundTime = 10_s;
/// After this time without progress computing ends, and the run reports what waits for what.
constexpr Duration kDeadlockTime = 3_s;
constexpr Duration kComputed = 100_us;
/// The last piece of computing before a round. Interrupts delay the end of a computation by what they take, so what is
/// left of the round before, messages that leave or pass, must come before it.
constexpr Duration kStill = 1_s;
constexpr Duration kRounding = 1_ns;  // of computing by clocks

}  // namespace

Task<> QuietRounds::begin(Processor& processor, std::size_t round)
{
    const Duration at = kRoundTime * static_cast<std::int64_t>(round);
    while (processor.time() < at) {
        const Duration left = at - processor.time();
        co_await processor.compute(left > kStill ? left - kStill : left);
    }
    if (round > 0 && processor.time() > at + kRounding) {
        throw UserError(fmt::format("{}: a quiet round takes longer than {:.0f} s; write smaller sizes", program_,
                                    kRoundTime.seconds()));
    }
    progressed(round, processor.time());
}

void QuietRounds::progressed(std::size_t round, Duration now)
{
    rounds_[round].last = std::max(rounds_[round].last, now);
}

Task<> QuietRounds::end(Processor& processor, std::size_t round)
{
    Round& mine = rounds_[round];
    ++mine.done;
    progressed(round, processor.time());
    while (mine.done < ranks_ && processor.time() < mine.last + kDeadlockTime) co_await processor.compute(kComputed);
}

}  // namespace ringmesh::workloads
