/* SPDX-License-Identifier: Apache-2.0
 * RCCE of the simulator, as programs in C or C++ see it: both interfaces of RCCE 1.1, and what RCCE 2.0 adds by
 * iRCCE. GORY selects the one with flags and buffers of the program's own. */
#ifndef RCCE_H
#define RCCE_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include "ringmesh.h"

#define _RCCE "1.1" /* NOLINT(bugprone-reserved-identifier): programs ask for it */

#define LOG2_LINE_SIZE 5
#define RCCE_LINE_SIZE (1 << LOG2_LINE_SIZE)
#define RCCE_BUFF_SIZE_MAX (1 << 13)
#define RCCE_SHM_SIZE_MAX (1 << 26)
#define RCCE_MAXNP 48

#define RCCE_SUCCESS 0
#define RCCE_ERROR_BASE 1234321
#define RCCE_ERROR_TARGET (RCCE_ERROR_BASE + 1)
#define RCCE_ERROR_SOURCE (RCCE_ERROR_BASE + 2)
#define RCCE_ERROR_ID (RCCE_ERROR_BASE + 3)
#define RCCE_ERROR_MESSAGE_LENGTH (RCCE_ERROR_BASE + 4)
#define RCCE_ERROR_FLAG_UNDEFINED (RCCE_ERROR_BASE + 5)
#define RCCE_ERROR_NUM_UES (RCCE_ERROR_BASE + 6)
#define RCCE_ERROR_DATA_OVERLAP (RCCE_ERROR_BASE + 7)
#define RCCE_ERROR_ALIGNMENT (RCCE_ERROR_BASE + 8)
#define RCCE_ERROR_DEBUG_FLAG (RCCE_ERROR_BASE + 9)
#define RCCE_ERROR_FLAG_NOT_IN_COMM_BUFFER (RCCE_ERROR_BASE + 10)
#define RCCE_ERROR_FLAG_STATUS_UNDEFINED (RCCE_ERROR_BASE + 11)
#define RCCE_ERROR_FLAG_NOT_ALLOCATED (RCCE_ERROR_BASE + 12)
#define RCCE_ERROR_VAL_UNDEFINED (RCCE_ERROR_BASE + 13)
#define RCCE_ERROR_INVALID_ERROR_CODE (RCCE_ERROR_BASE + 14)
#define RCCE_ERROR_RPC_NOT_ALLOCATED (RCCE_ERROR_BASE + 15)
#define RCCE_ERROR_RPC_INTERNAL (RCCE_ERROR_BASE + 16)
#define RCCE_ERROR_MULTIPLE_RPC_REQUESTS (RCCE_ERROR_BASE + 17)
#define RCCE_ERROR_FDIVIDER (RCCE_ERROR_BASE + 18)
#define RCCE_ERROR_FREQUENCY_EXCEEDED (RCCE_ERROR_BASE + 19)
#define RCCE_ERROR_NO_ACTIVE_RPC_REQUEST (RCCE_ERROR_BASE + 20)
#define RCCE_ERROR_STALE_RPC_REQUEST (RCCE_ERROR_BASE + 21)
#define RCCE_ERROR_COMM_UNDEFINED (RCCE_ERROR_BASE + 22)
#define RCCE_ERROR_ILLEGAL_OP (RCCE_ERROR_BASE + 23)
#define RCCE_ERROR_ILLEGAL_TYPE (RCCE_ERROR_BASE + 24)
#define RCCE_ERROR_MALLOC (RCCE_ERROR_BASE + 25)
#define RCCE_ERROR_COMM_INITIALIZED (RCCE_ERROR_BASE + 26)
#define RCCE_ERROR_CORE_NOT_IN_HOSTFILE (RCCE_ERROR_BASE + 27)
#define RCCE_MAX_ERROR_STRING 45

#define RCCE_DEBUG_ALL 111111
#define RCCE_DEBUG_SYNCH 111444
#define RCCE_DEBUG_COMM 111555
#define RCCE_DEBUG_RPC 111666
#define RCCE_DEBUG_DEBUG 111888

#define RCCE_FLAG_UNSET 0
#define RCCE_FLAG_SET 1

#define RCCE_NUM_OPS 4
#define RCCE_OP_BASE 23232323
#define RCCE_SUM (RCCE_OP_BASE)
#define RCCE_MIN (RCCE_OP_BASE + 1)
#define RCCE_MAX (RCCE_OP_BASE + 2)
#define RCCE_PROD (RCCE_OP_BASE + 3)

#define RCCE_TYPE_BASE 63636363
#define RCCE_INT (RCCE_TYPE_BASE)
#define RCCE_LONG (RCCE_TYPE_BASE + 1)
#define RCCE_FLOAT (RCCE_TYPE_BASE + 2)
#define RCCE_DOUBLE (RCCE_TYPE_BASE + 3)

