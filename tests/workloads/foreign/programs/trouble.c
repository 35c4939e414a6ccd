/* SPDX-License-Identifier: Apache-2.0
 * What the first argument says goes wrong in rank 1. */
#include "check.h"
#include <unistd.h>

static int deeper(volatile char *before, int levels)
{
    volatile char here[1024];
    here[0] = before[0];
    return levels == 0 ? 0 : deeper(here, levels - 1) + here[0];
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "early")) MPI_Barrier(MPI_COMM_WORLD);
    begin(&argc, &argv);
    int value = 0;
    printf("rank %d is there\n", rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!strcmp(what, "deadlock")) MPI_Recv(&value, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!strcmp(what, "fence") || !strcmp(what, "window")) {
        MPI_Win win;
        MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
        if (rank == 0 || what[0] == 'w') MPI_Win_fence(0, win);
        if (rank == 1 && what[0] == 'w') MPI_Put(&rank, 1, MPI_INT, 0, 8, 1, MPI_INT, win);
    }
    if (rank == 1) {
        if (!strcmp(what, "crash")) *(volatile int *)(char *)16 = 1;
        if (!strcmp(what, "pointer")) MPI_Send((void *)(char *)32, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        if (!strcmp(what, "stack")) return deeper(argv[1], 1 << 20);
        if (!strcmp(what, "abort")) MPI_Abort(MPI_COMM_WORLD, 7);
        if (!strcmp(what, "assert")) abort();
        if (!strcmp(what, "exit")) exit(5);
        if (!strcmp(what, "fork")) fork();
        if (!strcmp(what, "truncate")) MPI_Recv(&value, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 0 && !strcmp(what, "truncate")) {
        MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return !strcmp(what, "status") && rank == 1 ? 9 : 0;
}
