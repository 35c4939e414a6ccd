/* SPDX-License-Identifier: Apache-2.0
 * RCCE without flags and buffers of its own, with any number of ranks. */
#include <unistd.h>

#include "rcce.h"

static const int sizes[] = {0, 1, 31, 32, 33, 64, 1000, 4096, 8191, 8192, 20000, 70001};
enum { LARGEST = 70001 };

static void messages(void)
{
    static char out[LARGEST], in[LARGEST + 1];
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        const int next = (me + 1) % ues, before = (me + ues - 1) % ues;
        fill(out, sizes[i], me);
        memset(in, 77, sizeof in);
        /* Someone has to receive first */
        if (me != 0) CHECK(RCCE_recv(in, (size_t)sizes[i], before) == RCCE_SUCCESS);
        CHECK(RCCE_send(out, (size_t)sizes[i], next) == RCCE_SUCCESS);
        if (me == 0) CHECK(RCCE_recv(in, (size_t)sizes[i], before) == RCCE_SUCCESS);
        CHECK(is_filled(in, sizes[i], before));
        CHECK(in[sizes[i]] == 77);
    }
}

/* The receiver looks until the message is there. */
static void test(void)
{
    char bytes[100];
    int done = 0, looks = 0;
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 1) {
        usleep(100);
        fill(bytes, 100, 3);
        RCCE_send(bytes, 100, 0);
    } else if (me == 0) {
        for (; !done; ++looks) CHECK(RCCE_recv_test(bytes, 100, 1, &done) == RCCE_SUCCESS);
        CHECK(looks > 1);
        CHECK(is_filled(bytes, 100, 3));
    }
}

static void collectives(void)
{
    static char bytes[9000];
    for (int root = 0; root < ues; root += 5) {
        memset(bytes, 0, sizeof bytes);
        if (me == root) fill(bytes, 9000, root);
        CHECK(RCCE_bcast(bytes, 9000, root, RCCE_COMM_WORLD) == RCCE_SUCCESS);
        CHECK(is_filled(bytes, 9000, root));
    }
    int numbers[3] = {me, -me, 2}, all[3] = {-1, -1, -1};
    CHECK(RCCE_allreduce((char *)numbers, (char *)all, 3, RCCE_INT, RCCE_SUM, RCCE_COMM_WORLD) == RCCE_SUCCESS);
    CHECK(all[0] == ues * (ues - 1) / 2 && all[1] == -all[0] && all[2] == 2 * ues);
    double real = me + 0.5, most = 0;
    const int last = ues - 1;
    CHECK(RCCE_reduce((char *)&real, (char *)&most, 1, RCCE_DOUBLE, RCCE_MAX, last, RCCE_COMM_WORLD) == RCCE_SUCCESS);
    CHECK(most == (me == last ? last + 0.5 : 0));
    long least = me - 3L;
    CHECK(RCCE_allreduce((char *)&least, (char *)&least, 1, RCCE_LONG, RCCE_MIN, RCCE_COMM_WORLD) == RCCE_SUCCESS);
    CHECK(least == -3);
    float two = me < 3 ? 2 : 1, product = 0;
    RCCE_allreduce((char *)&two, (char *)&product, 1, RCCE_FLOAT, RCCE_PROD, RCCE_COMM_WORLD);
    CHECK(product == (ues == 1 ? 2 : ues == 2 ? 4 : 8));
    CHECK(RCCE_allreduce((char *)&two, (char *)&product, 1, 5, RCCE_SUM, RCCE_COMM_WORLD) == RCCE_ERROR_ILLEGAL_TYPE);
    CHECK(RCCE_allreduce((char *)&two, (char *)&product, 1, RCCE_INT, 5, RCCE_COMM_WORLD) == RCCE_ERROR_ILLEGAL_OP);
}

static int odd(int ue, void *offset) { return (ue + *(int *)offset) % 2; }

