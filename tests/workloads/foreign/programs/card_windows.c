/* SPDX-License-Identifier: Apache-2.0
 * Puts and gets of memory that MPI gave out, which cards can do without the target: sizes that are no whole blocks,
 * types with holes, each way to synchronize, windows one after the other. Prints how long a put takes to a rank that
 * computes for a millisecond. */
#include "check.h"

enum { kMost = 5000 };
static int next, before;

static void sizes(unsigned char* here, MPI_Win win)
{
    static unsigned char out[kMost], in[kMost];
    for (int length = 1; length < kMost / 2; length = length * 3 + 1) {
        fill(out, length, rank + length);
        memset(here, 0, kMost);
        MPI_Win_fence(0, win);
        MPI_Put(out, length, MPI_BYTE, next, length, length, MPI_BYTE, win);
        MPI_Win_fence(0, win);
        CHECK(is_filled(here + length, length, before + length) && here[length - 1] == 0 && here[2 * length] == 0);
        MPI_Get(in, length, MPI_BYTE, next, length, length, MPI_BYTE, win);
        MPI_Win_fence(0, win);
        CHECK(is_filled(in, length, rank + length));
        here[0] = (unsigned char)(rank + length); /* stored by the program itself */
        MPI_Win_fence(0, win);
        MPI_Get(in, 1, MPI_BYTE, next, 0, 1, MPI_BYTE, win);
        MPI_Win_fence(0, win);
        CHECK(in[0] == (unsigned char)(next + length));
    }
}

static void types(unsigned char* here, MPI_Win win)
{
    MPI_Datatype holes;
    MPI_Type_vector(5, 3, 7, MPI_BYTE, &holes);
    MPI_Type_commit(&holes);
    unsigned char out[30], in[15];
    fill(out, 30, rank);
    memset(here, 0xee, kMost);
    MPI_Win_fence(0, win);
    MPI_Put(out, 30, MPI_BYTE, next, 11, 2, holes, win);
    MPI_Win_fence(0, win);
    unsigned char want[30];
    fill(want, 30, before);
    for (int i = 0; i < 30; ++i) {
        const int at = 11 + i / 15 * 31 + i % 15 / 3 * 7 + i % 3;
        CHECK(here[at] == want[i]);
        if (i % 3 == 2 && i % 15 != 14) CHECK(here[at + 1] == 0xee);
    }
    MPI_Get(in, 15, MPI_BYTE, next, 11, 1, holes, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 15; ++i) CHECK(in[i] == out[i]);
    /* shorter than the room for it */
    memset(here, 0xee, 40);
    MPI_Win_fence(0, win);
    MPI_Put(out, 4, MPI_BYTE, next, 0, 1, holes, win);
    MPI_Win_fence(0, win);
    CHECK(here[0] == want[0] && here[2] == want[2] && here[7] == want[3] && here[8] == 0xee && here[14] == 0xee);
    MPI_Type_free(&holes);
}

