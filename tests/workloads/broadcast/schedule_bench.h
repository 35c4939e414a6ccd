// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "analytic/message_programs.h"
#include "lab/sql/functions/broadcast_model.h"

namespace ringmesh::test {

/// Separate times of puts and gets.
inline lab::BroadcastCosts step_costs(double put, double get)
{
    return {.put = [put](std::int64_t) { return put; }, .get = [get](unsigned, unsigned, std::int64_t) { return get; }};
}

/// Runs the schedules of all cores without a machine.
struct ScheduleRun {
    /// @param put part of a transfer's time; the rest is its get
    /// @throws std::domain_error at a deadlock
    explicit ScheduleRun(const lab::BroadcastCase& what, double put = 0)
        : has(what.cores), received(what.cores), received_again(what.cores)
    {
        analytic::MessagePrograms programs{.steps = lab::broadcast_programs(what, step_costs(put, 1 - put))};
        for (const auto& step : programs.steps[0]) {
            if (step.kind == analytic::MessageStepKind::kPut) has[0].insert(step.message);
        }
        all = has[0].size();
        programs.got = [this](unsigned from, unsigned to, std::int64_t message) {
            if (message < 0) {
                ++useless;
                return;
            }
            if (has[from].count(message) == 0) ++sent_without_having;
            if (!has[to].insert(message).second) ++received_again[to];
            ++received[to];
        };
        const auto ends = analytic::program_ends(programs);
        time = *std::max_element(ends.begin(), ends.end());
    }
    bool complete() const
    {
        return std::all_of(has.begin(), has.end(), [this](const auto& one) { return one.size() == all; });
    }

    std::vector<std::set<std::int64_t>> has;  ///< by core: messages
    std::size_t all = 0;                      ///< messages
    std::vector<std::int64_t> received;
    std::vector<std::int64_t> received_again;
    std::int64_t useless = 0;  ///< transfers of what lies in front of the buffer
    std::int64_t sent_without_having = 0;
    double time = 0;  ///< in transfers one after the other
};

/// @param parts of one byte
inline lab::BroadcastCase cube_case(unsigned cores, std::int64_t parts,
                                    workloads::broadcast::FinalExchange final_exchange)
{
    return {.algorithm = workloads::broadcast::Algorithm::kCube,
            .cores = cores,
            .size = parts,
            .part = 1,
            .pipe = 0,
            .final_exchange = final_exchange};
}

}  // namespace ringmesh::test
