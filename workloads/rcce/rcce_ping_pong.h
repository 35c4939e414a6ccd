// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "workloads/message.h"
#include "workloads/rcce/rcce.h"
#include "workloads/workload.h"

namespace ringmesh::workloads::rcce {

struct PingPongOptions {
    std::int64_t from = 0;
    std::string partners = "1,2,37,10,47";
    std::string sizes = "32,256..8192 step 256";
    std::int64_t repetitions = 10;
    Cycles pause{200};
    std::string cores = "all";
    LibraryOptions library;

    void visit(ParameterVisitor& visitor);
};

/// One core sends a message to a partner and gets one back, partner after partner, size after size [004 3.2]. Before
/// each pair all cores meet at a barrier; the first exchange warms the caches, outside the time. Every byte of every
/// message is checked.
class RccePingPong final : public WorkloadOn<SccMachine> {
public:
    explicit RccePingPong(PingPongOptions options = {}) : options_(std::move(options)) {}

    void visit(ParameterVisitor& visitor) override { options_.visit(visitor); }
    NodeKind needs() const override { return NodeKind::kProcessor; }
    void start_on(SccMachine& machine) override;
    void check() const override;
    Results results() const override;

private:
    struct Pair {
        unsigned partner = 0;
        std::uint32_t size = 0;
        std::int64_t count = 0;  ///< timed round trips
        Duration least = Duration::never();
        Duration total;
        double declared_seconds = 0;  ///< of all, by the library's clock
    };
    Task<> program(unsigned core);
    Task<> measure(std::size_t pair);
    Task<> answer(std::size_t pair);
    /// @param back the answer to it
    Message message(std::size_t pair, std::int64_t exchange, bool back) const;
    std::vector<unsigned> partners() const;

    PingPongOptions options_;
    SccMachine* machine_ = nullptr;
    std::vector<std::unique_ptr<Rcce>> rcce_;  // by core
    std::vector<std::uint64_t> buffers_;       // by core; 0: it takes no part
    std::vector<Pair> pairs_;
};

}  // namespace ringmesh::workloads::rcce
