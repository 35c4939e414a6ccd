// SPDX-License-Identifier: Apache-2.0
#include "workloads/foreign/calls/calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace ringmesh::workloads::foreign {
namespace {

const Cartesian& cartesian_of(const Communicator& comm)
{
    if (!comm.cartesian) throw Failure{MPI_ERR_TOPOLOGY, "no Cartesian topology"};
    return *comm.cartesian;
}

const Graph& graph_of(const Communicator& comm)
{
    if (!comm.graph) throw Failure{MPI_ERR_TOPOLOGY, "no graph topology"};
    return *comm.graph;
}

const SpreadGraph& spread_graph_of(const Communicator& comm)
{
    if (!comm.spread_graph) throw Failure{MPI_ERR_TOPOLOGY, "no distributed graph topology"};
    return *comm.spread_graph;
}

void put_some(const std::vector<int>& all, int most, int* into)
{
    std::copy_n(all.begin(), std::min(all.size(), count_of(most)), into);
}

Cartesian grid_of(int dimensions, const int* dims, const int* periods)
{
    const std::size_t count = count_of(dimensions);
    Cartesian grid{{dims, dims + count}, {periods, periods + count}};
    for (const int each : grid.dims) {
        if (each < 1) throw Failure{MPI_ERR_DIMS, fmt::format("a dimension of {}", each)};
    }
    return grid;
}

/// The factors of a number, in falling order, whose largest and least differ least.
void divide(int number, std::size_t parts, int most, std::vector<int>& factors, std::vector<int>& best)
{
    if (parts == 1) {
        if (number > most) return;
        factors.push_back(number);
        if (best.empty() || factors.front() - factors.back() < best.front() - best.back()) best = factors;
        factors.pop_back();
        return;
    }
    for (int small = 1; small <= number / small; ++small) {
        if (number % small != 0) continue;
        for (const int factor : {small, number / small}) {
            if (factor > most) continue;
            factors.push_back(factor);
            divide(number / factor, parts - 1, factor, factors, best);
            factors.pop_back();
            if (small == number / small) break;
        }
    }
}

}  // namespace

