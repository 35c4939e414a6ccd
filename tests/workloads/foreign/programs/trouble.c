/* SPDX-License-Identifier: Apache-2.0
 * What the first argument says goes wrong in rank 1. */
#include "check.h"
#include <signal.h>
#include <threads.h>
#include <unistd.h>

static int deeper(volatile char *before, int levels)
{
    volatile char here[1024];
    here[0] = before[0];
    return levels == 0 ? 0 : deeper(here, levels - 1) + here[0];
}

/* It touches only its lower end. */
static int large(void)
{
    volatile char here[(8 << 20) + 8192];
    here[rank] = 1;
    return here[rank];
}
/* Once it has room, then it has not. */
static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    volatile char here[2 << 20];
    (void)type;
    here[0] = 1;
    for (int i = 0; i < *count; ++i) ((int *)inout)[i] += ((int *)in)[i] + here[0] - 1;
    if (*count > 1) ((int *)inout)[0] += large();
}
static void operate(void)
{
    MPI_Op op;
    MPI_Request request;
    int in[2] = {1, 2}, out[2];
    MPI_Op_create(add, 1, &op);
    for (int count = 1; count <= 2; ++count) {
        MPI_Iallreduce(in, out, count, MPI_INT, op, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (count == 1 && out[0] != size) abort();
    }
}
/* More stacks than memory has room for, if they were touched */
static void begin_many(void)
{
    MPI_Request requests[100];
    for (int i = 0; i < 100; ++i) MPI_Ibarrier(MPI_COMM_WORLD, requests + i);
    MPI_Waitall(100, requests, MPI_STATUSES_IGNORE);
}
static int run(void *argument) { return argument != NULL; }

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "early")) MPI_Barrier(MPI_COMM_WORLD);
    begin(&argc, &argv);
    int value = 0;
    printf("rank %d is there\n", rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!strcmp(what, "deadlock")) MPI_Recv(&value, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!strcmp(what, "tests")) {
        MPI_Request request;
        MPI_Irecv(&value, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD, &request);
        for (int done = 0; !done;) {
            if (rank == 0) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
            if (rank == 1) MPI_Iprobe(0, 8, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
            if (rank == 2) usleep(1);
        }
    }
    if (!strcmp(what, "fence") || !strcmp(what, "window")) {
        MPI_Win win;
        MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
        if (rank == 0 || what[0] == 'w') MPI_Win_fence(0, win);
        if (rank == 1 && what[0] == 'w') MPI_Put(&rank, 1, MPI_INT, 0, 8, 1, MPI_INT, win);
    }
    if (!strcmp(what, "operation")) operate();
    if (!strcmp(what, "many")) begin_many();
    if (rank == 1) {
        thrd_t thread;
        if (!strcmp(what, "own")) {
            MPI_Add_error_class(&value);
            MPI_Add_error_string(value, "no more coffee");
            MPI_Comm_call_errhandler(MPI_COMM_WORLD, value);
        }
        if (!strcmp(what, "crash")) *(volatile int *)(char *)16 = 1;
        if (!strcmp(what, "pointer")) MPI_Send((void *)(char *)32, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        if (!strcmp(what, "place")) MPI_Recv((void *)(char *)48, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!strcmp(what, "large")) {
            MPI_Sendrecv(&value, 1 << 30, MPI_INT, 0, 1, &value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        if (!strcmp(what, "stack")) return deeper(argv[1], 1 << 20);
        if (!strcmp(what, "frame")) return large();
        if (!strcmp(what, "sleep")) sleep(10000000);
        if (!strcmp(what, "compute")) RINGMESH_COMPUTE(1e18);
        if (!strcmp(what, "compute-own")) for (volatile int i = 0;; ++i) value = i;
        if (!strcmp(what, "compute-library")) for (char text[64];;) value += snprintf(text, sizeof text, "%d", value);
        if (!strcmp(what, "wait")) { int ends[2]; value = pipe(ends) + (int)read(ends[0], &value, 1); }
        if (!strcmp(what, "thread")) thrd_create(&thread, run, NULL);
        if (!strcmp(what, "abort")) MPI_Abort(MPI_COMM_WORLD, 7);
        if (!strcmp(what, "assert")) abort();
        if (!strcmp(what, "exit")) exit(5);
        if (!strcmp(what, "fork")) fork();
        if (!strcmp(what, "exec")) execlp("true", "true", (char *)NULL);
        if (!strcmp(what, "system")) value = system("true");
        if (!strcmp(what, "popen")) value = popen("true", "r") == NULL;
        if (!strcmp(what, "alarm")) alarm(1);
        if (!strcmp(what, "raise")) raise(SIGTERM);
        if (!strcmp(what, "kill")) kill(getpid(), SIGFPE);
        if (!strcmp(what, "quick")) quick_exit(6);
        if (!strcmp(what, "truncate")) MPI_Recv(&value, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 0 && (!strcmp(what, "truncate") || !strcmp(what, "place"))) {
        MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return !strcmp(what, "status") && rank == 1 ? 9 : 0;
}
