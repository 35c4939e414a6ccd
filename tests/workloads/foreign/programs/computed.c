/* SPDX-License-Identifier: Apache-2.0
 * What the program declares to have computed, and threads of OpenMP, of which there is one. */
#include <omp.h>

#include "check.h"

static double us_of(void (*work)(void))
{
    const double began = MPI_Wtime();
    work();
    return (MPI_Wtime() - began) * 1e6;
}
static void cycles(void) { RINGMESH_COMPUTE(400e3); }
static void operations(void) { ringmesh_compute_flops(800e3); }

int main(int argc, char** argv)
{
    begin(&argc, &argv);
    const double by_cycles = us_of(cycles), by_operations = us_of(operations);
    CHECK(by_cycles > 100 && by_operations > by_cycles - 1e-6 && by_operations < by_cycles + 1e-6);
    int sum = 0, threads = 0;
#pragma omp parallel
    {
#pragma omp master
        MPI_Barrier(MPI_COMM_WORLD);
#pragma omp barrier
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 100; ++i) {
#pragma omp atomic
            sum += 1;
        }
        threads += omp_get_num_threads();
    }
    CHECK(sum == 100 && threads == 1 && omp_get_max_threads() == 1);
    return end();
}
