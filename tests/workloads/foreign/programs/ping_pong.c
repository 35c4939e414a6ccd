/* SPDX-License-Identifier: Apache-2.0
 * Half a round trip in ns, for each size of the arguments. */
#include "check.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int i = 1; i < argc; ++i) {
        enum { TIMES = 20 };
        const int count = atoi(argv[i]);
        char *bytes = calloc((size_t)count + 1, 1);
        double began = 0;
        for (int time = -1; time < TIMES; ++time) {  /* one to warm up */
            if (time == 0) began = MPI_Wtime();
            if (rank == 0) {
                MPI_Send(bytes, count, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
                MPI_Recv(bytes, count, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            } else if (rank == 1) {
                MPI_Recv(bytes, count, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                MPI_Send(bytes, count, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
            }
        }
        if (rank == 0) printf("%d %.3f\n", count, (MPI_Wtime() - began) * 1e9 / (2 * TIMES));
        free(bytes);
    }
    MPI_Finalize();
    return 0;
}