namespace calls {

int MPI_Dims_create(int nodes, int dimensions, int* dims)
{
    return call("MPI_Dims_create", [&](Process&) {
        if (nodes < 1) throw Failure{MPI_ERR_ARG, fmt::format("{} nodes", nodes)};
        count_of(dimensions);
        int left = nodes;
        std::vector<int> open;
        for (int i = 0; i < dimensions; ++i) {
            if (dims[i] < 0 || (dims[i] > 0 && left % dims[i] != 0)) {
                throw Failure{MPI_ERR_DIMS, fmt::format("{} nodes in a dimension of {}", nodes, dims[i])};
            }
            if (dims[i] > 0) left /= dims[i];
            if (dims[i] == 0) open.push_back(i);
        }
        if (open.empty()) {
            if (left != 1) throw Failure{MPI_ERR_DIMS, "the dimensions hold another number of nodes"};
            return;
        }
        std::vector<int> sizes;
        std::vector<int> best;
        divide(left, open.size(), left, sizes, best);
        for (std::size_t i = 0; i < open.size(); ++i) dims[open[i]] = best[i];
    });
}
int MPI_Cart_create(MPI_Comm handle, int dimensions, const int* dims, const int* periods, int, MPI_Comm* made)
{
    return collective_now({"MPI_Cart_create", handle}, [&](Process& process, const Comm& comm) {
        Cartesian cartesian = grid_of(dimensions, dims, periods);
        const std::int64_t size = cartesian.size();
        if (size > comm->size()) {
            throw Failure{MPI_ERR_DIMS, fmt::format("{} places for {} ranks", size, comm->size())};
        }
        Members members(comm->members.begin(), comm->members.begin() + size);
        Comm grid = process.make_communicator(*comm, comm, std::move(members));
        if (grid) grid->cartesian = std::move(cartesian);
        put_comm(process, made, std::move(grid));
    });
}
int MPI_Cart_map(MPI_Comm handle, int dimensions, const int* dims, const int* periods, int* rank)
{
    return call("MPI_Cart_map", handle, [&](Process& process) {
        const Comm comm = comm_of(process, handle);
        const Cartesian cartesian = grid_of(dimensions, dims, periods);
        *rank = comm->rank < cartesian.size() ? comm->rank : MPI_UNDEFINED;
    });
}
int MPI_Cartdim_get(MPI_Comm comm, int* dimensions)
{
    return call("MPI_Cartdim_get", comm, [&](Process& process) {
        *dimensions = static_cast<int>(cartesian_of(*comm_of(process, comm)).dims.size());
    });
}
int MPI_Cart_get(MPI_Comm handle, int most, int* dims, int* periods, int* coords)
{
    return call("MPI_Cart_get", handle, [&](Process& process) {
        const Comm comm = comm_of(process, handle);
        const Cartesian& cartesian = cartesian_of(*comm);
        const std::vector<int> mine = cartesian.coords_of(comm->rank);
        for (std::size_t i = 0; i < std::min(mine.size(), count_of(most)); ++i) {
            dims[i] = cartesian.dims[i];
            periods[i] = cartesian.periods[i];
            coords[i] = mine[i];
        }
    });
}
int MPI_Cart_rank(MPI_Comm handle, const int* coords, int* rank)
{
    return call("MPI_Cart_rank", handle, [&](Process& process) {
        const Comm comm = comm_of(process, handle);
        const Cartesian& cartesian = cartesian_of(*comm);
        *rank = cartesian.rank_of({coords, coords + cartesian.dims.size()});
        if (*rank == MPI_PROC_NULL) throw Failure{MPI_ERR_ARG, "a place outside of the grid"};
    });
}
int MPI_Cart_coords(MPI_Comm handle, int rank, int most, int* coords)
{
    return call("MPI_Cart_coords", handle, [&](Process& process) {
        const Comm comm = comm_of(process, handle);
        require_rank(*comm, rank);
        const std::vector<int> all = cartesian_of(*comm).coords_of(rank);
        std::copy_n(all.begin(), std::min(all.size(), count_of(most)), coords);
    });
}
int MPI_Cart_shift(MPI_Comm handle, int direction, int by, int* source, int* dest)
{
    return call("MPI_Cart_shift", handle, [&](Process& process) {
        const Comm comm = comm_of(process, handle);
        const Cartesian& cartesian = cartesian_of(*comm);
        if (direction < 0 || static_cast<std::size_t>(direction) >= cartesian.dims.size()) {
            throw Failure{MPI_ERR_DIMS, fmt::format("no dimension {}", direction)};
        }
        std::vector<int> coords = cartesian.coords_of(comm->rank);
        int& place = coords[static_cast<std::size_t>(direction)];
        const int here = place;
        place = here + by;
        *dest = cartesian.rank_of(coords);
        place = here - by;
        *source = cartesian.rank_of(coords);
    });
}
int MPI_Cart_sub(MPI_Comm handle, const int* remain, MPI_Comm* made)
{
    return collective_now({"MPI_Cart_sub", handle}, [&](Process& process, const Comm& comm) {
        const Cartesian& cartesian = cartesian_of(*comm);
        const std::vector<int> coords = cartesian.coords_of(comm->rank);
        Cartesian rest;
        int color = 0;
        for (std::size_t i = 0; i < cartesian.dims.size(); ++i) {
            if (remain[i] != 0) {
                rest.dims.push_back(cartesian.dims[i]);
                rest.periods.push_back(cartesian.periods[i]);
            } else {
                color = color * cartesian.dims[i] + coords[i];
            }
        }
        Comm part = process.split(comm, color, comm->rank);
        part->cartesian = std::move(rest);
        put_comm(process, made, std::move(part));
    });
}
int MPI_Topo_test(MPI_Comm handle, int* kind)
{
    return call("MPI_Topo_test", handle, [&](Process& process) {
        const Comm comm = comm_of(process, handle);
        *kind = MPI_UNDEFINED;
        if (comm->cartesian) *kind = MPI_CART;
        if (comm->graph) *kind = MPI_GRAPH;
        if (comm->spread_graph) *kind = MPI_DIST_GRAPH;
    });
}
int MPI_Graph_create(MPI_Comm handle, int nodes, const int* index, const int* edges, int, MPI_Comm* made)
{
    return collective_now({"MPI_Graph_create", handle}, [&](Process& process, const Comm& comm) {
        if (nodes < 0 || nodes > comm->size()) {
            throw Failure{MPI_ERR_ARG, fmt::format("{} nodes for {} ranks", nodes, comm->size())};
        }
        if (nodes == 0) {
            *made = MPI_COMM_NULL;
            return;
        }
        for (int i = 0; i < nodes; ++i) {
            if (index[i] < (i == 0 ? 0 : index[i - 1])) throw Failure{MPI_ERR_ARG, "an index that falls"};
        }
        Graph graph{{index, index + nodes}, {edges, edges + index[nodes - 1]}};
        for (const int each : graph.edges) {
            if (each < 0 || each >= nodes) throw Failure{MPI_ERR_ARG, fmt::format("an edge to node {}", each)};
        }
        Members members(comm->members.begin(), comm->members.begin() + nodes);
        Comm part = process.make_communicator(*comm, comm, std::move(members));
        if (part) part->graph = std::move(graph);
        put_comm(process, made, std::move(part));
    });
}
int MPI_Graph_map(MPI_Comm handle, int nodes, const int*, const int*, int* rank)
{
    return call("MPI_Graph_map", handle, [&](Process& process) {
        const Comm comm = comm_of(process, handle);
        if (nodes < 1 || nodes > comm->size()) throw Failure{MPI_ERR_ARG, fmt::format("{} nodes", nodes)};
        *rank = comm->rank < nodes ? comm->rank : MPI_UNDEFINED;
    });
}
int MPI_Graphdims_get(MPI_Comm handle, int* nodes, int* edges)
{
    return call("MPI_Graphdims_get", handle, [&](Process& process) {
        const Comm comm = comm_of(process, handle);
        *nodes = static_cast<int>(graph_of(*comm).index.size());
        *edges = static_cast<int>(graph_of(*comm).edges.size());
    });
}
int MPI_Graph_get(MPI_Comm handle, int most_index, int most_edges, int* index, int* edges)
{
    return call("MPI_Graph_get", handle, [&](Process& process) {
        const Comm comm = comm_of(process, handle);
        put_some(graph_of(*comm).index, most_index, index);
        put_some(graph_of(*comm).edges, most_edges, edges);
    });
}
int MPI_Graph_neighbors_count(MPI_Comm handle, int rank, int* count)
{
    return call("MPI_Graph_neighbors_count", handle, [&](Process& process) {
        const Comm comm = comm_of(process, handle);
        require_rank(*comm, rank);
        *count = static_cast<int>(graph_of(*comm).neighbours_of(rank).size());
    });
}
int MPI_Graph_neighbors(MPI_Comm handle, int rank, int most, int* neighbors)
{
    return call("MPI_Graph_neighbors", handle, [&](Process& process) {
        const Comm comm = comm_of(process, handle);
        require_rank(*comm, rank);
        put_some(graph_of(*comm).neighbours_of(rank), most, neighbors);
    });
}
int MPI_Dist_graph_create_adjacent(MPI_Comm handle, int incoming, const int* sources, const int* source_weights,
                                   int outgoing, const int* destinations, const int* destination_weights, MPI_Info, int,
                                   MPI_Comm* made)
{
    return collective_now({"MPI_Dist_graph_create_adjacent", handle}, [&](Process& process, const Comm& comm) {
        SpreadGraph graph;
        graph.weighted = source_weights != MPI_UNWEIGHTED;
        if (graph.weighted != (destination_weights != MPI_UNWEIGHTED)) {
            throw Failure{MPI_ERR_ARG, "either both kinds of edges have weights or none"};
        }
        graph.sources.assign(sources, sources + count_of(incoming));
        graph.destinations.assign(destinations, destinations + count_of(outgoing));
        for (const int each : graph.sources) require_rank(*comm, each);
        for (const int each : graph.destinations) require_rank(*comm, each);
        if (graph.weighted && incoming > 0) graph.source_weights.assign(source_weights, source_weights + incoming);
        if (graph.weighted && outgoing > 0) {
            graph.destination_weights.assign(destination_weights, destination_weights + outgoing);
        }
        Comm copy = process.make_communicator(*comm, comm, comm->members);
        copy->spread_graph = std::move(graph);
        put_comm(process, made, std::move(copy));
    });
}
/// Each rank tells all the edges that it knows: what a rank gets does not depend on who knew it, but in its order.
int MPI_Dist_graph_create(MPI_Comm handle, int count, const int* sources, const int* degrees, const int* destinations,
                          const int* weights, MPI_Info, int, MPI_Comm* made)
{
    return collective_now({"MPI_Dist_graph_create", handle}, [&](Process& process, const Comm& comm) {
        const bool weighted = weights != MPI_UNWEIGHTED;
        std::vector<int> mine;  // source, destination and weight of each edge
        int next = 0;
        count_of(count);
        for (int i = 0; i < count; ++i) {
            require_rank(*comm, sources[i]);
            count_of(degrees[i]);
            for (int edge = 0; edge < degrees[i]; ++edge, ++next) {
                require_rank(*comm, destinations[next]);
                mine.insert(mine.end(), {sources[i], destinations[next], weighted ? weights[next] : 0});
            }
        }
        const TypePointer type = predefined_type(MPI_INT);
        std::vector<int> counts(comm->members.size());
        std::vector<Process::Place> places;
        for (int& each : counts) places.push_back({&each, 1});
        const int own = static_cast<int>(mine.size());
        process.allgather({&own, 1}, type, places, type, comm);
        std::vector<std::vector<int>> all;
        for (const int each : counts) all.emplace_back(static_cast<std::size_t>(each));
        places.clear();
        for (auto& each : all) places.push_back({each.data(), each.size()});
        process.allgather({mine.data(), mine.size()}, type, places, type, comm);
        SpreadGraph graph;
        graph.weighted = weighted;
        for (const auto& edges : all) {
            for (std::size_t i = 0; i + 2 < edges.size(); i += 3) {
                if (edges[i] == comm->rank) {
                    graph.destinations.push_back(edges[i + 1]);
                    if (weighted) graph.destination_weights.push_back(edges[i + 2]);
                }
                if (edges[i + 1] == comm->rank) {
                    graph.sources.push_back(edges[i]);
                    if (weighted) graph.source_weights.push_back(edges[i + 2]);
                }
            }
        }
        Comm copy = process.make_communicator(*comm, comm, comm->members);
        copy->spread_graph = std::move(graph);
        put_comm(process, made, std::move(copy));
    });
}
int MPI_Dist_graph_neighbors_count(MPI_Comm handle, int* incoming, int* outgoing, int* weighted)
{
    return call("MPI_Dist_graph_neighbors_count", handle, [&](Process& process) {
        const Comm comm = comm_of(process, handle);
        const SpreadGraph& graph = spread_graph_of(*comm);
        *incoming = static_cast<int>(graph.sources.size());
        *outgoing = static_cast<int>(graph.destinations.size());
        *weighted = graph.weighted ? 1 : 0;
    });
}
int MPI_Dist_graph_neighbors(MPI_Comm handle, int most_incoming, int* sources, int* source_weights, int most_outgoing,
                             int* destinations, int* destination_weights)
{
    return call("MPI_Dist_graph_neighbors", handle, [&](Process& process) {
        const Comm comm = comm_of(process, handle);
        const SpreadGraph& graph = spread_graph_of(*comm);
        put_some(graph.sources, most_incoming, sources);
        put_some(graph.destinations, most_outgoing, destinations);
        if (source_weights != MPI_UNWEIGHTED) put_some(graph.source_weights, most_incoming, source_weights);
        if (destination_weights != MPI_UNWEIGHTED) {
            put_some(graph.destination_weights, most_outgoing, destination_weights);
        }
    });
}

}  // namespace calls
}  // namespace ringmesh::workloads::foreign
