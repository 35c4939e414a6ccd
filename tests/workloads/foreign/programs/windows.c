/* SPDX-License-Identifier: Apache-2.0
 * One-sided calls: each way to synchronize, each access, types of the target, locks that are fought for. */
#include "check.h"

enum { kMost = 100000 };
static int next, before;

static int sum_of_ranks(void) { return size * (size - 1) / 2; }

static void fences(void)
{
    static unsigned char here[kMost], out[kMost], in[kMost];
    MPI_Win win;
    MPI_Win_create(here, kMost, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int length = 1; length <= kMost; length *= 10) {
        fill(out, length, rank);
        memset(here, 0, kMost);
        MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
        MPI_Put(out, length, MPI_BYTE, next, 0, length, MPI_BYTE, win);
        MPI_Win_fence(0, win);
        CHECK(is_filled(here, length, before));
        MPI_Get(in, length, MPI_BYTE, next, 0, length, MPI_BYTE, win);
        MPI_Win_fence(MPI_MODE_NOPUT | MPI_MODE_NOSTORE | MPI_MODE_NOSUCCEED, win);
        CHECK(is_filled(in, length, rank));
    }
    /* a long one, then a short one at the same place */
    MPI_Win_fence(0, win);
    fill(out, kMost, 7);
    MPI_Accumulate(out, kMost, MPI_BYTE, next, 0, kMost, MPI_BYTE, MPI_REPLACE, win);
    MPI_Accumulate("x", 1, MPI_BYTE, next, 1, 1, MPI_BYTE, MPI_REPLACE, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    CHECK(here[1] == 'x' && here[0] == out[0] && !memcmp(here + 2, out + 2, kMost - 2));
    MPI_Win_free(&win);
    CHECK(win == MPI_WIN_NULL);
}

static void posts(void)
{
    int* here;
    MPI_Win win;
    MPI_Win_allocate((MPI_Aint)sizeof(int) * size, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &here, &win);
    for (int i = 0; i < size; ++i) here[i] = -1;
    MPI_Group all, to, from;
    MPI_Win_get_group(win, &all);
    MPI_Group_incl(all, 1, &next, &to);
    MPI_Group_incl(all, 1, &before, &from);
    for (int round = 0; round < 3; ++round) {
        int value = 100 * rank + round, got = -1;
        MPI_Win_post(from, 0, win);
        MPI_Win_start(to, 0, win);
        MPI_Put(&value, 1, MPI_INT, next, rank, 1, MPI_INT, win);
        MPI_Get(&got, 1, MPI_INT, next, rank, 1, MPI_INT, win);
        MPI_Win_complete(win);
        CHECK(got == value);
        int flag = 0;
        if (round == 1) {
            while (!flag) MPI_Win_test(win, &flag);
        } else {
            MPI_Win_wait(win);
        }
        CHECK(here[before] == 100 * before + round);
    }
    /* all to rank 0, and the post is known to have been */
    if (rank == 0) MPI_Win_post(all, MPI_MODE_NOCHECK, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Group first;
    const int zero = 0;
    MPI_Group_incl(all, 1, &zero, &first);
    MPI_Win_start(first, MPI_MODE_NOCHECK, win);
    MPI_Put(&rank, 1, MPI_INT, 0, rank, 1, MPI_INT, win);
    MPI_Win_complete(win);
    if (rank == 0) {
        MPI_Win_wait(win);
        for (int i = 0; i < size; ++i) CHECK(here[i] == i);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&to);
    MPI_Group_free(&from);
    MPI_Group_free(&first);
    MPI_Win_free(&win);
}

static void locks(void)
{
    long here[3] = {0, 0, 5}, one = 1, old = 0, none = 0;
    MPI_Win win;
    MPI_Win_create(here, sizeof here, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Barrier(MPI_COMM_WORLD);
    /* read, then write what was read and one more: right only if nobody comes between */
    for (int i = 0; i < 20; ++i) {
        long value = -1;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Get(&value, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win);
        MPI_Win_flush(0, win);
        ++value;
        MPI_Put(&value, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, MPI_MODE_NOCHECK, win);
        CHECK(here[0] == 20L * size);
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    /* tickets: each number is given once */
    long seen = 0;
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < 10; ++i) {
        MPI_Fetch_and_op(&one, &old, MPI_LONG, size - 1, 1, MPI_SUM, win);
        MPI_Win_flush_local(size - 1, win);
        seen += old;
    }
    MPI_Fetch_and_op(NULL, &none, MPI_LONG, next, 2, MPI_NO_OP, win);
    MPI_Win_flush_all(win);
    CHECK(none == 5);
    long all = 0;
    MPI_Allreduce(&seen, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all == 10L * size * (10L * size - 1) / 2);
    /* one of all swaps */
    const long free_place = 5, mine = 100 + rank;
    old = -1;
    MPI_Compare_and_swap(&mine, &free_place, &old, MPI_LONG, 0, 2, win);
    MPI_Win_flush(0, win);
    const long won = old == 5;
    MPI_Allreduce(&won, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all == 1 && (won || old >= 100));
    MPI_Win_unlock_all(win);
    /* both at once, each of a rank of its own */
    if (size > 1) {
        int other = (rank + 2) % size;
        MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win);
        if (other != next) MPI_Win_lock(MPI_LOCK_SHARED, other, 0, win);
        MPI_Get(&old, 1, MPI_LONG, next, 0, 1, MPI_LONG, win);
        MPI_Win_flush_local_all(win);
        CHECK(old == (next == 0 ? 20L * size : 0));
        if (other != next) MPI_Win_unlock(other, win);
        MPI_Win_unlock(next, win);
    }
    /* a rank that only looks at its own memory lets others in */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    if (rank == 0 && size > 1) {
        volatile long* const flag = &here[1];
        here[1] = 0;
        MPI_Win_sync(win);
        MPI_Send(NULL, 0, MPI_INT, 1, 3, MPI_COMM_WORLD);
        while (*flag != 77) MPI_Win_sync(win);
    } else if (rank == 1) {
        const long value = 77;
        MPI_Recv(NULL, 0, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Put(&value, 1, MPI_LONG, 0, 1, 1, MPI_LONG, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

static void types(void)
{
    enum { kWide = 12, kHigh = 9 };
    static int here[kHigh][kWide], column[kHigh], back[kHigh], part[6];
    MPI_Win win;
    MPI_Win_create(here, sizeof here, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int i = 0; i < kHigh; ++i) {
        for (int j = 0; j < kWide; ++j) here[i][j] = 1000 * rank + 100 * i + j;
        column[i] = -100 * rank - i;
    }
    MPI_Datatype down, inner, odd, pair;
    MPI_Type_vector(kHigh, 1, kWide, MPI_INT, &down);
    const int sizes[2] = {kHigh, kWide}, parts[2] = {2, 3}, starts[2] = {5, 6};
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &inner);
    const int lengths[3] = {2, 1, 3}, places[3] = {20, 3, 40};
    MPI_Type_indexed(3, lengths, places, MPI_INT, &odd);
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &pair);
    MPI_Type_commit(&down);
    MPI_Type_commit(&inner);
    MPI_Type_commit(&odd);
    MPI_Type_commit(&pair);
    MPI_Win_fence(0, win);
    MPI_Put(column, kHigh, MPI_INT, next, 2, 1, down, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < kHigh; ++i) {
        CHECK(here[i][2] == -100 * before - i && here[i][3] == 1000 * rank + 100 * i + 3);
    }
    MPI_Get(back, 1, MPI_INT, next, 0, 1, MPI_INT, win);
    MPI_Get(back + 1, 1, pair, next, 6, 1, pair, win);
    MPI_Get(back + 2, 2, MPI_INT, next, 6, 2, pair, win);
    MPI_Win_fence(0, win);
    CHECK(back[0] == 1000 * next && back[1] == 1000 * next + 6 && back[3] == 1000 * next + 8);
    MPI_Type_free(&down);
    MPI_Get(part, 6, MPI_INT, next, 0, 1, inner, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 6; ++i) CHECK(part[i] == 1000 * next + 100 * (5 + i / 3) + 6 + i % 3);
    /* all add to rank 0, at places that are not in order */
    int ones[6] = {1, 2, 3, 4, 5, 6}, results[6];
    int first[6];
    memcpy(first, (int[]){here[1][8], here[1][9], here[0][3], here[3][4], here[3][5], here[3][6]}, sizeof first);
    MPI_Accumulate(ones, 6, MPI_INT, 0, 0, 1, odd, MPI_SUM, win);
    MPI_Win_fence(0, win);
    if (rank == 0) {
        CHECK(here[1][8] == first[0] + size && here[1][9] == first[1] + 2 * size && here[0][3] == first[2] + 3 * size);
        CHECK(here[3][4] == first[3] + 4 * size && here[3][6] == first[5] + 6 * size);
    }
    MPI_Get_accumulate(ones, 6, MPI_INT, results, 6, MPI_INT, next, 0, 1, odd, MPI_MAX, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    const int times = next == 0 ? size : 0;
    CHECK(results[0] == 1000 * next + 108 + times && results[2] == 1000 * next + 3 + 3 * times);
    MPI_Type_free(&inner);
    MPI_Type_free(&odd);
    MPI_Type_free(&pair);
    MPI_Win_free(&win);

    /* pairs with a hole, numbers of other kinds */
    struct {
        double value;
        int index;
    } best = {-1, -1}, mine = {rank % 2 ? 4.5 : 1.5, rank};
    MPI_Win_create(&best, sizeof best, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Accumulate(&mine, 1, MPI_DOUBLE_INT, 0, 0, 1, MPI_DOUBLE_INT, MPI_MAXLOC, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    if (rank == 0) CHECK(size > 1 ? best.value == 4.5 && best.index == 1 : best.value == 1.5 && best.index == 0);
    MPI_Win_free(&win);
}

static void requests(void)
{
    static unsigned char here[kMost], out[kMost], in[kMost];
    MPI_Win win;
    MPI_Request all[3];
    MPI_Win_create(here, kMost, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    fill(out, kMost, rank);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    MPI_Rput(out, kMost, MPI_BYTE, next, 0, kMost, MPI_BYTE, win, &all[0]);
    MPI_Wait(&all[0], MPI_STATUS_IGNORE);
    memset(out, 0, kMost); /* it is the program's again */
    MPI_Win_flush(next, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Rget(in, kMost, MPI_BYTE, next, 0, kMost, MPI_BYTE, win, &all[0]);
    MPI_Waitall(1, all, MPI_STATUSES_IGNORE);
    CHECK(is_filled(in, kMost, rank) && is_filled(here, kMost, before));
    MPI_Barrier(MPI_COMM_WORLD);
    unsigned char bits = 0xf0, old = 0;
    MPI_Raccumulate(&bits, 1, MPI_BYTE, next, 3, 1, MPI_BYTE, MPI_BOR, win, &all[0]);
    bits = 0x0f;
    MPI_Rget_accumulate(&bits, 1, MPI_BYTE, &old, 1, MPI_BYTE, next, 3, 1, MPI_BYTE, MPI_BAND, win, &all[1]);
    MPI_Rput(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, 0, MPI_BYTE, win, &all[2]);
    MPI_Waitall(3, all, MPI_STATUSES_IGNORE);
    CHECK(old == (in[3] | 0xf0));
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(here[3] < 16 && all[1] == MPI_REQUEST_NULL);
    MPI_Win_free(&win);
}

/* More than may be under way at once. */
static void floods(void)
{
    enum { kEach = 200000, kTimes = 6 };
    unsigned char* const here = malloc((size_t)kEach * 2);
    unsigned char* const out = malloc(kEach);
    MPI_Win win;
    MPI_Win_create(here, 2 * kEach, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    fill(out, kEach, rank);
    MPI_Win_fence(0, win);
    for (int i = 0; i < kTimes; ++i) MPI_Put(out, kEach, MPI_BYTE, next, 0, kEach, MPI_BYTE, win);
    for (int i = 0; i < kTimes; ++i) MPI_Get(here + kEach, kEach, MPI_BYTE, next, 0, kEach, MPI_BYTE, win);
    MPI_Win_fence(0, win);
    CHECK(is_filled(here, kEach, before) && is_filled(here + kEach, kEach, rank));
    int sum = 0, own = rank;
    MPI_Win_free(&win);
    MPI_Win_create(&sum, sizeof sum, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 50; ++i) {
        for (int to = 0; to < size; ++to) MPI_Accumulate(&own, 1, MPI_INT, to, 0, 1, MPI_INT, MPI_SUM, win);
    }
    MPI_Win_fence(0, win);
    CHECK(sum == 50 * sum_of_ranks());
    MPI_Win_free(&win);
    free(here);
    free(out);
}

/* Ranks of a window are those of its communicator. */
static void turned(void)
{
    MPI_Comm comm;
    MPI_Win win;
    int got[2] = {-1, -1}, mine;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
    MPI_Comm_rank(comm, &mine);
    MPI_Win_create(got, sizeof got, sizeof(int), MPI_INFO_NULL, comm, &win);
    MPI_Comm_free(&comm); /* it is needed no more */
    MPI_Win_fence(0, win);
    MPI_Put(&rank, 1, MPI_INT, (mine + 1) % size, 1, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    CHECK(mine == size - 1 - rank && got[1] == next && got[0] == -1);
    MPI_Win_free(&win);
}

int main(int argc, char** argv)
{
    begin(&argc, &argv);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    fences();
    posts();
    locks();
    types();
    requests();
    floods();
    turned();
    return end();
}
