/* SPDX-License-Identifier: Apache-2.0
 * Messages between three or more ranks: bytes, order, wild cards, and each way to send and to wait. */
#include "check.h"

enum { LARGE = 100000 };
static unsigned char out[LARGE], in[LARGE];

static void each_size(void)
{
    static const int sizes[] = {0, 1, 7, 64, 128, 129, 1000, 32768, 32769, LARGE};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        const int count = sizes[i];
        MPI_Status status;
        if (rank == 0) {
            fill(out, count, (int)i);
            MPI_Send(out, count, MPI_BYTE, 1, 5, MPI_COMM_WORLD);
            MPI_Ssend(out, count, MPI_BYTE, 1, 6, MPI_COMM_WORLD);
        } else if (rank == 1) {
            for (int tag = 5; tag <= 6; ++tag) {
                int got = -1;
                memset(in, 0, sizeof in);
                MPI_Recv(in, LARGE, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &status);
                MPI_Get_count(&status, MPI_BYTE, &got);
                CHECK(got == count && is_filled(in, count, (int)i));
                CHECK(status.MPI_SOURCE == 0 && status.MPI_TAG == tag);
            }
        }
    }
}

/* Tags in another order than they were sent, of all protocols; equal tags in order. */
static void unexpected(void)
{
    static const int sizes[] = {10, 5000, 50000};
    if (rank == 0) {
        for (int tag = 0; tag < 9; ++tag) {
            MPI_Request request;
            fill(out, sizes[tag % 3], tag);
            MPI_Isend(out, sizes[tag % 3], MPI_BYTE, 1, tag, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            CHECK(request == MPI_REQUEST_NULL);
        }
    } else if (rank == 1) {
        MPI_Request requests[9];
        static unsigned char rooms[9][50000];
        MPI_Status statuses[9];
        for (int tag = 8; tag >= 0; --tag) {
            MPI_Irecv(rooms[tag], 50000, MPI_BYTE, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &requests[tag]);
        }
        MPI_Waitall(9, requests, statuses);
        for (int tag = 0; tag < 9; ++tag) {
            CHECK(is_filled(rooms[tag], sizes[tag % 3], tag));
            CHECK(statuses[tag].MPI_TAG == tag && statuses[tag].MPI_SOURCE == 0);
        }
    }
    if (rank == 0) {
        for (int i = 0; i < 20; ++i) MPI_Send(&i, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
        MPI_Send(out, 1, MPI_BYTE, 1, 4, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(in, 1, MPI_BYTE, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < 20; ++i) {
            int got = -1;
            MPI_Recv(&got, 1, MPI_INT, i % 2 ? MPI_ANY_SOURCE : 0, i % 3 ? MPI_ANY_TAG : 3, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
            CHECK(got == i);
        }
    }
}

/* All send large messages to all at once; each is received from anyone. */
static void crossing(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Request *requests = malloc(sizeof *requests * (size_t)(2 * size));
    unsigned char *all = malloc((size_t)size * LARGE);
    fill(out, LARGE, rank);
    for (int i = 0; i < size; ++i) {
        MPI_Irecv(all + (size_t)i * LARGE, LARGE, MPI_BYTE, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &requests[i]);
        MPI_Isend(out, LARGE, MPI_BYTE, (rank + i) % size, 9, MPI_COMM_WORLD, &requests[size + i]);
    }
    int seen = 0;
    for (int left = size; left > 0; --left) {
        int index = -1;
        MPI_Status status;
        MPI_Waitany(size, requests, &index, &status);
        CHECK(is_filled(all + (size_t)index * LARGE, LARGE, status.MPI_SOURCE));
        seen += 1 << status.MPI_SOURCE;
    }
    CHECK(seen == (1 << size) - 1);
    int index = 0;
    MPI_Waitany(size, requests, &index, MPI_STATUS_IGNORE);
    CHECK(index == MPI_UNDEFINED);
    MPI_Waitall(size, requests + size, MPI_STATUSES_IGNORE);
    free(all);
    free(requests);
}

static void probes_and_tests(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Status status;
        int flag = 1, count = 0, looks = 0;
        MPI_Iprobe(1, 77, MPI_COMM_WORLD, &flag, &status);
        CHECK(flag == 0);
        MPI_Send(out, 0, MPI_BYTE, 1, 70, MPI_COMM_WORLD);
        for (flag = 0; !flag; ++looks) MPI_Iprobe(MPI_ANY_SOURCE, 71, MPI_COMM_WORLD, &flag, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        CHECK(count == 3 && status.MPI_SOURCE == 1 && looks > 1);
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        CHECK(status.MPI_TAG == 71);
        int three[3];
        MPI_Recv(three, 3, MPI_INT, 1, 71, MPI_COMM_WORLD, &status);
        CHECK(three[2] == 3);
        MPI_Request request;
        MPI_Irecv(in, LARGE, MPI_BYTE, 1, 72, MPI_COMM_WORLD, &request);
        MPI_Test(&request, &flag, &status);
        CHECK(!flag);
        for (flag = 0; !flag;) MPI_Test(&request, &flag, &status);
        CHECK(is_filled(in, LARGE, 3) && request == MPI_REQUEST_NULL);
        MPI_Test(&request, &flag, &status);
        CHECK(flag && status.MPI_SOURCE == MPI_ANY_SOURCE && status.MPI_TAG == MPI_ANY_TAG);
    } else if (rank == 1) {
        const int three[] = {1, 2, 3};
        MPI_Recv(in, 0, MPI_BYTE, 0, 70, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(three, 3, MPI_INT, 0, 71, MPI_COMM_WORLD);
        fill(out, LARGE, 3);
        MPI_Send(out, LARGE, MPI_BYTE, 0, 72, MPI_COMM_WORLD);
    }
}

static void other_ways(void)
{
    MPI_Status status;
    int flag = 0, count = 0;
    /* to itself */
    MPI_Request request;
    for (int i = 0; i < 2; ++i) {
        memset(in, 0, sizeof in);
        fill(out, 4000, rank + i);
        if (i == 0) {
            MPI_Send(out, 4000, MPI_BYTE, rank, 1, MPI_COMM_WORLD);
        } else {
            MPI_Issend(out, 4000, MPI_BYTE, rank, 1, MPI_COMM_WORLD, &request);
        }
        MPI_Recv(in, 4000, MPI_BYTE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        CHECK(is_filled(in, 4000, rank + i) && status.MPI_SOURCE == rank);
    }
    MPI_Wait(&request, &status);
    /* to nobody */
    MPI_Send(out, 1, MPI_BYTE, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    MPI_Recv(in, 1, MPI_BYTE, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status);
    CHECK(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
    /* round the ring, in each of four ways */
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    fill(out, LARGE, rank);
    MPI_Sendrecv(out, LARGE, MPI_BYTE, next, 2, in, LARGE, MPI_BYTE, before, 2, MPI_COMM_WORLD, &status);
    CHECK(is_filled(in, LARGE, before) && status.MPI_SOURCE == before);
    MPI_Sendrecv_replace(in, LARGE, MPI_BYTE, before, 3, next, 3, MPI_COMM_WORLD, &status);
    CHECK(is_filled(in, LARGE, rank));
    enum { ROOM = 3000 };
    static char buffer[2 * (ROOM + MPI_BSEND_OVERHEAD)];
    MPI_Buffer_attach(buffer, sizeof buffer);
    fill(out, ROOM, rank);
    MPI_Bsend(out, ROOM, MPI_BYTE, next, 4, MPI_COMM_WORLD);
    MPI_Bsend(out, ROOM, MPI_BYTE, next, 4, MPI_COMM_WORLD);
    memset(out, 0, ROOM);
    MPI_Recv(in, ROOM, MPI_BYTE, before, 4, MPI_COMM_WORLD, &status);
    CHECK(is_filled(in, ROOM, before));
    MPI_Recv(in, ROOM, MPI_BYTE, before, 4, MPI_COMM_WORLD, &status);
    CHECK(is_filled(in, ROOM, before));
    void *detached = NULL;
    MPI_Buffer_detach(&detached, &count);
    CHECK(detached == buffer && count == (int)sizeof buffer);
    /* again and again */
    MPI_Request both[2];
    MPI_Send_init(out, ROOM, MPI_BYTE, next, 5, MPI_COMM_WORLD, &both[0]);
    MPI_Recv_init(in, ROOM, MPI_BYTE, before, 5, MPI_COMM_WORLD, &both[1]);
    for (int i = 0; i < 3; ++i) {
        fill(out, ROOM, rank + i);
        MPI_Startall(2, both);
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
        CHECK(is_filled(in, ROOM, before + i) && both[0] != MPI_REQUEST_NULL);
    }
    MPI_Request_free(&both[0]);
    MPI_Request_free(&both[1]);
    /* called back */
    MPI_Irecv(in, 1, MPI_BYTE, before, 99, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    CHECK(flag);
    /* too large */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Isend(out, 100, MPI_BYTE, next, 6, MPI_COMM_WORLD, &request);
    memset(in, 1, 100);
    CHECK(MPI_Recv(in, 50, MPI_BYTE, before, 6, MPI_COMM_WORLD, &status) == MPI_ERR_TRUNCATE);
    CHECK(in[50] == 1);
    MPI_Wait(&request, &status);
    CHECK(MPI_Send(out, 1, MPI_BYTE, size, 0, MPI_COMM_WORLD) == MPI_ERR_RANK);
    CHECK(MPI_Send(out, -1, MPI_BYTE, 0, 0, MPI_COMM_WORLD) == MPI_ERR_COUNT);
    CHECK(MPI_Send(out, 1, MPI_BYTE, 0, -5, MPI_COMM_WORLD) == MPI_ERR_TAG);
    CHECK(MPI_Send(out, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD) == MPI_ERR_TYPE);
    CHECK(MPI_Send(out, 1, MPI_BYTE, 0, 0, MPI_COMM_NULL) == MPI_ERR_COMM);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static void some(void)
{
    if (rank == 0) {
        MPI_Request *requests = malloc(sizeof *requests * (size_t)size);
        int *got = calloc((size_t)size, sizeof *got), *indices = malloc(sizeof *indices * (size_t)size);
        MPI_Status *statuses = malloc(sizeof *statuses * (size_t)size);
        int left = size - 1, done = 0;
        requests[0] = MPI_REQUEST_NULL;
        for (int i = 1; i < size; ++i) MPI_Irecv(&got[i], 1, MPI_INT, i, 8, MPI_COMM_WORLD, &requests[i]);
        while (left > 0) {
            MPI_Waitsome(size, requests, &done, indices, statuses);
            for (int i = 0; i < done; ++i) CHECK(got[indices[i]] == statuses[i].MPI_SOURCE);
            left -= done;
        }
        MPI_Waitsome(size, requests, &done, indices, statuses);
        CHECK(done == MPI_UNDEFINED);
        free(requests);
        free(got);
        free(indices);
        free(statuses);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    each_size();
    unexpected();
    crossing();
    probes_and_tests();
    other_ways();
    some();
    return end();
}
