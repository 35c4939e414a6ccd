// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hw/ncube/node.h"
#include "tests/support/statistics.h"
#include "tlm/simulation/simulation.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::test {

/// Records its interrupts; each handler computes for a while and then calls `then`.
struct NotingService : InterruptService {
    struct Noted {
        ChannelInterrupt interrupt;
        Duration began, done;
    };
    Task<> serve(ChannelInterrupt interrupt) override;
    std::string waiting_for() const override { return "a test"; }

    NcubeProcessor* cpu = nullptr;
    Cycles clocks;
    std::function<void(const ChannelInterrupt&)> then;
    std::vector<Noted> noted;
};

[[maybe_unused]] static Task<> note(NotingService& service, ChannelInterrupt interrupt)
{
    service.noted.push_back({interrupt, now(), Duration::never()});
    const std::size_t mine = service.noted.size() - 1;
    co_await service.cpu->work({.clocks = service.clocks, .system = true});
    if (service.then) service.then(interrupt);
    service.noted[mine].done = now();
}

inline Task<> NotingService::serve(ChannelInterrupt interrupt) { return note(*this, interrupt); }

/// Two nodes joined by two channel pairs. Unless told otherwise instructions are of no length, so that times are exact.
struct NodeBench {
    explicit NodeBench(Cycles longest_instruction = Cycles(0))
    {
        params.processor.longest_instruction = longest_instruction;
        const auto contention = std::make_shared<const hw::PortContention>(params);
        for (unsigned i = 0; i < 2; ++i) {
            nodes[i] = std::make_unique<hw::NcubeNode>(("node" + std::to_string(i)).c_str(), simulation, params, i, 2,
                                                       contention);
            services[i].cpu = &nodes[i]->cpu;
            nodes[i]->cpu.serve_interrupts(services[i]);
        }
        for (unsigned i = 0; i < 2; ++i) {
            for (unsigned c = 0; c < 2; ++c) nodes[i]->channels.out[c].bind(nodes[1 - i]->channels.in[c]);
        }
    }
    Duration clocks(std::int64_t count) const { return Cycles(count) * Clock(params.processor.clock); }
    /// Of that node's processor.
    double statistic(unsigned node, const std::string& name) const { return statistic_of(nodes[node]->cpu, name); }

    Simulation simulation{1};
    hw::NcubeNodeParams params;
    NotingService services[2];
    std::unique_ptr<hw::NcubeNode> nodes[2];
};

}  // namespace ringmesh::test
