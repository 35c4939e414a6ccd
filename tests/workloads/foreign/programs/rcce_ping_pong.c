/* SPDX-License-Identifier: Apache-2.0
 * Half a round trip in ns by RCCE's clock, for each size of the arguments; by iRCCE if the first argument is i. */
#include "rcce.h"

static void send_to(char how, char *bytes, size_t size, int peer)
{
    iRCCE_SEND_REQUEST request;
    if (how == 'i') {
        iRCCE_isend(bytes, (ssize_t)size, peer, &request);
        iRCCE_isend_wait(&request);
    } else {
        RCCE_send(bytes, size, peer);
    }
}

static void recv_from(char how, char *bytes, size_t size, int peer)
{
    iRCCE_RECV_REQUEST request;
    if (how == 'i') {
        iRCCE_irecv(bytes, (ssize_t)size, peer, &request);
        iRCCE_irecv_wait(&request);
    } else {
        RCCE_recv(bytes, size, peer);
    }
}

int RCCE_APP(int argc, char **argv)
{
    begin(&argc, &argv);
    enum { TIMES = 20 };
    const char how = argv[1][0];
    for (int i = 2; i < argc; ++i) {
        const size_t size = (size_t)atoi(argv[i]);
        char *const bytes = calloc(size + 1, 1);
        double began = 0;
        for (int time = -1; time < TIMES; ++time) {  /* one to warm up */
            if (time == 0) began = RCCE_wtime();
            if (me == 0) send_to(how, bytes, size, 1);
            if (me < 2) recv_from(how, bytes, size, 1 - me);
            if (me == 1) send_to(how, bytes, size, 0);
        }
        if (me == 0) printf("%zu %.3f\n", size, (RCCE_wtime() - began) * 1e9 / (2 * TIMES));
        free(bytes);
    }
    RCCE_finalize();
    return 0;
}
