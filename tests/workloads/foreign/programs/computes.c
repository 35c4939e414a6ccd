/* SPDX-License-Identifier: Apache-2.0
 * Prints what a computation between two reads of the clock takes, in us. */
#include "check.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    volatile double sum = 0;
    for (int step = 0; step < 3; ++step) {
        const double began = MPI_Wtime();
        for (int i = 0; i < 2000000; ++i) sum += i;
        const double took = (MPI_Wtime() - began) * 1e6;
        if (rank == 0) printf("%.3f\n", took);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
