/* SPDX-License-Identifier: Apache-2.0
 * Graphs, and collective calls of neighbors. From three ranks. */
#include "check.h"

int main(int argc, char** argv)
{
    begin(&argc, &argv);
    MPI_Comm ring, graph, spread, adjacent;
    int count = 0, kind = 0, in[8], weights[8], out[8], out_weights[8], weighted = 0;
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;

    /* a ring of two in one dimension: both neighbors are the same rank, and each has its own piece */
    const int dims[2] = {2, 1}, periods[2] = {1, 1};
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &ring);
    if (ring != MPI_COMM_NULL) {
        const int to[4] = {10 * rank, 10 * rank + 1, 10 * rank + 2, 10 * rank + 3};
        int from[4] = {-1, -1, -1, -1};
        MPI_Neighbor_alltoall(to, 1, MPI_INT, from, 1, MPI_INT, ring);
        CHECK(from[0] == 10 * !rank + 1); /* what it has for above comes from below */
        CHECK(from[1] == 10 * !rank);
        CHECK(from[2] == 10 * rank + 3);
        CHECK(from[3] == 10 * rank + 2);
        MPI_Comm_free(&ring);
    }

    /* a star: all know rank 0 */
    int* const index = malloc(sizeof(int) * (size_t)size);
    int* const edges = malloc(sizeof(int) * (size_t)size * 2);
    for (int i = 0; i < size; ++i) index[i] = size - 1 + i;
    for (int i = 1; i < size; ++i) edges[i - 1] = i;
    for (int i = 1; i < size; ++i) edges[size - 2 + i] = 0;
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &graph);
    MPI_Topo_test(graph, &kind);
    CHECK(kind == MPI_GRAPH);
    MPI_Graph_neighbors_count(graph, rank, &count);
    CHECK(count == (rank == 0 ? size - 1 : 1));
    int* const got = malloc(sizeof(int) * (size_t)size);
    MPI_Request request;
    MPI_Ineighbor_allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, graph, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; ++i) CHECK(got[i] == (rank == 0 ? i + 1 : 0));

    /* rank 0 knows of all edges: each to the next, twice */
    int* const sources = malloc(sizeof(int) * (size_t)size);
    int* const degrees = malloc(sizeof(int) * (size_t)size);
    int* const ends = malloc(sizeof(int) * (size_t)size * 2);
    int* const lengths = malloc(sizeof(int) * (size_t)size * 2);
    for (int i = 0; i < size; ++i) {
        sources[i] = i;
        degrees[i] = 2;
        ends[2 * i] = ends[2 * i + 1] = (i + 1) % size;
        lengths[2 * i] = 5 + i;
        lengths[2 * i + 1] = 50 + i;
    }
    MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 0 ? size : 0, sources, degrees, ends, lengths, MPI_INFO_NULL, 0,
                          &spread);
    MPI_Dist_graph_neighbors_count(spread, &in[0], &out[0], &weighted);
    CHECK(in[0] == 2 && out[0] == 2 && weighted);
    MPI_Dist_graph_neighbors(spread, 2, in, weights, 2, out, out_weights);
    CHECK(in[0] == before && in[1] == before && out[0] == next && out[1] == next);
    CHECK(weights[0] == 5 + before && weights[1] == 50 + before && out_weights[0] == 5 + rank);
    const int counts[2] = {1, 2}, places[2] = {2, 0};
    const int three[3] = {100 * rank + 1, 100 * rank + 2, 100 * rank};
    int put[3] = {-1, -1, -1};
    MPI_Neighbor_alltoallv(three, counts, places, MPI_INT, put, counts, places, MPI_INT, spread);
    CHECK(put[2] == 100 * before && put[0] == 100 * before + 1 && put[1] == 100 * before + 2);

    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                   0, &adjacent);
    MPI_Topo_test(adjacent, &kind);
    CHECK(kind == MPI_DIST_GRAPH);
    const MPI_Aint place = sizeof(int);
    const MPI_Datatype type = MPI_INT;
    int pair[2] = {-1, rank}, one = 1;
    MPI_Request persistent;
    MPI_Neighbor_alltoallw_init(pair, &one, &place, &type, put, &one, &place, &type, adjacent, MPI_INFO_NULL,
                                &persistent);
    for (int round = 0; round < 3; ++round) {
        pair[1] = 7 * round + rank;
        MPI_Start(&persistent);
        MPI_Wait(&persistent, MPI_STATUS_IGNORE);
        CHECK(put[1] == 7 * round + before);
    }
    MPI_Request_free(&persistent);
    return end();
}
