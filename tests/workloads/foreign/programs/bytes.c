/* SPDX-License-Identifier: Apache-2.0
 * Messages of which the buffer does not tell the size, a file that is read, two that wait for each other, and an exit
 * status. */
#include <stdio.h>
#include <string.h>

#include "mpi.h"

static double data[40000];

/* Ranks 0 and 2 of the world, and 1 and 3, in a communicator each. */
static void wait_for_each_other(int rank)
{
    MPI_Comm pair;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &pair);
    int own = 0;
    MPI_Comm_rank(pair, &own);
    MPI_Send(data, 40000, MPI_DOUBLE, 1 - own, 7, pair);
    MPI_Recv(data, 40000, MPI_DOUBLE, 1 - own, 7, pair, MPI_STATUS_IGNORE);
    MPI_Comm_free(&pair);
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1 && strcmp(argv[1], "circle") == 0) {
        wait_for_each_other(rank);
    } else if (argc > 1 && strcmp(argv[1], "three") != 0) {
        int barriers = 0;
        FILE* file = fopen(argv[1], "r");
        if (file == NULL || fscanf(file, "%d", &barriers) != 1) MPI_Abort(MPI_COMM_WORLD, 1);
        fclose(file);
        while (barriers-- > 0) MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Datatype column;
    MPI_Type_vector(100, 1, 40, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    if (rank == 0) MPI_Send(data, 1, column, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(data, 4000, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(data, 4000, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    if (rank < 2) {
        MPI_Sendrecv(data, 1, column, 1 - rank, 2, data + 8000, 4000, MPI_DOUBLE, 1 - rank, 2, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
    MPI_Request again;
    if (rank == 0) MPI_Send_init(data, 1, column, 1, 1, MPI_COMM_WORLD, &again);
    if (rank == 1) MPI_Recv_init(data, 4000, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &again);
    for (int i = 0; i < 2 && rank < 2; ++i) {
        MPI_Start(&again);
        MPI_Wait(&again, MPI_STATUS_IGNORE);
    }
    if (rank < 2) MPI_Request_free(&again);
    MPI_Type_free(&column);
    if (rank == 0) printf("done\n");
    MPI_Finalize();
    return argc > 1 && strcmp(argv[1], "three") == 0 ? 3 : 0;
}
