/* SPDX-License-Identifier: Apache-2.0
 * Messages of iRCCE, with any number of ranks. */
#include <iRCCE.h>

#include "rcce.h"

enum { MOST = 48, BYTES = 10000 };
static char out[MOST][BYTES], in[MOST][BYTES + 1];
static iRCCE_SEND_REQUEST sends[MOST];
static iRCCE_RECV_REQUEST recvs[MOST];

static void clear(void)
{
    memset(in, 9, sizeof in);
    RCCE_barrier(&RCCE_COMM_WORLD);
}

static void check_all(int bytes, int seed)
{
    for (int ue = 0; ue < ues; ++ue) {
        if (ue == me) continue;
        CHECK(is_filled(in[ue], bytes, seed + ue * ues + me));
        CHECK(in[ue][bytes] == 9);
    }
}

/* All with all: the list in one go, one after the other, by looks, or each by itself. */
static void exchange(int bytes, int how)
{
    iRCCE_WAIT_LIST list;
    iRCCE_init_wait_list(&list);
    clear();
    for (int ue = 0; ue < ues; ++ue) {
        if (ue == me) continue;
        fill(out[ue], bytes, how + me * ues + ue);
        iRCCE_irecv(in[ue], bytes, ue, &recvs[ue]);
        iRCCE_isend(out[ue], bytes, ue, &sends[ue]);
        CHECK(iRCCE_get_dest(&sends[ue]) == ue && iRCCE_get_size(&sends[ue], 0) == bytes);
        iRCCE_add_to_wait_list(&list, &sends[ue], &recvs[ue]);
    }
    int done = 0, sent = 0, received = 0;
    switch (how) {
        case 0: CHECK(iRCCE_wait_all(&list) == iRCCE_SUCCESS); break;
        case 1:
            while (list.first != 0) {
                iRCCE_SEND_REQUEST *send;
                iRCCE_RECV_REQUEST *recv;
                CHECK(iRCCE_wait_any(&list, &send, &recv) == iRCCE_SUCCESS);
                CHECK((send == 0) != (recv == 0));
                if (send) ++sent;
                if (recv) ++received;
                if (recv) CHECK(recv->source == recv - recvs && iRCCE_get_source(recv) == recv->source);
                if (recv) CHECK(is_filled(recv->privbuf, bytes, how + recv->source * ues + me));
            }
            CHECK(sent == ues - 1 && received == ues - 1);
            break;
        case 2:
            while (iRCCE_test_all(&list, &done) != iRCCE_SUCCESS) CHECK(done == 0);
            CHECK(done == 1);
            break;
        case 3:
            while (list.first != 0) {
                iRCCE_SEND_REQUEST *send;
                iRCCE_RECV_REQUEST *recv;
                if (iRCCE_test_any(&list, &send, &recv) != iRCCE_SUCCESS) CHECK(send == 0 && recv == 0);
            }
            break;
        default:
            for (int ue = 0; ue < ues; ++ue) {
                if (ue == me) continue;
                while (iRCCE_isend_test(&sends[ue], &done) != iRCCE_SUCCESS) {
                    CHECK(done == 0);
                    iRCCE_irecv_push();
                    iRCCE_isend_push();
                }
                CHECK(done == 1 && sends[ue].finished);
            }
            for (int ue = 0; ue < ues; ++ue) {
                if (ue != me) CHECK(iRCCE_irecv_wait(&recvs[ue]) == iRCCE_SUCCESS);
                if (ue != me) CHECK(iRCCE_get_status(0, &recvs[ue]) == iRCCE_SUCCESS);
            }
    }
    check_all(bytes, how);
}

/* From whoever sends, of a length that the sender alone knows. */
static void wildcards(void)
{
    clear();
    if (me == 0) {
        int from[MOST] = {0};
        for (int i = 1; i < ues; ++i) CHECK(iRCCE_irecv(in[i], iRCCE_ANY_LENGTH, iRCCE_ANY_SOURCE, &recvs[i]) <= 0);
        for (int i = 1; i < ues; ++i) {
            CHECK(iRCCE_irecv_wait(&recvs[i]) == iRCCE_SUCCESS);
            const int source = recvs[i].source;
            CHECK(source > 0 && source < ues && ++from[source] == 1);
            CHECK((int)recvs[i].size == 100 + source && iRCCE_get_size(0, &recvs[i]) == 100 + source);
            CHECK(is_filled(in[i], 100 + source, source) && in[i][100 + source] == 9);
        }
        RCCE_barrier(&RCCE_COMM_WORLD);
        CHECK(iRCCE_recv(in[1], iRCCE_ANY_LENGTH, iRCCE_ANY_SOURCE) == iRCCE_SUCCESS);
        CHECK(iRCCE_get_length() == 5000 && iRCCE_get_source(0) == 1 && is_filled(in[1], 5000, 2));
        int source = -1, found = 0;
        while (!found) CHECK(iRCCE_iprobe(iRCCE_ANY_SOURCE, &source, &found) == iRCCE_SUCCESS);
        CHECK(source == 1);
        CHECK(iRCCE_probe(1, &source) == iRCCE_SUCCESS && source == 1 && iRCCE_get_length() == 40);
        CHECK(iRCCE_srecv(in[1], 40, source) == iRCCE_SUCCESS && is_filled(in[1], 40, 4));
        found = 0;
        while (!found) CHECK(iRCCE_srecv_test(in[1], 33, 1, &found) == iRCCE_SUCCESS);
        CHECK(is_filled(in[1], 33, 5));
    } else {
        for (int i = 0; i < 3 * me; ++i) RCCE_wtime();
        fill(out[0], 100 + me, me);
        CHECK(RCCE_isend(out[0], 100 + me, 0, &sends[0]) <= 0);
        CHECK(iRCCE_isend_wait(&sends[0]) == iRCCE_SUCCESS);
        RCCE_isend_push(-1);
        RCCE_barrier(&RCCE_COMM_WORLD);
    }
    if (me == 1) {
        fill(out[0], 5000, 2);
        fill(out[1], 40, 4);
        fill(out[2], 33, 5);
        CHECK(iRCCE_send(out[0], 5000, 0) == iRCCE_SUCCESS);
        CHECK(iRCCE_isend(out[1], 40, 0, 0) == iRCCE_SUCCESS);
        RCCE_send(out[2], 33, 0);
    }
}

