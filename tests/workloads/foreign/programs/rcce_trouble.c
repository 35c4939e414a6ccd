/* SPDX-License-Identifier: Apache-2.0
 * What the first argument says goes wrong in rank 1. */
#include <mpi.h>

#include "rcce.h"

int RCCE_APP(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    const int early = !strcmp(what, "early");
    if (early) RCCE_barrier(&RCCE_COMM_WORLD);
    begin(&argc, &argv);
    printf("rank %d is there\n", me);
    char bytes[64] = "";
    RCCE_FLAG flag;
    RCCE_flag_alloc(&flag);
    const t_vcharp buffer = RCCE_malloc(64);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (!strcmp(what, "deadlock")) RCCE_recv(bytes, 40, 1 - me);
    if (!strcmp(what, "flag") && me == 0) RCCE_recv(bytes, 40, 1);
    if (me == 1) {
        iRCCE_RECV_REQUEST request = {0};
        if (!strcmp(what, "load")) return buffer[33];
        if (!strcmp(what, "store")) *flag = 1;
        if (!strcmp(what, "flag")) RCCE_wait_until(flag, RCCE_FLAG_SET);
        if (!strcmp(what, "buffer")) RCCE_send((char *)buffer, 40, 0);
        if (!strcmp(what, "free")) RCCE_free(buffer + 32);
        if (!strcmp(what, "itself")) RCCE_send(bytes, 40, 1);
        if (!strcmp(what, "power")) RCCE_power_domain();
        if (!strcmp(what, "both")) MPI_Init(&argc, &argv);
        if (!strcmp(what, "ircce")) iRCCE_init();
        if (!strcmp(what, "request")) iRCCE_irecv_wait(&request);
        if (!strcmp(what, "list")) iRCCE_wait_any(&(iRCCE_WAIT_LIST){0, 0}, 0, 0);
        if (!strcmp(what, "again")) iRCCE_irecv(bytes, 4, 0, &request), iRCCE_irecv(bytes, 4, 0, &request);
        if (!strcmp(what, "debug")) RCCE_debug_set(RCCE_DEBUG_ALL), RCCE_send(bytes, 40, 99);
        if (!strcmp(what, "exit")) exit(6);
    }
    RCCE_finalize();
    if (!strcmp(what, "late")) RCCE_barrier(&RCCE_COMM_WORLD);
    return 0;
}