#define RCCE_POWER_DEFAULT (-99999)

#define RCCE_COMM_INITIALIZED 45328976
#define RCCE_COMM_NOT_INITIALIZED (-RCCE_COMM_INITIALIZED)

/* Into a message-passing buffer: no load or store of the program itself reaches it. */
typedef volatile unsigned char* t_vcharp;
typedef volatile int* RCCE_FLAG;
typedef int RCCE_FLAG_STATUS;

typedef struct {
    int size;
    int my_rank;
    int initialized;
    int member[RCCE_MAXNP];
    RCCE_FLAG gather;
    RCCE_FLAG release;
} RCCE_COMM;

typedef struct {
    int release;
    int old_voltage_level;
    int new_voltage_level;
    int old_frequency_divider;
    int new_frequency_divider;
    long long start_cycle;
} RCCE_REQUEST;

#ifndef RINGMESH_RCCE_TYPES_ONLY
/* Tells mpiexec that it runs on the SCC. */
__attribute__((used)) static const char ringmesh_rcce[] = "ringmesh_rcce_program";

#ifndef RCCE_APP
#define RCCE_APP main
#endif
#ifndef STDERR
#define STDERR stdout
#endif

#ifdef __cplusplus
extern "C" {
#endif

extern RCCE_COMM RCCE_COMM_WORLD;

int RCCE_init(int* argc, char*** argv);
int RCCE_finalize(void);
double RCCE_wtime(void);
int RCCE_ue(void);
int RCCE_num_ues(void);

int RCCE_acquire_lock(int ue);
int RCCE_release_lock(int ue);
void RCCE_fence(void);
int RCCE_barrier(RCCE_COMM* comm);

t_vcharp RCCE_malloc(size_t size);
t_vcharp RCCE_malloc_request(size_t size, size_t* given);
void RCCE_free(t_vcharp at);
int RCCE_put(t_vcharp target, t_vcharp source, int size, int ue);
int RCCE_get(t_vcharp target, t_vcharp source, int size, int ue);
int RCCE_flag_alloc(RCCE_FLAG* flag);
int RCCE_flag_free(RCCE_FLAG* flag);
int RCCE_flag_write(RCCE_FLAG* flag, RCCE_FLAG_STATUS value, int ue);
int RCCE_flag_read(RCCE_FLAG flag, RCCE_FLAG_STATUS* value, int ue);
int RCCE_wait_until(RCCE_FLAG flag, RCCE_FLAG_STATUS value);
int RCCE_test_flag(RCCE_FLAG flag, RCCE_FLAG_STATUS value, int* result);
int RCCE_probe(RCCE_FLAG flag);

#ifdef GORY
int RCCE_send(char* data, t_vcharp buffer, size_t room, RCCE_FLAG* ready, RCCE_FLAG* sent, size_t size,
              int ue) __asm__("RCCE_gory_send");
int RCCE_recv(char* data, t_vcharp buffer, size_t room, RCCE_FLAG* ready, RCCE_FLAG* sent, size_t size,
              int ue) __asm__("RCCE_gory_recv");
int RCCE_recv_test(char* data, t_vcharp buffer, size_t room, RCCE_FLAG* ready, RCCE_FLAG* sent, size_t size, int ue,
                   int* done) __asm__("RCCE_gory_recv_test");
#else
int RCCE_send(char* data, size_t size, int ue);
int RCCE_recv(char* data, size_t size, int ue);
int RCCE_recv_test(char* data, size_t size, int ue, int* done);
int RCCE_bcast(char* data, size_t size, int root, RCCE_COMM comm);
int RCCE_reduce(char* from, char* into, int count, int type, int op, int root, RCCE_COMM comm);
int RCCE_allreduce(char* from, char* into, int count, int type, int op, RCCE_COMM comm);
#endif

int RCCE_comm_split(int (*color)(int ue, void* more), void* more, RCCE_COMM* comm);
int RCCE_comm_free(RCCE_COMM* comm);
int RCCE_comm_size(RCCE_COMM comm, int* size);
int RCCE_comm_rank(RCCE_COMM comm, int* rank);

t_vcharp RCCE_shmalloc(size_t size);
void RCCE_shfree(t_vcharp at);
void RCCE_shflush(void);

int RCCE_error_string(int code, char* text, int* length);
int RCCE_debug_set(int what);
int RCCE_debug_unset(int what);

int RCCE_power_domain(void);
int RCCE_power_domain_master(void);
int RCCE_power_domain_size(void);
int RCCE_iset_power(int divider, RCCE_REQUEST* request, int* given, int* level);
int RCCE_wait_power(RCCE_REQUEST* request);
int RCCE_set_frequency_divider(int divider, int* given);

#ifdef __cplusplus
}
#endif
#endif

#include "iRCCE.h"
#endif
