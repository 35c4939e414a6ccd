/* SPDX-License-Identifier: Apache-2.0
 * What is done after main(), and to standard streams: "close" closes them, "write FOLDER" writes to files there. */
#include "check.h"

static char room[1 << 12], room_of_left[1 << 12];

static void finalize(void) { MPI_Finalize(); }
__attribute__((destructor)) static void last(void)
{
    printf("rank %d has finalized\n", rank);
    fclose(stdout);
}

static void write_files(const char *folder)
{
    char name[4096];
    snprintf(name, sizeof name, "%s/%d.out", folder, rank);
    CHECK(freopen(name, "w", stdout) == stdout);
    snprintf(name, sizeof name, "%s/%d.left", folder, rank);
    FILE *left = fopen(name, "w");
    setvbuf(left, room_of_left, _IOFBF, sizeof room_of_left);
    fprintf(left, "left open by %d\n", rank);
}

int main(int argc, char **argv)
{
    setvbuf(stdout, room, _IOFBF, sizeof room);
    begin(&argc, &argv);
    atexit(finalize);
    if (argc > 1 && rank > 0) fclose(stdin);
    if (argc > 2) write_files(argv[2]);
    MPI_Barrier(MPI_COMM_WORLD);
    if (argc == 1) printf("rank %d reads %d\n", rank, getchar());
    return 0;
}
