/* SPDX-License-Identifier: Apache-2.0
 * What is done after main(), and to standard streams. */
#include "check.h"

static char room[1 << 12];

static void finalize(void) { MPI_Finalize(); }
__attribute__((destructor)) static void last(void)
{
    printf("rank %d has finalized\n", rank);
    fclose(stdout);
}

int main(int argc, char **argv)
{
    setvbuf(stdout, room, _IOFBF, sizeof room);
    begin(&argc, &argv);
    atexit(finalize);
    if (argc > 1 && rank > 0) fclose(stdin);
    MPI_Barrier(MPI_COMM_WORLD);
    if (argc == 1) printf("rank %d reads %d\n", rank, getchar());
    return 0;
}