static void communicators(void)
{
    static RCCE_COMM half;
    int offset = 1, size = -1, rank = -1;
    CHECK(RCCE_comm_rank(half, &rank) == RCCE_ERROR_COMM_INITIALIZED);
    CHECK(RCCE_comm_split(odd, &offset, &half) == RCCE_SUCCESS);
    RCCE_comm_size(half, &size);
    RCCE_comm_rank(half, &rank);
    CHECK(size == (ues + 1 - me % 2) / 2 && rank == me / 2);
    RCCE_comm_size(RCCE_COMM_WORLD, &size);
    RCCE_comm_rank(RCCE_COMM_WORLD, &rank);
    CHECK(size == ues && rank == me);
    for (int times = 0; times < 3; ++times) CHECK(RCCE_barrier(&half) == RCCE_SUCCESS);
    int sum = 0;
    RCCE_allreduce((char *)&me, (char *)&sum, 1, RCCE_INT, RCCE_SUM, half);
    int expected = 0;
    for (int ue = me % 2; ue < ues; ue += 2) expected += ue;
    CHECK(sum == expected);
    int last = me % 2 + 2 * (half.size - 1), told = me;
    CHECK(RCCE_bcast((char *)&told, sizeof told, half.size - 1, half) == RCCE_SUCCESS);
    CHECK(told == last);
    CHECK(RCCE_bcast((char *)&told, sizeof told, half.size, half) == RCCE_ERROR_ID);
    CHECK(RCCE_comm_split(odd, &offset, &half) == RCCE_SUCCESS);
    CHECK(RCCE_barrier(&half) == RCCE_SUCCESS);
}

/* Each rank adds to what all share, one after the other. */
static void shared_memory(void)
{
    volatile int *const count = (volatile int *)RCCE_shmalloc(sizeof *count);
    volatile int *const slots = (volatile int *)RCCE_shmalloc((size_t)ues * sizeof *slots);
    CHECK(count && slots && (volatile char *)slots - (volatile char *)count == 32);
    if (me == 0) *count = 0;
    RCCE_barrier(&RCCE_COMM_WORLD);
    for (int times = 0; times < 3; ++times) {
        RCCE_acquire_lock(0);
        const int before = *count;
        RCCE_wtime();
        *count = before + 1;
        RCCE_release_lock(0);
    }
    slots[me] = me * me;
    RCCE_shflush();
    RCCE_barrier(&RCCE_COMM_WORLD);
    CHECK(*count == 3 * ues);
    for (int ue = 0; ue < ues; ++ue) CHECK(slots[ue] == ue * ue);
    RCCE_barrier(&RCCE_COMM_WORLD);
    RCCE_shfree((t_vcharp)count);
    CHECK(RCCE_shmalloc(20) == (t_vcharp)count);
    CHECK(RCCE_shmalloc((size_t)RCCE_SHM_SIZE_MAX) == 0);
}

static void errors(void)
{
    char text[RCCE_MAX_ERROR_STRING + 1];
    int length = -1;
    for (int code = RCCE_ERROR_BASE + 1; code <= RCCE_ERROR_CORE_NOT_IN_HOSTFILE; ++code) {
        CHECK(RCCE_error_string(code, text, &length) == RCCE_SUCCESS);
        CHECK(length > 0 && length == (int)strlen(text) && length <= RCCE_MAX_ERROR_STRING);
    }
    CHECK(RCCE_error_string(17, text, &length) == RCCE_ERROR_INVALID_ERROR_CODE && length == 0);
    CHECK(RCCE_send(text, 4, ues) == RCCE_ERROR_ID);
    CHECK(RCCE_recv(text, 4, -1) == RCCE_ERROR_ID);
    CHECK(RCCE_debug_set(17) == RCCE_ERROR_DEBUG_FLAG);
    CHECK(RCCE_debug_set(RCCE_DEBUG_ALL) == RCCE_SUCCESS);
    CHECK(RCCE_debug_unset(RCCE_DEBUG_ALL) == RCCE_SUCCESS);
}

int RCCE_APP(int argc, char **argv)
{
    begin(&argc, &argv);
    const double began = RCCE_wtime();
    communicators();
    if (ues > 1) {
        messages();
        test();
    }
    collectives();
    shared_memory();
    errors();
    CHECK(RCCE_wtime() > began);
    return end();
}