static void synchronizations(int* here, MPI_Win win)
{
    MPI_Group all, to, from;
    MPI_Win_get_group(win, &all);
    MPI_Group_incl(all, 1, &next, &to);
    MPI_Group_incl(all, 1, &before, &from);
    for (int round = 0; round < 3; ++round) {
        const int value = 100 * rank + round;
        MPI_Win_post(from, 0, win);
        MPI_Win_start(to, 0, win);
        MPI_Put(&value, 1, MPI_INT, next, 8, 4, MPI_BYTE, win);
        MPI_Win_complete(win);
        MPI_Win_wait(win);
        CHECK(here[2] == 100 * before + round);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&to);
    MPI_Group_free(&from);
    here[4] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    /* right only if nobody comes between: a get of what the last rank has put */
    for (int i = 0; i < 10; ++i) {
        int value = -1;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Get(&value, 4, MPI_BYTE, 0, 16, 4, MPI_BYTE, win);
        MPI_Win_flush(0, win);
        ++value;
        MPI_Put(&value, 4, MPI_BYTE, 0, 16, 4, MPI_BYTE, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) CHECK(here[4] == 10 * size);
    /* a request, then a get of what the same rank has put, then an accumulate on it */
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    MPI_Request request;
    int value = rank + 5, got = -1;
    MPI_Rput(&value, 4, MPI_BYTE, next, 40, 4, MPI_BYTE, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    value = 0;
    MPI_Win_flush(next, win);
    MPI_Rget(&got, 4, MPI_BYTE, next, 40, 4, MPI_BYTE, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(got == rank + 5);
    value = 1;
    MPI_Accumulate(&value, 1, MPI_INT, next, 40, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(here[10] == before + 6);
}

/* Each rank puts into a place of its own of rank 0, while others read all of them: nothing is lost. */
static void beside_others_who_read(int* here, MPI_Win win)
{
    enum { kRounds = 30, kRanks = 4 };
    memset(here, 0, kRanks * sizeof(int));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    if (rank > 0 && rank < kRanks) {
        for (int value = 1; value <= kRounds; ++value) {
            int seen[kRanks];
            MPI_Put(&value, 4, MPI_BYTE, 0, 4 * rank, 4, MPI_BYTE, win);
            MPI_Win_flush(0, win);
            MPI_Get(seen, sizeof seen, MPI_BYTE, 0, 0, sizeof seen, MPI_BYTE, win);
            MPI_Win_flush(0, win);
            CHECK(seen[rank] == value);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    for (int other = 1; rank == 0 && other < kRanks && other < size; ++other) CHECK(here[other] == kRounds);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* More windows than a driver has segments, each larger than the last, beside one without memory. */
static void many(void)
{
    unsigned char *none, *here;
    MPI_Win empty, win;
    MPI_Win_allocate(rank == 0 ? 0 : 8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &none, &empty);
    for (int length = 100; length < 5000; length += 100) {
        MPI_Win_allocate(length, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &here, &win);
        const unsigned char value = (unsigned char)(rank + length / 100);
        here[length - 1] = 0;
        MPI_Win_fence(0, win);
        MPI_Put(&value, 1, MPI_BYTE, next, length - 1, 1, MPI_BYTE, win);
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
        CHECK(here[length - 1] == (unsigned char)(before + length / 100));
        MPI_Win_free(&win);
    }
    MPI_Win_free(&empty);
}

/* One that is longer than a mapping of it. */
static void large(void)
{
    enum { kBytes = 1200000 };
    unsigned char *here, *out = malloc(kBytes);
    MPI_Win win;
    MPI_Win_allocate(kBytes + 100, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &here, &win);
    fill(out, kBytes, rank);
    MPI_Win_fence(0, win);
    MPI_Put(out, kBytes, MPI_BYTE, next, 100, kBytes, MPI_BYTE, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    CHECK(is_filled(here + 100, kBytes, before));
    MPI_Win_free(&win);
    free(out);
}

static void to_one_that_computes(MPI_Win win)
{
    const int value = 7;
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        const double began = MPI_Wtime();
        MPI_Put(&value, 4, MPI_BYTE, 0, 0, 4, MPI_BYTE, win);
        MPI_Win_flush(0, win);
        printf("%.3f us\n", (MPI_Wtime() - began) * 1e6);
    } else if (rank == 0) {
        const double began = MPI_Wtime();
        while (MPI_Wtime() - began < 1e-3) continue;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
}

int main(int argc, char** argv)
{
    begin(&argc, &argv);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    for (int round = 0; round < 3; ++round) { /* of memory that was a window's before */
        unsigned char* here;
        MPI_Win win;
        if (round == 1) {
            MPI_Alloc_mem(2 * kMost, MPI_INFO_NULL, &here);
            MPI_Win_create(here + 64, kMost, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
        } else {
            MPI_Win_allocate(kMost + round, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &here, &win);
        }
        unsigned char* const base = round == 1 ? here + 64 : here;
        sizes(base, win);
        types(base, win);
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
        synchronizations((int*)(void*)base, win);
        beside_others_who_read((int*)(void*)base, win);
        if (size > 1 && round == 0) to_one_that_computes(win);
        MPI_Win_free(&win);
        if (round == 1) MPI_Free_mem(here);
    }
    many();
    large();
    return end();
}
