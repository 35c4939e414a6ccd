// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "workloads/messaging/messaging_benchmark.h"
#include "workloads/mpi/options.h"

namespace ringmesh::workloads::mpi {

/// mpibench's tests [000 app. B] over an MPI library.
class MpiBenchmark : public MessagingBenchmark {
protected:
    MpiBenchmark(std::string_view name, Exchange exchange, MessagingBenchmarkOptions series, const Options& library);

private:
    std::unique_ptr<Messenger> messenger(SciMachine& machine, unsigned rank) override;
    void visit_library(ParameterVisitor& visitor) override { library_.visit(visitor); }
    std::vector<std::string> library_notes(const MessagingStatistics& sum) const override;
    void require_carried(const std::vector<std::uint32_t>&) const override {}  // any

    Options library_;
};

/// Two ranks send a message to and fro; the latency is half the time of a round trip.
class MpiPingPong final : public MpiBenchmark {
public:
    static MessagingBenchmarkOptions defaults() { return {.sizes = "0,4..1048576 x2", .repetitions = 20}; }
    explicit MpiPingPong(MessagingBenchmarkOptions series = defaults(), const Options& library = {});
};

/// One rank sends messages one after another, the other receives them all and answers the last with one int; the
/// latency is the whole time by the number of messages.
class MpiOneWay final : public MpiBenchmark {
public:
    static MessagingBenchmarkOptions defaults() { return {.sizes = "4", .repetitions = 1000}; }
    explicit MpiOneWay(MessagingBenchmarkOptions series = defaults(), const Options& library = {});
};

}  // namespace ringmesh::workloads::mpi
