/* SPDX-License-Identifier: Apache-2.0
 * RCCE with flags and buffers of the program's own, with any number of ranks. */
#define GORY
#include "rcce.h"

enum { LINE = RCCE_LINE_SIZE };

/* Each rank puts lines into the next one's buffer, and says so by a flag. */
static void puts_and_flags(void)
{
    const int next = (me + 1) % ues, before = (me + ues - 1) % ues;
    RCCE_FLAG full, empty;
    RCCE_FLAG_STATUS value = 17;
    const t_vcharp buffer = RCCE_malloc(4 * LINE);
    CHECK(buffer != 0);
    CHECK(RCCE_flag_alloc(&full) == RCCE_SUCCESS && RCCE_flag_alloc(&empty) == RCCE_SUCCESS);
    CHECK(RCCE_flag_read(full, &value, next) == RCCE_SUCCESS && value == RCCE_FLAG_UNSET);
    RCCE_barrier(&RCCE_COMM_WORLD);
    for (int times = 0; times < 4; ++times) {
        char bytes[4 * LINE + 1], there[4 * LINE + 1];
        fill(bytes, 4 * LINE, me + times);
        if (times > 0) {
            RCCE_wait_until(empty, RCCE_FLAG_SET);
            RCCE_flag_write(&empty, RCCE_FLAG_UNSET, me);
        }
        CHECK(RCCE_put(buffer, (t_vcharp)bytes, 3 * LINE, next) == RCCE_SUCCESS);
        CHECK(RCCE_put(buffer + 3 * LINE, (t_vcharp)bytes + 3 * LINE, LINE, next) == RCCE_SUCCESS);
        RCCE_flag_write(&full, RCCE_FLAG_SET, next);
        if (times % 2 == 0) {
            RCCE_wait_until(full, RCCE_FLAG_SET);
        } else {
            int is_set = 0;
            while (!is_set) RCCE_test_flag(full, RCCE_FLAG_SET, &is_set);
        }
        CHECK(RCCE_probe(full) == RCCE_FLAG_SET);
        RCCE_flag_write(&full, RCCE_FLAG_UNSET, me);
        there[4 * LINE] = 5;
        CHECK(RCCE_get((t_vcharp)there, buffer, 4 * LINE, me) == RCCE_SUCCESS);
        CHECK(is_filled(there, 4 * LINE, before + times) && there[4 * LINE] == 5);
        RCCE_flag_write(&empty, RCCE_FLAG_SET, before);
    }
    RCCE_wait_until(empty, RCCE_FLAG_SET);
    RCCE_flag_write(&empty, RCCE_FLAG_UNSET, me);
    RCCE_barrier(&RCCE_COMM_WORLD);
    /* From another's buffer into the own one */
    char bytes[LINE];
    const t_vcharp copy = RCCE_malloc(LINE);
    CHECK(RCCE_get(copy, buffer + LINE, LINE, next) == RCCE_SUCCESS);
    CHECK(RCCE_get((t_vcharp)bytes, copy, LINE, me) == RCCE_SUCCESS);
    char all[4 * LINE];
    fill(all, 4 * LINE, me + 3);
    CHECK(memcmp(bytes, all + LINE, LINE) == 0);
    RCCE_barrier(&RCCE_COMM_WORLD);
    CHECK(RCCE_put(buffer, (t_vcharp)bytes, LINE - 1, next) == RCCE_ERROR_MESSAGE_LENGTH);
    CHECK(RCCE_put(buffer + 1, (t_vcharp)bytes, LINE, next) == RCCE_ERROR_ALIGNMENT);
    CHECK(RCCE_put((t_vcharp)bytes, buffer, LINE, next) == RCCE_ERROR_TARGET);
    CHECK(RCCE_get((t_vcharp)bytes, (t_vcharp)bytes, LINE, next) == RCCE_ERROR_SOURCE);
    CHECK(RCCE_put(buffer, (t_vcharp)bytes, LINE, ues) == RCCE_ERROR_ID);
    CHECK(RCCE_put(buffer + LINE, buffer, 2 * LINE, me) == RCCE_ERROR_DATA_OVERLAP);
    CHECK(RCCE_flag_write(&full, 2, me) == RCCE_ERROR_FLAG_STATUS_UNDEFINED);
    CHECK(RCCE_flag_free(&full) == RCCE_SUCCESS && full == 0);
    CHECK(RCCE_flag_write(&full, RCCE_FLAG_SET, me) == RCCE_ERROR_FLAG_UNDEFINED);
    CHECK(RCCE_flag_free(&full) == RCCE_ERROR_FLAG_NOT_ALLOCATED);
    RCCE_flag_free(&empty);
    RCCE_free(copy);
    RCCE_free(buffer);
}

static void buffers(void)
{
    CHECK(RCCE_malloc(LINE + 1) == 0 && RCCE_malloc(0) == 0);
    CHECK(RCCE_malloc(RCCE_BUFF_SIZE_MAX) == 0);
    size_t given = 0;
    const t_vcharp most = RCCE_malloc_request(RCCE_BUFF_SIZE_MAX, &given);
    CHECK(most != 0 && given == RCCE_BUFF_SIZE_MAX / 2);
    const t_vcharp one = RCCE_malloc(LINE), two = RCCE_malloc(LINE);
    CHECK(one && two && one != two);
    RCCE_free(one);
    CHECK(RCCE_malloc(LINE) == one);
    RCCE_free(one);
    RCCE_free(two);
    RCCE_free(most);
}

/* Messages through a buffer of two lines. */
static void messages(void)
{
    RCCE_FLAG ready[48], sent[48];
    for (int ue = 0; ue < ues; ++ue) {
        RCCE_flag_alloc(&ready[ue]);
        RCCE_flag_alloc(&sent[ue]);
    }
    const t_vcharp buffer = RCCE_malloc(2 * LINE);
    static char out[1000], in[1001];
    const int next = (me + 1) % ues, before = (me + ues - 1) % ues;
    RCCE_barrier(&RCCE_COMM_WORLD);
    for (int size = 1; size <= 1000; size += ues > 8 ? 333 : 111) {
        fill(out, size, me + size);
        in[size] = 3;
        const size_t bytes = (size_t)size;
        if (me == 0) CHECK(!RCCE_send(out, buffer, 2 * LINE, &ready[next], &sent[me], bytes, next));
        if (size % 2 == 0) {
            int done = 0;
            while (!done) RCCE_recv_test(in, buffer, 2 * LINE, &ready[me], &sent[before], bytes, before, &done);
        } else {
            CHECK(!RCCE_recv(in, buffer, 2 * LINE, &ready[me], &sent[before], bytes, before));
        }
        if (me != 0) CHECK(!RCCE_send(out, buffer, 2 * LINE, &ready[next], &sent[me], bytes, next));
        CHECK(is_filled(in, size, before + size) && in[size] == 3);
    }
    RCCE_FLAG none = 0;
    CHECK(RCCE_send(out, buffer, 2 * LINE, &none, &sent[me], 4, next) == RCCE_ERROR_FLAG_UNDEFINED);
    CHECK(RCCE_send(out, (t_vcharp)out, 2 * LINE, &ready[next], &sent[me], 4, next) == RCCE_ERROR_TARGET);
}

int RCCE_APP(int argc, char **argv)
{
    begin(&argc, &argv);
    buffers();
    puts_and_flags();
    if (ues > 1) messages();
    return end();
}
