// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"
#include "tlm/names.h"
#include "workloads/broadcast/broadcast_benchmark.h"
#include "workloads/deck/deck_delivery.h"
#include "workloads/deck/deck_ping_pong.h"
#include "workloads/deck/deck_stages.h"
#include "workloads/latency_map.h"
#include "workloads/mpi/mpi_benchmark.h"
#include "workloads/one_way.h"
#include "workloads/ping_pong.h"
#include "workloads/rcce/rcce_barrier.h"
#include "workloads/rcce/rcce_ping_pong.h"
#include "workloads/remote/remote_read.h"
#include "workloads/remote/remote_write.h"
#include "workloads/scc/memory_probe.h"
#include "workloads/traffic/store_traffic.h"
#include "workloads/traffic/traffic.h"
#include "workloads/vertex/program.h"
#include "workloads/vertex/timing.h"
#include "workloads/workload.h"

namespace ringmesh::workloads {
namespace {

template <class SomeWorkload>
WorkloadInfo info(std::string name, std::string description)
{
    return {std::move(name), std::move(description), std::string(SomeWorkload::RunsOn::kIs),
            [] { return std::make_unique<SomeWorkload>(); }};
}

}  // namespace

const std::vector<WorkloadInfo>& catalog()
{
    static const std::vector<WorkloadInfo> all{
        info<PingPong>("ping-pong", "two processors send messages to and fro: latency by message size"),
        info<LatencyMap>("latency-map",
                         "one node, or each, sends to all others in turn: unloaded latency by pair of processors or sources"),
        info<OneWay>("one-way", "one processor streams messages to another, which answers the last"),
        info<RemoteWrite>("remote-write",
                          "one processor stores blocks to another's segment: latency and bandwidth by size"),
        info<RemoteRead>("remote-read",
                         "one processor loads blocks from another's segment: bandwidth by width of the loads"),
        info<mpi::MpiPingPong>("mpi-ping-pong",
                               "two ranks send messages to and fro over an MPI library: latency by message size"),
        info<mpi::MpiOneWay>("mpi-one-way",
                             "one rank streams messages to another over an MPI library: latency by message size"),
        info<Traffic>("traffic", "packet sources send by a pattern: an offered load, or an operation with an end"),
        info<StoreTraffic>("store-traffic",
                           "every processor stores 64-byte blocks to others as fast as it can: which resource binds"),
        info<deck::DeckPingPong>(
            "deck-ping-pong", "ping-pong over the three protocols of DECK/SCI: latency and bandwidth by message size"),
        info<deck::DeckStages>("deck-stages",
                               "one message over DECK/SCI: every step from the sender's call to the receiver's return"),
        info<deck::DeckDelivery>(
            "deck-delivery",
            "messages of random size between random ranks over DECK/SCI: does each come once, in order"),
        info<scc::MemoryProbe>(
            "memory-probe",
            "a core reads or writes message-passing buffers or memory: latency by distance, stride or size"),
        info<rcce::RccePingPong>("rcce-ping-pong",
                                 "a core exchanges messages with others over RCCE: round trip by distance and size"),
        info<rcce::RcceBarrier>("rcce-barrier", "cores meet at RCCE's barrier: time by their number"),
        info<broadcast::BroadcastBenchmark>(
            "broadcast",
            "one core's data go to all: RCCE's, Cube, DOPL or a one-sided tree, timed as the thesis timed it"),
        info<vertex::VertexTiming>(
            "vertex-timing",
            "the tests by which [001] times messages under Vertex: six values by size, or several channels active"),
        info<vertex::VertexProgram>(
            "vertex-program",
            "small programs under Vertex: a chain, an exchange, a broadcast tree, all to all: time by size"),
    };
    return all;
}

const WorkloadInfo& find_workload(const std::string& name)
{
    const auto& all = catalog();
    const auto found = std::find_if(all.begin(), all.end(), [&name](const auto& info) { return info.name == name; });
    if (found != all.end()) return *found;
    std::vector<std::string> known;
    known.reserve(all.size());
    for (const auto& info : all) known.push_back(info.name);
    throw UserError(fmt::format("unknown workload '{}'{}", name, suggestion(name, known)));
}

}  // namespace ringmesh::workloads
