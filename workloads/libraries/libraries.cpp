// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"
#include "tlm/ncube/ncube_machine.h"
#include "tlm/parameters/additions.h"
#include "tlm/pc/pc_machine.h"
#include "tlm/scc/scc_machine.h"
#include "workloads/libraries/deck/deck_library.h"
#include "workloads/libraries/library.h"
#include "workloads/libraries/mpi/mpi_library.h"
#include "workloads/libraries/raw/raw_library.h"
#include "workloads/libraries/rcce/rcce_library.h"
#include "workloads/libraries/vertex/vertex_library.h"

namespace ringmesh::workloads {

bool Library::has(Offer offer) const
{
    const auto all = offers();
    return std::find(all.begin(), all.end(), offer) != all.end();
}

namespace {

std::vector<LibraryInfo> shipped_libraries()
{
    return {
        {"raw", "stores to shared segments, and polls of the last word: one message at a time, which both sides expect",
         PcMachine::kIs, [] { return std::make_unique<RawLibrary>(); }},
        {"deck", "DECK/SCI [002]: three protocols by size of message", PcMachine::kIs,
         [] { return std::make_unique<deck::DeckLibrary>(); }},
        {"scampi", "ScaMPI, as far as [002] tells: short, eager and rendez-vous; also called mpi", PcMachine::kIs,
         [] { return std::make_unique<mpi::MpiLibrary>("ScaMPI"); }},
        {"sci-mpich", "SCI-MPICH: modelled as ScaMPI, because no source says how they differ", PcMachine::kIs,
         [] { return std::make_unique<mpi::MpiLibrary>("SCI-MPICH"); }},
        {"rcce", "RCCE: blocking messages through the message-passing buffers", SccMachine::kIs,
         [] { return std::make_unique<rcce::RcceLibrary>(rcce::RcceLibrary::Requests::kNone); }},
        {"ircce", "RCCE with iRCCE: also non-blocking messages; its blocking calls, and programs of MPI, are RCCE's",
         SccMachine::kIs, [] { return std::make_unique<rcce::RcceLibrary>(rcce::RcceLibrary::Requests::kIrcce); }},
        {"vertex", "Vertex, the operating system of the NCUBE's nodes: its costs are parameters of the machine",
         NcubeMachine::kIs, [] { return std::make_unique<vertex::VertexLibrary>(); }},
    };
}

}  // namespace

const std::vector<LibraryInfo>& libraries()
{
    static const std::vector<LibraryInfo> all = Additions<LibraryInfo>::close(
        shipped_libraries(), [](const LibraryInfo& info) { return info.name; }, "a library");
    return all;
}

const LibraryInfo& find_library(const std::string& name)
{
    const auto& all = libraries();
    const std::string wanted = name == "mpi" ? std::string("scampi") : name;
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& info) { return info.name == wanted; });
    if (found != all.end()) return *found;
    if (rcce::kPresetNames.find(name) != nullptr) {
        throw UserError(
            fmt::format("unknown library '{0}': that is a preset; write --library rcce:preset={0} or "
                        "ircce:preset={0}",
                        name));
    }
    std::vector<std::string> known;
    known.reserve(all.size());
    for (const auto& info : all) known.emplace_back(info.name);
    throw UserError(fmt::format("unknown library '{}'{}", name, suggestion(name, known)));
}

std::optional<std::string> lacks(const WorkloadInfo& workload, const LibraryInfo& library)
{
    const auto& over = workload.over;
    if (!over.empty()) {
        if (std::find(over.begin(), over.end(), library.name) != over.end()) return std::nullopt;
        return fmt::format("{} is about {} alone", workload.name, fmt::join(over, " and "));
    }
    const auto made = library.make();
    std::vector<std::string_view> missing;
    for (const Offer offer : workload.needs) {
        if (!made->has(offer)) missing.push_back(kOfferNames.name(offer));
    }
    if (missing.empty()) return std::nullopt;
    if (std::ranges::find(missing, kOfferNames.name(Offer::kLabels)) != missing.end()) {
        return fmt::format(
            "{} has no messages with envelopes (tag, communicator, any number under way), which {} needs", library.name,
            workload.name);
    }
    return fmt::format("{} needs {}, which {} lacks", workload.name, fmt::join(missing, ", "), library.name);
}

}  // namespace ringmesh::workloads
