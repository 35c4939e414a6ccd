/* SPDX-License-Identifier: Apache-2.0
 * Communicators of two groups: messages, collective calls, and what is made of them. From four ranks. */
#include "check.h"

static int keyed_copies;
static int copy_attribute(MPI_Comm comm, int key, void* extra, void* value, void* copy, int* flag)
{
    (void)comm, (void)key, (void)extra;
    ++keyed_copies;
    *(void**)copy = value;
    *flag = 1;
    return MPI_SUCCESS;
}

static void check_collectives(MPI_Comm inter, int is_low)
{
    int mine = 0, others = 0, here = 0;
    MPI_Comm_rank(inter, &here);
    MPI_Comm_size(inter, &mine);
    MPI_Comm_remote_size(inter, &others);
    int* all = malloc(sizeof(int) * (size_t)(mine + others) * 4);

    MPI_Barrier(inter);
    /* the last of the low group gives */
    const int last = (is_low ? mine : others) - 1;
    int value = is_low ? (here == last ? 4711 : -1) : 0;
    MPI_Bcast(&value, 1, MPI_INT, is_low ? (here == last ? MPI_ROOT : MPI_PROC_NULL) : last, inter);
    CHECK(value == (is_low && here != last ? -1 : 4711));

    const int own = 100 * is_low + here;
    for (int i = 0; i < others; ++i) all[i] = -1;
    MPI_Gather(&own, 1, MPI_INT, all, 1, MPI_INT, is_low ? 0 : (here == 0 ? MPI_ROOT : MPI_PROC_NULL), inter);
    for (int i = 0; i < others && !is_low && here == 0; ++i) CHECK(all[i] == 100 + i);

    for (int i = 0; i < others; ++i) all[i] = 7 * i;
    value = -1;
    MPI_Scatter(all, 1, MPI_INT, &value, 1, MPI_INT, is_low ? (here == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0, inter);
    CHECK(value == (is_low ? -1 : 7 * here));

    for (int i = 0; i < others; ++i) all[i] = -1;
    MPI_Allgather(&own, 1, MPI_INT, all, 1, MPI_INT, inter);
    for (int i = 0; i < others; ++i) CHECK(all[i] == 100 * !is_low + i);

    int* const got = all + others;
    for (int i = 0; i < others; ++i) all[i] = 1000 * is_low + 10 * here + i;
    MPI_Alltoall(all, 1, MPI_INT, got, 1, MPI_INT, inter);
    for (int i = 0; i < others; ++i) CHECK(got[i] == 1000 * !is_low + 10 * i + here);

    int sum = 0;
    MPI_Request request;
    MPI_Iallreduce(&own, &sum, 1, MPI_INT, MPI_SUM, inter, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(sum == 100 * !is_low * others + others * (others - 1) / 2);
    sum = -1;
    MPI_Reduce(&own, &sum, 1, MPI_INT, MPI_MAX, is_low ? 0 : (here == 0 ? MPI_ROOT : MPI_PROC_NULL), inter);
    CHECK(sum == (!is_low && here == 0 ? 100 + others - 1 : -1));

    /* as many blocks of 2 * others here as ranks: both groups give the same length */
    const int block = 2 * others;
    int* const out = malloc(sizeof(int) * (size_t)(block * mine));
    int* const in = malloc(sizeof(int) * (size_t)block);
    for (int i = 0; i < block * mine; ++i) out[i] = i + own;
    MPI_Reduce_scatter_block(out, in, block, MPI_INT, MPI_SUM, inter);
    const int owns = 100 * !is_low * others + others * (others - 1) / 2;
    for (int i = 0; i < block; ++i) CHECK(in[i] == others * (here * block + i) + owns);
    free(out);
    free(in);
    free(all);
}

int main(int argc, char** argv)
{
    begin(&argc, &argv);
    const int half = size / 2, is_low = rank < half;
    MPI_Comm local, inter, copy, merged, parts, made;
    int flag = -1, other_size = 0, key = 0, result = 0, here = 0, count = 0;
    MPI_Comm_split(MPI_COMM_WORLD, is_low, rank, &local);
    MPI_Intercomm_create(local, 1, MPI_COMM_WORLD, is_low ? half + 1 : 1, 5, &inter);
    MPI_Comm_test_inter(local, &flag);
    CHECK(flag == 0);
    MPI_Comm_test_inter(inter, &flag);
    CHECK(flag == 1);
    MPI_Comm_remote_size(inter, &other_size);
    CHECK(other_size == (is_low ? size - half : half));
    MPI_Group world, remote;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Comm_remote_group(inter, &remote);
    const int zero = 0;
    MPI_Group_translate_ranks(remote, 1, &zero, world, &result);
    CHECK(result == (is_low ? half : 0));

    /* a message names a rank of the other group */
    unsigned char bytes[5000], got[5000];
    MPI_Status status;
    MPI_Comm_rank(inter, &here);
    const int partner = here < other_size ? here : MPI_PROC_NULL;
    fill(bytes, sizeof bytes, rank);
    MPI_Sendrecv(bytes, sizeof bytes, MPI_BYTE, partner, 9, got, sizeof got, MPI_BYTE,
                 partner == MPI_PROC_NULL ? MPI_PROC_NULL : MPI_ANY_SOURCE, 9, inter, &status);
    if (partner != MPI_PROC_NULL) {
        CHECK(status.MPI_SOURCE == partner);
        CHECK(is_filled(got, sizeof got, is_low ? half + partner : partner));
    }
    check_collectives(inter, is_low);

    MPI_Comm_create_keyval(copy_attribute, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(inter, key, &key);
    MPI_Comm_dup(inter, &copy);
    CHECK(keyed_copies == 1);
    void* value = NULL;
    MPI_Comm_get_attr(copy, key, &value, &flag);
    CHECK(flag && value == (void*)&key);
    MPI_Comm_compare(inter, copy, &result);
    CHECK(result == MPI_CONGRUENT);
    check_collectives(copy, is_low);
    MPI_Comm_free_keyval(&key);

    MPI_Intercomm_merge(copy, is_low, &merged); /* so the high group comes first */
    MPI_Comm_rank(merged, &here);
    CHECK(here == (is_low ? rank + size - half : rank - half));
    MPI_Allreduce(&here, &count, 1, MPI_INT, MPI_SUM, merged);
    CHECK(count == size * (size - 1) / 2);

    /* the first of each group go */
    MPI_Comm_rank(inter, &here);
    MPI_Comm_split(inter, here == 0 ? MPI_UNDEFINED : 3, -here, &parts);
    CHECK((here == 0) == (parts == MPI_COMM_NULL));
    if (parts != MPI_COMM_NULL) {
        int place = 0;
        MPI_Comm_rank(parts, &place);
        MPI_Comm_size(parts, &count);
        CHECK(place == count - here);
        check_collectives(parts, is_low);
        MPI_Comm_free(&parts);
    }

    /* only its members make it */
    MPI_Group odd;
    const int range[1][3] = {{1, size - 1, 2}};
    MPI_Group_range_incl(world, 1, (int(*)[3])range, &odd);
    if (rank % 2 == 1) {
        MPI_Comm_create_group(MPI_COMM_WORLD, odd, 77, &made);
        MPI_Comm_rank(made, &here);
        CHECK(here == rank / 2);
        MPI_Barrier(made);
        MPI_Comm_free(&made);
    }

    /* two that are made at the same time are two */
    MPI_Comm twins[2];
    MPI_Request requests[2];
    MPI_Comm_idup(MPI_COMM_WORLD, &twins[0], &requests[0]);
    MPI_Comm_idup(local, &twins[1], &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Comm_compare(twins[1], local, &result);
    CHECK(result == MPI_CONGRUENT);
    int first = rank, second = -1;
    MPI_Comm_rank(twins[1], &here);
    MPI_Comm_size(twins[1], &count);
    MPI_Irecv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, twins[1], &requests[0]);
    MPI_Irecv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, twins[0], &requests[1]);
    const int in_world = 1000 + rank, in_local = 2000 + rank;
    MPI_Send(&in_world, 1, MPI_INT, (rank + 1) % size, 0, twins[0]);
    MPI_Send(&in_local, 1, MPI_INT, (here + 1) % count, 0, twins[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK(first == 1000 + (rank + size - 1) % size);
    CHECK(second == 2000 + rank - here + (here + count - 1) % count);
    return end();
}
