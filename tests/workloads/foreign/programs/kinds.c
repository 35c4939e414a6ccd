/* SPDX-License-Identifier: Apache-2.0
 * Datatypes, groups, communicators, attributes, topologies: of four or more ranks. */
#include "check.h"
#include <stddef.h>

static void datatypes(void)
{
    MPI_Aint lb, extent;
    int bytes;
    /* a column of a matrix, to a row */
    int matrix[6][5], row[6] = {0};
    for (int i = 0; i < 30; ++i) matrix[i / 5][i % 5] = i;
    MPI_Datatype column, part, mixed, spread, corner;
    MPI_Type_vector(6, 1, 5, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Type_get_extent(column, &lb, &extent);
    MPI_Type_size(column, &bytes);
    CHECK(lb == 0 && extent == (MPI_Aint)(26 * sizeof(int)) && bytes == (int)(6 * sizeof(int)));
    MPI_Sendrecv(&matrix[0][2], 1, column, rank, 0, row, 6, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 6; ++i) CHECK(row[i] == 5 * i + 2);
    /* with an extent of one element, columns follow each other: the transpose */
    int turned[5][6];
    MPI_Type_create_resized(column, 0, sizeof(int), &part);
    MPI_Type_commit(&part);
    MPI_Sendrecv(matrix, 5, part, rank, 0, turned, 30, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 30; ++i) CHECK(turned[i / 6][i % 6] == matrix[i % 6][i / 6]);
    /* a struct with a gap */
    struct Mixed {
        char c;
        double d[2];
        int i;
    } one[3], other[3];
    memset(other, 0, sizeof other);
    for (int i = 0; i < 3; ++i) one[i] = (struct Mixed){(char)('a' + i), {i + 0.5, i + 0.25}, i};
    const int lengths[] = {1, 2, 1};
    const MPI_Aint places[] = {offsetof(struct Mixed, c), offsetof(struct Mixed, d), offsetof(struct Mixed, i)};
    const MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE, MPI_INT};
    MPI_Type_create_struct(3, lengths, places, types, &mixed);
    MPI_Type_commit(&mixed);
    MPI_Type_get_extent(mixed, &lb, &extent);
    MPI_Type_size(mixed, &bytes);
    CHECK(extent == sizeof(struct Mixed) && bytes == 21);
    MPI_Status status;
    int count = 0;
    MPI_Sendrecv(one, 2, mixed, (rank + 1) % size, 0, other, 3, mixed, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                 &status);
    CHECK(other[1].c == 'b' && other[1].d[1] == 1.25 && other[1].i == 1 && other[2].i == 0);
    MPI_Get_count(&status, mixed, &count);
    CHECK(count == 2);
    MPI_Get_elements(&status, mixed, &count);
    CHECK(count == 8);
    /* indexed, with a negative place */
    const int ones[] = {2, 1}, where[] = {-3, 1};
    MPI_Type_indexed(2, ones, where, MPI_SHORT, &spread);
    MPI_Type_commit(&spread);
    MPI_Type_get_true_extent(spread, &lb, &extent);
    CHECK(lb == -6 && extent == 10);
    short from[8] = {0, 1, 2, 3, 4, 5, 6, 7}, to[3] = {0};
    char packed[64];
    int place = 0;
    MPI_Pack(from + 4, 1, spread, packed, sizeof packed, &place, MPI_COMM_WORLD);
    CHECK(place == 6);
    place = 0;
    MPI_Unpack(packed, sizeof packed, &place, to, 3, MPI_SHORT, MPI_COMM_WORLD);
    CHECK(to[0] == 1 && to[1] == 2 && to[2] == 5);
    /* a corner of an array */
    const int sizes[] = {6, 5}, subsizes[] = {2, 3}, starts[] = {4, 1};
    int six[6] = {0};
    MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &corner);
    MPI_Type_commit(&corner);
    MPI_Sendrecv(matrix, 1, corner, rank, 0, six, 6, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(six[0] == 21 && six[2] == 23 && six[3] == 26 && six[5] == 28);
    MPI_Bcast(matrix, 1, corner, 0, MPI_COMM_WORLD);
    MPI_Type_free(&corner);
    MPI_Type_free(&spread);
    MPI_Type_free(&mixed);
    MPI_Type_free(&part);
    MPI_Type_free(&column);
    CHECK(column == MPI_DATATYPE_NULL);
}

