// SPDX-License-Identifier: Apache-2.0
#include <metis.h>
#include <mpi.h>

#include <climits>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tlm/division/processes.h"

namespace ringmesh {
namespace {

/// By METIS, with a fixed seed.
std::vector<unsigned> cut_by_metis(const PlaceGraph& graph, unsigned count)
{
    const std::size_t places = graph.weights.size();
    std::vector<std::vector<std::pair<std::uint32_t, std::int64_t>>> links(places);
    for (const PlaceGraph::Link& link : graph.links) {
        links[link.from].emplace_back(link.to, link.weight);
        links[link.to].emplace_back(link.from, link.weight);
    }
    std::vector<idx_t> begins{0}, ends, weights, link_weights;
    for (std::size_t place = 0; place < places; ++place) {
        weights.push_back(static_cast<idx_t>(graph.weights[place]));
        for (const auto& [end, weight] : links[place]) {
            ends.push_back(static_cast<idx_t>(end));
            link_weights.push_back(static_cast<idx_t>(weight));
        }
        begins.push_back(static_cast<idx_t>(ends.size()));
    }
    std::vector<idx_t> parts(places);
    if (count > 1 && places > 0) {
        idx_t vertices = static_cast<idx_t>(places), constraints = 1, parts_wanted = static_cast<idx_t>(count), cut = 0;
        std::vector<idx_t> options(METIS_NOPTIONS);
        METIS_SetDefaultOptions(options.data());
        options[METIS_OPTION_SEED] = 1;
        const int status = METIS_PartGraphKway(&vertices, &constraints, begins.data(), ends.data(), weights.data(),
                                               nullptr, link_weights.data(), &parts_wanted, nullptr, nullptr,
                                               options.data(), &cut, parts.data());
        if (status != METIS_OK) throw std::runtime_error("METIS could not cut the machine");
    }
    return {parts.begin(), parts.end()};
}

/// The processes of MPI_COMM_WORLD.
class MpiProcesses final : public Processes {
public:
    MpiProcesses()
    {
        int provided = 0;  // the thread that looks at the clock makes no call
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
        int count = 0, own = 0;
        MPI_Comm_size(MPI_COMM_WORLD, &count);
        MPI_Comm_rank(MPI_COMM_WORLD, &own);
        count_ = static_cast<unsigned>(count);
        own_ = static_cast<unsigned>(own);
    }
    unsigned count() const override { return count_; }
    unsigned own() const override { return own_; }

    /// A message between each two. One pair's messages do not overtake each other, so none is taken for the next.
    std::vector<Parcel> exchange(const std::vector<Parcel>& to) override
    {
        std::vector<MPI_Request> sent;
        for (unsigned other = 0; other < count_; ++other) {
            if (other == own_) continue;
            const auto& bytes = to[other].bytes();
            if (bytes.size() > INT_MAX) throw std::length_error("more than 2 GiB for another process");
            MPI_Isend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, static_cast<int>(other), 0,
                      MPI_COMM_WORLD, &sent.emplace_back());
        }
        std::vector<Parcel> got(count_);
        got[own_] = to[own_];
        for (unsigned other = 0; other < count_; ++other) {
            if (other == own_) continue;
            MPI_Message message = MPI_MESSAGE_NULL;
            MPI_Status status;
            MPI_Mprobe(static_cast<int>(other), 0, MPI_COMM_WORLD, &message, &status);
            int size = 0;
            MPI_Get_count(&status, MPI_BYTE, &size);
            got[other].bytes().resize(static_cast<std::size_t>(size));
            MPI_Mrecv(got[other].bytes().data(), size, MPI_BYTE, &message, MPI_STATUS_IGNORE);
        }
        MPI_Waitall(static_cast<int>(sent.size()), sent.data(), MPI_STATUSES_IGNORE);
        return got;
    }

    std::vector<unsigned> cut(const PlaceGraph& graph) const override { return cut_by_metis(graph, count_); }

private:
    unsigned count_ = 1, own_ = 0;
};

}  // namespace
}  // namespace ringmesh

extern "C" {

/// Never destroyed: it ends with the process.
[[gnu::visibility("default")]] ringmesh::Processes* ringmesh_join_processes() { return new ringmesh::MpiProcesses; }

[[gnu::visibility("default")]] void ringmesh_leave_processes() { MPI_Finalize(); }

/// Its result is C++, as both sides are built together.
[[gnu::visibility("default")]] void ringmesh_cut(const ringmesh::PlaceGraph& graph, unsigned count,
                                                 std::vector<unsigned>& owners)
{
    owners = ringmesh::cut_by_metis(graph, count);
}
}