static void cancelled(void)
{
    clear();
    int done = 5;
    const int peer = me ^ 1;
    if (peer >= ues) return;
    CHECK(iRCCE_irecv(in[0], 50, peer, &recvs[0]) == iRCCE_PENDING);
    CHECK(iRCCE_irecv(in[1], 50, peer, &recvs[1]) == iRCCE_RESERVED);
    CHECK(iRCCE_get_status(0, &recvs[1]) == iRCCE_RESERVED);
    CHECK(iRCCE_irecv_cancel(&recvs[0], &done) == iRCCE_SUCCESS && done == 1);
    CHECK(iRCCE_irecv_cancel(&recvs[0], &done) == iRCCE_NOT_ENQUEUED && done == 0);
    fill(out[0], 50, me);
    fill(out[1], 50, me + 60);
    RCCE_barrier(&RCCE_COMM_WORLD);
    CHECK(iRCCE_isend(out[0], 50, peer, &sends[0]) == iRCCE_PENDING);
    CHECK(iRCCE_isend(out[1], 50, peer, &sends[1]) == iRCCE_RESERVED);
    CHECK(iRCCE_isend_cancel(&sends[0], &done) == iRCCE_PENDING && done == 0);
    CHECK(iRCCE_isend_cancel(&sends[1], &done) == iRCCE_SUCCESS && done == 1);
    CHECK(iRCCE_irecv_wait(&recvs[1]) == iRCCE_SUCCESS && is_filled(in[1], 50, peer));
    CHECK(iRCCE_isend_wait(0) == iRCCE_SUCCESS && iRCCE_irecv_wait(0) == iRCCE_SUCCESS);
    CHECK(iRCCE_isend(out[0], 0, peer, &sends[0]) == iRCCE_SUCCESS && sends[0].finished);
    CHECK(iRCCE_isend(out[0], 4, ues, &sends[0]) == RCCE_ERROR_ID);
}

static void copies(void)
{
    const t_vcharp there = iRCCE_malloc(64);
    char mine[64], back[64], more[64];
    fill(mine, 64, 1);
    CHECK(iRCCE_memcpy_put((void *)there, mine, 64) == (void *)there);
    CHECK(iRCCE_memcpy_get(back, (const void *)there, 64) == back && is_filled(back, 64, 1));
    CHECK(iRCCE_put(there, (t_vcharp)mine + 32, 32, me) == iRCCE_SUCCESS);
    CHECK(iRCCE_get((t_vcharp)back, there, 64, me) == iRCCE_SUCCESS);
    CHECK(memcmp(back, mine + 32, 32) == 0 && memcmp(back + 32, mine + 32, 32) == 0);
    CHECK(iRCCE_memcpy(more, mine, 63) == more && is_filled(more, 63, 1));
}

int RCCE_APP(int argc, char **argv)
{
    begin(&argc, &argv);
    CHECK(iRCCE_init() == iRCCE_SUCCESS);
    copies();
    for (int how = 0; how < 5; ++how) {
        if (ues > 8 && (how == 2 || how == 3)) continue; /* many looks */
        exchange(50, how);
        exchange(ues > 8 ? 1000 : BYTES, how);
    }
    if (ues > 1) {
        wildcards();
        if (ues % 2 == 0) cancelled();
    }
    int value = me == 0 ? 11 : 0;
    iRCCE_barrier(&RCCE_COMM_WORLD);
    iRCCE_bcast((char *)&value, sizeof value, 0, RCCE_COMM_WORLD);
    CHECK(value == 11);
    /* A receive may be left over */
    if (ues > 1) iRCCE_irecv(in[0], 4, (me + 1) % ues, &recvs[0]);
    return end();
}