static void communicators(void)
{
    MPI_Comm half, twin, reversed, some;
    int me = -1, all = -1, result = -1;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Comm_rank(half, &me);
    MPI_Comm_size(half, &all);
    CHECK(all == (size + 1 - rank % 2) / 2 && me == all - 1 - rank / 2);
    int sum = 0, wanted = 0;
    for (int r = rank % 2; r < size; r += 2) wanted += r;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, half);
    CHECK(sum == wanted);
    /* the same message in two communicators */
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    MPI_Comm_compare(MPI_COMM_WORLD, twin, &result);
    CHECK(result == MPI_CONGRUENT);
    int one = 1, two = 2, got = 0;
    MPI_Request requests[2];
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Isend(&one, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&two, 1, MPI_INT, next, 0, twin, &requests[1]);
    MPI_Recv(&got, 1, MPI_INT, before, 0, twin, MPI_STATUS_IGNORE);
    CHECK(got == 2);
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(got == 1);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    /* groups */
    MPI_Group world, first, rest, both, turned;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    const int leaders[] = {2, 0};
    MPI_Group_incl(world, 2, leaders, &first);
    MPI_Group_difference(world, first, &rest);
    MPI_Group_size(rest, &all);
    CHECK(all == size - 2);
    MPI_Group_union(first, rest, &both);
    MPI_Group_compare(both, world, &result);
    CHECK(result == MPI_SIMILAR);
    int ranges[1][3] = {{size - 1, 0, -1}}, zero = 0, other = -1;
    MPI_Group_range_incl(world, 1, ranges, &turned);
    MPI_Group_translate_ranks(turned, 1, &zero, world, &other);
    CHECK(other == size - 1);
    MPI_Comm_create(MPI_COMM_WORLD, turned, &reversed);
    MPI_Comm_rank(reversed, &me);
    CHECK(me == size - 1 - rank);
    MPI_Bcast(&other, 1, MPI_INT, 0, reversed);
    MPI_Comm_create(MPI_COMM_WORLD, first, &some);
    CHECK((some != MPI_COMM_NULL) == (rank == 0 || rank == 2));
    if (some != MPI_COMM_NULL) {
        MPI_Comm_rank(some, &me);
        CHECK(me == (rank == 0));
        MPI_Barrier(some);
        MPI_Comm_free(&some);
    }
    MPI_Group_free(&world);
    MPI_Comm_free(&reversed);
    MPI_Comm_free(&half);
    MPI_Comm_free(&twin);
    CHECK(twin == MPI_COMM_NULL);
}

static int copies, removals;
static int copy(MPI_Comm comm, int key, void *extra, void *value, void *into, int *flag)
{
    (void)comm, (void)key, (void)extra;
    ++copies;
    *(void **)into = value;
    *flag = 1;
    return MPI_SUCCESS;
}
static int removal(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    ++removals;
    return MPI_SUCCESS;
}

static void attributes(void)
{
    int key = 0, flag = 0;
    int *highest = NULL;
    void *found = NULL;
    MPI_Comm twin;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &highest, &flag);
    CHECK(flag && *highest >= 32767);
    MPI_Comm_create_keyval(copy, removal, &key, NULL);
    MPI_Comm_get_attr(MPI_COMM_WORLD, key, &found, &flag);
    CHECK(!flag);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &copies);
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    MPI_Comm_get_attr(twin, key, &found, &flag);
    CHECK(flag && found == &copies && copies == 1);
    MPI_Comm_free(&twin);
    CHECK(removals == 1);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    CHECK(removals == 2);
}

static void topologies(void)
{
    int dims[3] = {0, 0, 0}, coords[2], periods[2] = {1, 0}, kind = 0, other = 0, source = 0;
    MPI_Dims_create(12, 2, dims);
    CHECK(dims[0] == 4 && dims[1] == 3);
    memset(dims, 0, sizeof dims);
    MPI_Dims_create(64, 3, dims);
    CHECK(dims[0] == 4 && dims[1] == 4 && dims[2] == 4);
    dims[0] = 2;
    dims[1] = size / 2;
    MPI_Comm grid, line;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
    if (grid == MPI_COMM_NULL) return;
    MPI_Topo_test(grid, &kind);
    CHECK(kind == MPI_CART);
    MPI_Cart_coords(grid, rank, 2, coords);
    CHECK(coords[0] == rank / dims[1] && coords[1] == rank % dims[1]);
    MPI_Cart_rank(grid, coords, &other);
    CHECK(other == rank);
    MPI_Cart_shift(grid, 1, 1, &source, &other);
    CHECK(source == (coords[1] == 0 ? MPI_PROC_NULL : rank - 1));
    CHECK(other == (coords[1] == dims[1] - 1 ? MPI_PROC_NULL : rank + 1));
    MPI_Cart_shift(grid, 0, 1, &source, &other);
    CHECK(other == (rank + dims[1]) % (2 * dims[1]));
    const int remain[] = {0, 1};
    MPI_Cart_sub(grid, remain, &line);
    MPI_Comm_size(line, &other);
    CHECK(other == dims[1]);
    MPI_Comm_free(&line);
    MPI_Comm_free(&grid);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    datatypes();
    communicators();
    attributes();
    topologies();
    return end();
}
