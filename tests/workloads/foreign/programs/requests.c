/* SPDX-License-Identifier: Apache-2.0
 * Matched probes, requests of the program's own, sends with receives, persistent collectives. From two ranks. */
#include "check.h"

static int queries, releases, cancels;
static int query(void* extra, MPI_Status* status)
{
    ++queries;
    MPI_Status_set_elements(status, MPI_DOUBLE, *(int*)extra);
    MPI_Status_set_cancelled(status, cancels);
    status->MPI_SOURCE = 3;
    status->MPI_TAG = 4;
    return MPI_SUCCESS;
}
static int release(void* extra)
{
    (void)extra;
    ++releases;
    return MPI_SUCCESS;
}
static int cancel(void* extra, int complete)
{
    (void)extra;
    if (!complete) ++cancels;
    return MPI_SUCCESS;
}

int main(int argc, char** argv)
{
    begin(&argc, &argv);
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    enum { kMost = 100000 };
    static unsigned char bytes[kMost], got[kMost], more[kMost];
    MPI_Message first, second, none;
    MPI_Status status;
    MPI_Request requests[2];
    int flag = 0, count = 0;

    /* of two that match, a matched probe takes the first; what is taken, nobody else gets. Long ones wait outside. */
    for (int length = 10; length <= kMost; length *= 100) {
        fill(bytes, length, rank);
        MPI_Isend(bytes, length, MPI_BYTE, next, 5, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(bytes, length - 1, MPI_BYTE, next, 5, MPI_COMM_WORLD, &requests[1]);
        MPI_Mprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &first, &status);
        MPI_Get_count(&status, MPI_BYTE, &count);
        CHECK(count == length && status.MPI_SOURCE == before);
        for (flag = 0; !flag;) MPI_Improbe(before, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &second, &status);
        MPI_Improbe(before, 5, MPI_COMM_WORLD, &flag, &none, &status);
        CHECK(!flag);
        MPI_Request late;
        MPI_Imrecv(more, length, MPI_BYTE, &second, &late);
        MPI_Wait(&late, &status);
        MPI_Get_count(&status, MPI_BYTE, &count);
        CHECK(count == length - 1 && is_filled(more, length - 1, before));
        MPI_Mrecv(got, length, MPI_BYTE, &first, &status);
        CHECK(status.MPI_TAG == 5 && is_filled(got, length, before));
        CHECK(first == MPI_MESSAGE_NULL && second == MPI_MESSAGE_NULL);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD); /* or messages of the next length may be there already */
    }
    MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &first, &status);
    CHECK(first == MPI_MESSAGE_NO_PROC && status.MPI_SOURCE == MPI_PROC_NULL);
    MPI_Mrecv(got, 1, MPI_BYTE, &first, &status);
    CHECK(first == MPI_MESSAGE_NULL && status.MPI_SOURCE == MPI_PROC_NULL);

    int elements = 5;
    MPI_Request own;
    MPI_Grequest_start(query, release, cancel, &elements, &own);
    MPI_Test(&own, &flag, &status);
    CHECK(!flag && queries == 0);
    MPI_Cancel(&own);
    CHECK(cancels == 1);
    MPI_Grequest_complete(own);
    MPI_Request_get_status(own, &flag, &status);
    CHECK(flag && queries == 1 && releases == 0 && status.MPI_TAG == 4);
    MPI_Wait(&own, &status);
    MPI_Get_elements(&status, MPI_DOUBLE, &count);
    CHECK(count == 5 && status.MPI_SOURCE == 3 && queries == 2 && releases == 1 && own == MPI_REQUEST_NULL);
    MPI_Test_cancelled(&status, &flag);
    CHECK(flag);

    fill(bytes, kMost, rank);
    MPI_Isendrecv(bytes, kMost, MPI_BYTE, next, 6, got, kMost, MPI_BYTE, before, 6, MPI_COMM_WORLD, &requests[0]);
    MPI_Isendrecv_replace(more, 1, MPI_BYTE, MPI_PROC_NULL, 0, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Wait(&requests[0], &status);
    CHECK(status.MPI_SOURCE == before && is_filled(got, kMost, before));
    MPI_Wait(&requests[1], &status);
    CHECK(status.MPI_SOURCE == MPI_PROC_NULL);
    MPI_Isendrecv_replace(bytes, kMost, MPI_BYTE, next, 7, before, 7, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], &status);
    CHECK(is_filled(bytes, kMost, before));

    /* started in another order than made, by the odd ranks */
    int value = 0, sum = 0, mine = 0;
    MPI_Bcast_init(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    for (int round = 1; round < 4; ++round) {
        value = rank == 0 ? 11 * round : -1;
        mine = rank + round;
        MPI_Start(&requests[rank % 2]);
        MPI_Start(&requests[1 - rank % 2]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        CHECK(value == 11 * round && sum == size * (size - 1) / 2 + size * round);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);

    /* each pair has types of its own */
    int* const counts = malloc(sizeof(int) * (size_t)size);
    int* const places = malloc(sizeof(int) * (size_t)size);
    int* const from = malloc(sizeof(int) * (size_t)size);
    MPI_Datatype* const types = malloc(sizeof(MPI_Datatype) * (size_t)size);
    double* const out = malloc(sizeof(double) * (size_t)size);
    double* const in = malloc(sizeof(double) * (size_t)size);
    for (int i = 0; i < size; ++i) {
        counts[i] = (i + rank) % 2 ? 1 : 2;
        types[i] = (i + rank) % 2 ? MPI_DOUBLE : MPI_INT;
        places[i] = i * 8;
        from[i] = 0;
        out[i] = in[i] = -1;
        if (counts[i] == 1) out[i] = 1000 * rank + i;
        else ((int*)&out[i])[0] = rank, ((int*)&out[i])[1] = i;
    }
    MPI_Ialltoallw(out, counts, places, types, in, counts, places, types, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    for (int i = 0; i < size; ++i) {
        if (counts[i] == 1) CHECK(in[i] == 1000 * i + rank);
        else CHECK(((int*)&in[i])[0] == i && ((int*)&in[i])[1] == rank);
    }

    /* a send that cannot be cancelled completes without its receiver, which gets what the bytes were */
    enum { MANY = 50000 };
    static int many[MANY];
    for (int i = 0; i < MANY; ++i) many[i] = i;
    if (rank == 0 && size > 1) {
        MPI_Status status;
        int cancelled = 1;
        MPI_Issend(many, MANY, MPI_INT, 1, 77, MPI_COMM_WORLD, &requests[0]);
        MPI_Cancel(&requests[0]);
        MPI_Wait(&requests[0], &status);
        MPI_Test_cancelled(&status, &cancelled);
        CHECK(!cancelled && requests[0] == MPI_REQUEST_NULL);
        for (int i = 0; i < MANY; ++i) many[i] = -1;
        MPI_Isend(many, MANY, MPI_INT, 1, 78, MPI_COMM_WORLD, &requests[0]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Recv(many, MANY, MPI_INT, 0, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < MANY; ++i) CHECK(many[i] == i);
        MPI_Recv(many, MANY, MPI_INT, 0, 78, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(many[0] == -1 && many[MANY - 1] == -1);
    }
    if (rank == 0 && size > 1) MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    return end();
}
