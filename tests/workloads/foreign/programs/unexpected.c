/* SPDX-License-Identifier: Apache-2.0
 * Each rank floods rank 0 with messages that it does not yet wait for. */
#include "check.h"
#include <unistd.h>

enum { kMessages = 300, kBytes = 8000 };

static unsigned char bytes[kMessages][kBytes];

int main(int argc, char** argv)
{
    begin(&argc, &argv);
    MPI_Request requests[kMessages];
    /* Twice: room comes back */
    for (int round = 0; round < 2; ++round) {
        if (rank > 0) {
            for (int i = 0; i < kMessages; ++i) {
                fill(bytes[i], kBytes, rank + i + round);
                MPI_Isend(bytes[i], i % 3 == 0 ? 0 : kBytes, MPI_BYTE, 0, i, MPI_COMM_WORLD, &requests[i]);
            }
            MPI_Send(0, 0, MPI_BYTE, 0, kMessages, MPI_COMM_WORLD);
            MPI_Waitall(kMessages, requests, MPI_STATUSES_IGNORE);
        } else {
            if (round == 1) usleep(100000); /* they have begun all */
            for (int from = 1; from < size; ++from) {
                MPI_Recv(0, 0, MPI_BYTE, from, kMessages, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            }
            /* The last first */
            for (int i = kMessages; i-- > 0;) {
                for (int from = 1; from < size; ++from) {
                    MPI_Status status;
                    int count = 0;
                    MPI_Recv(bytes[0], kBytes, MPI_BYTE, from, i, MPI_COMM_WORLD, &status);
                    MPI_Get_count(&status, MPI_BYTE, &count);
                    CHECK(count == (i % 3 == 0 ? 0 : kBytes));
                    CHECK(is_filled(bytes[0], count, from + i + round));
                }
            }
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    /* Each floods its neighbor and looks at nothing else */
    for (int i = 0; i < kMessages; ++i) {
        fill(bytes[i], kBytes, rank + i);
        MPI_Isend(bytes[i], kBytes, MPI_BYTE, rank ^ 1, i, MPI_COMM_WORLD, &requests[i]);
    }
    for (int i = kMessages; i-- > 0;) {
        static unsigned char got[kBytes];
        MPI_Recv(got, kBytes, MPI_BYTE, rank ^ 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(is_filled(got, kBytes, (rank ^ 1) + i));
    }
    MPI_Waitall(kMessages, requests, MPI_STATUSES_IGNORE);
    return end();
}
