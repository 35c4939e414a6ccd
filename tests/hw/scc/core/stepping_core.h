// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "hw/scc/core/core_port.h"
#include "hw/scc/transaction.h"
#include "tlm/pools/payload_pool.h"
#include "tlm/simulation/simulation.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::test {

/// Replaces a core: executes a list of reads and writes with a given number outstanding.
class SteppingCore final : public hw::CoreSide {
public:
    struct Step {
        hw::SystemAddress place;
        int value = -1;  ///< to fill the line with; -1: a read
        std::size_t size = hw::kCacheLine;
    };
    struct Answer {
        std::uint64_t id = 0;
        Duration at;
    };

    std::vector<Answer> answers;
    std::vector<int> values;  ///< of the first byte of each read, in the order of the steps

    SteppingCore(Simulation& simulation, hw::CorePort& port, unsigned place)
        : simulation_(simulation), port_(port), place_(place)
    {}

    /// Before the simulation or during it.
    void start(std::vector<Step> steps, std::size_t at_once, Duration leaves = Duration::zero())
    {
        steps_ = std::move(steps);
        reads_before_.clear();
        std::size_t reads = 0;
        for (const Step& step : steps_) {
            reads_before_.push_back(reads);
            if (step.value < 0) ++reads;
        }
        values.assign(reads, -1);
        for (std::size_t i = 0; i < at_once && i < steps_.size(); ++i) issue(leaves);
    }

    void answered(::tlm::tlm_generic_payload& transaction, Duration at) override
    {
        answers.push_back({packet_of(transaction), at});
        const std::size_t step = under_way_.at(&transaction);
        under_way_.erase(&transaction);
        if (transaction.is_read()) values[reads_before_[step]] = std::to_integer<int>(bytes_of(transaction)[0]);
        transaction.release();
        if (next_ < steps_.size()) issue(at);
    }
    void changed(const hw::SystemAddress&, std::uint64_t) override {}

private:
    void issue(Duration leaves)
    {
        const Step& step = steps_[next_];
        const std::vector<std::byte> bytes(step.size, static_cast<std::byte>(step.value));
        auto& payload = step.value < 0 ? simulation_.pool<PayloadPool>().acquire_read(encode(step.place), step.size)
                                       : simulation_.pool<PayloadPool>().acquire_write(encode(step.place), bytes);
        under_way_[&payload] = next_++;
        port_.request(place_, payload, leaves);
    }

    Simulation& simulation_;
    hw::CorePort& port_;
    unsigned place_;
    std::vector<Step> steps_;
    std::vector<std::size_t> reads_before_;
    std::map<const ::tlm::tlm_generic_payload*, std::size_t> under_way_;
    std::size_t next_ = 0;
};

}  // namespace ringmesh::test
