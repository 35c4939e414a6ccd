/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCCE_CHECK_H
#define RCCE_CHECK_H
#include <RCCE.h>
#include <string.h>

static int me, ues, failures;

#define CHECK(so)                                                    \
    do {                                                             \
        if (!(so)) {                                                 \
            ++failures;                                              \
            printf("rank %d, line %d: not %s\n", me, __LINE__, #so); \
        }                                                            \
    } while (0)

static inline void begin(int* argc, char*** argv)
{
    RCCE_init(argc, argv);
    me = RCCE_ue();
    ues = RCCE_num_ues();
}

/* Rank 0 says whether all is well: no rank has told of a failure. */
static inline int end(void)
{
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 0 && failures == 0) printf("all is well\n");
    RCCE_finalize();
    return failures != 0;
}

static inline void fill(char* bytes, int count, int seed)
{
    for (int i = 0; i < count; ++i) bytes[i] = (char)(seed * 31 + i * 7 + i / 256);
}
static inline int is_filled(const char* bytes, int count, int seed)
{
    for (int i = 0; i < count; ++i) {
        if (bytes[i] != (char)(seed * 31 + i * 7 + i / 256)) return 0;
    }
    return 1;
}
#endif
