/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CHECK_H
#define CHECK_H
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, failures;

#define CHECK(so)                                                      \
    do {                                                               \
        if (!(so)) {                                                   \
            ++failures;                                                \
            printf("rank %d, line %d: not %s\n", rank, __LINE__, #so); \
        }                                                              \
    } while (0)

static inline void begin(int* argc, char*** argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

/* Rank 0 says whether all is well. */
static inline int end(void)
{
    int all = 0;
    MPI_Reduce(&failures, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0 && all == 0) printf("all is well\n");
    MPI_Finalize();
    return failures != 0;
}

static inline void fill(unsigned char* bytes, int count, int seed)
{
    for (int i = 0; i < count; ++i) bytes[i] = (unsigned char)(seed * 31 + i * 7 + i / 256);
}
static inline int is_filled(const unsigned char* bytes, int count, int seed)
{
    for (int i = 0; i < count; ++i) {
        if (bytes[i] != (unsigned char)(seed * 31 + i * 7 + i / 256)) return 0;
    }
    return 1;
}
#endif
