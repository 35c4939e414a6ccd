// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"
#include "tlm/parameters/additions.h"
#include "tlm/parameters/names.h"
#include "workloads/broadcast/broadcast_program.h"
#include "workloads/foreign/program_of_others.h"
#include "workloads/libraries/library.h"
#include "workloads/libraries/vertex/timing.h"
#include "workloads/probes/deck_stages.h"
#include "workloads/probes/latency_map.h"
#include "workloads/programs/barrier.h"
#include "workloads/programs/delivery.h"
#include "workloads/programs/point_to_point.h"
#include "workloads/programs/rounds.h"
#include "workloads/remote/remote_read.h"
#include "workloads/remote/remote_write.h"
#include "workloads/replay/goal_replay.h"
#include "workloads/replay/packet_replay.h"
#include "workloads/scc/memory_probe.h"
#include "workloads/traffic/kinds/store_traffic.h"
#include "workloads/traffic/traffic.h"
#include "workloads/workload.h"

namespace ringmesh::workloads {
namespace {

WorkloadInfo rounds(RoundPattern pattern, std::string description)
{
    return {
        std::string(RoundsProgram::name_of(pattern)),
        std::move(description),
        {},
        {Offer::kQueues},
        {},
        [pattern](const LibraryInfo* library) { return std::make_unique<RoundsProgram>(pattern, library->make()); }};
}

WorkloadInfo point_to_point(Exchange exchange, std::string name, std::string description)
{
    return {std::move(name), std::move(description), {}, {}, {}, [exchange](const LibraryInfo* library) {
                auto made = library->make();
                PointToPointOptions options = as_measured(made->measured(), exchange);
                return std::make_unique<PointToPoint>(exchange, std::move(made), std::move(options));
            }};
}

std::vector<WorkloadInfo> shipped_programs()
{
    return {
        point_to_point(Exchange::kPingPong, "ping-pong",
                       "two ranks send messages back and forth: latency by message size and partner"),
        on_machine<LatencyMap>(
            "latency-map",
            "one node, or each, sends to all others in turn: unloaded latency by pair of processors or sources"),
        point_to_point(Exchange::kOneWay, "one-way", "one rank streams messages to another, which answers the last"),
        over_ranks<BarrierProgram>(
            "barrier", {Offer::kQueues},
            "ranks meet in the library's barrier, or in one made of messages: time by number of ranks"),
        rounds(RoundPattern::kChain, "a message is handed on from rank to rank: time by size"),
        rounds(RoundPattern::kExchange, "ranks 0 and 1, 2 and 3, ... send to each other: time by size"),
        rounds(RoundPattern::kAllToAll, "every rank sends to every other: time by size"),
        rounds(RoundPattern::kNeighbours, "every rank sends to all that are one link away: time by size"),
        rounds(RoundPattern::kStream, "rank 0 sends messages in a row to one other: time until the last is received"),
        on_machine<RemoteWrite>("remote-write",
                                "one processor stores blocks to another's segment: latency and bandwidth by size"),
        on_machine<RemoteRead>("remote-read",
                               "one processor loads blocks from another's segment: bandwidth by width of the loads"),
        on_machine<Traffic>("traffic",
                            "packet sources send by a pattern: an offered load, or an operation with an end"),
        on_machine<StoreTraffic>(
            "store-traffic",
            "every processor stores 64-byte blocks to others as fast as it can: which resource is the bottleneck"),
        {"deck-stages",
         "one message over DECK/SCI: every step from the sender's call to the receiver's return",
         {},
         {},
         {"deck"},
         [](const LibraryInfo* library) { return std::make_unique<deck::DeckStages>(library->make()); }},
        over_ranks<DeliveryProgram>(
            "delivery", {Offer::kQueues, Offer::kAnySource},
            "messages of random size between random ranks; checks that each arrives once, in order"),
        on_machine<scc::MemoryProbe>(
            "memory-probe",
            "a core reads or writes message-passing buffers or memory: latency by distance, stride or size"),
        {"broadcast",
         "one rank sends its data to all: by the library's own broadcast, linear, binomial, Cube, DOPL or a one-sided "
         "tree",
         {},
         {Offer::kQueues},
         {},
         [](const LibraryInfo* library) {
             auto made = library->make();
             const auto options = broadcast::BroadcastProgram::options_for(*made);
             return std::make_unique<broadcast::BroadcastProgram>(std::move(made), options);
         }},
        {"vertex-timing",
         "the tests by which [001] times messages under Vertex: six values by size, or several channels active",
         {},
         {},
         {"vertex"},
         [](const LibraryInfo*) { return std::make_unique<vertex::VertexTiming>(); }},
        over_ranks<ProgramOfOthers>(
            "program", {Offer::kLabels},
            "a C, C++ or Fortran program that makes calls of MPI or RCCE, compiled by ringmesh cc, c++ or fc"),
        {"replay",
         "goal=FILE: a program over ranks as GOAL text: where the time of each rank goes",
         {},
         {},
         {},
         [](const LibraryInfo* library) { return std::make_unique<GoalReplay>(library->make()); },
         "goal"},
        [] {
            WorkloadInfo packets = on_machine<PacketReplay>(
                "replay",
                "packets=FILE: packet sources send what a table says: time, source, destination, size, waits");
            packets.chosen_by = "packets";
            return packets;
        }(),
    };
}

}  // namespace

ProgramUse Workload::uses()
{
    const Library* over = library();
    return over == nullptr ? ProgramUse{} : over->uses();
}

const std::vector<WorkloadInfo>& catalog()
{
    static const std::vector<WorkloadInfo> all = Additions<WorkloadInfo>::close(
        shipped_programs(), [](const WorkloadInfo& info) { return info.name; }, "a program");
    return all;
}

const WorkloadInfo& find_workload(const std::string& name, const std::vector<std::string>& options)
{
    const auto& all = catalog();
    const auto is_chosen = [&options](const WorkloadInfo& info) {
        return !info.chosen_by.empty() && std::any_of(options.begin(), options.end(), [&info](const auto& option) {
            return option.starts_with(info.chosen_by + '=');
        });
    };
    for (const auto& info : all) {
        if (info.name == name && is_chosen(info)) return info;
    }
    const auto found = std::find_if(all.begin(), all.end(), [&name](const auto& info) { return info.name == name; });
    if (found != all.end()) return *found;
    if (name == "deck-delivery") throw UserError("deck-delivery is now --workload delivery --library deck");
    if (name == "vertex-program") {
        throw UserError(
            "vertex-program is now chain, exchange, all-to-all, stream with quiet=true, or broadcast:method=quiet");
    }
    std::vector<std::string> known;
    known.reserve(all.size());
    for (const auto& info : all) {
        if (known.empty() || known.back() != info.name) known.push_back(info.name);
    }
    throw UserError(fmt::format("unknown workload '{}'{}", name, suggestion(name, known)));
}

}  // namespace ringmesh::workloads
