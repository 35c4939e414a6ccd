/* SPDX-License-Identifier: Apache-2.0
 * iRCCE of the simulator, as programs in C or C++ see it. */
#ifndef IRCCE_H
#define IRCCE_H
#include <sys/types.h>

#include "RCCE.h"

#define iRCCE_VERSION "2.0"

#define iRCCE_SUCCESS RCCE_SUCCESS
#define iRCCE_ERROR (-1)
#define iRCCE_PENDING (-2)
#define iRCCE_RESERVED (-3)
#define iRCCE_NOT_ENQUEUED (-4)

#define iRCCE_ANY_SOURCE (-1)
#define iRCCE_ANY_LENGTH (-1)

/* NOLINTBEGIN(readability-identifier-naming): as programs in C write it */
/* Programs read these; the rest of a request is the simulator's. */
typedef struct iRCCE_send_request {
    char* privbuf;
    size_t size;
    int dest;
    int finished;
} iRCCE_SEND_REQUEST;

typedef struct iRCCE_recv_request {
    char* privbuf;
    size_t size;
    int source;
    int finished;
    int started;
} iRCCE_RECV_REQUEST;

#define iRCCE_WAIT_LIST_RECV_TYPE 0
#define iRCCE_WAIT_LIST_SEND_TYPE 1

typedef struct iRCCE_wait_listelem {
    int type;
    struct iRCCE_wait_listelem* next;
    void* req;
} iRCCE_WAIT_LISTELEM;

typedef struct iRCCE_wait_list {
    iRCCE_WAIT_LISTELEM* first;
    iRCCE_WAIT_LISTELEM* last;
} iRCCE_WAIT_LIST;
/* NOLINTEND(readability-identifier-naming) */

#ifndef RINGMESH_RCCE_TYPES_ONLY
#ifdef __cplusplus
extern "C" {
#endif

int iRCCE_init(void);

int iRCCE_isend(char* data, ssize_t size, int ue, iRCCE_SEND_REQUEST* request);
int iRCCE_isend_test(iRCCE_SEND_REQUEST* request, int* done);
int iRCCE_isend_wait(iRCCE_SEND_REQUEST* request);
int iRCCE_isend_push(void);
int iRCCE_isend_cancel(iRCCE_SEND_REQUEST* request, int* done);
int iRCCE_irecv(char* data, ssize_t size, int ue, iRCCE_RECV_REQUEST* request);
int iRCCE_irecv_test(iRCCE_RECV_REQUEST* request, int* done);
int iRCCE_irecv_wait(iRCCE_RECV_REQUEST* request);
int iRCCE_irecv_push(void);
int iRCCE_irecv_cancel(iRCCE_RECV_REQUEST* request, int* done);

int iRCCE_ssend(char* data, ssize_t size, int ue);
int iRCCE_srecv(char* data, ssize_t size, int ue);
int iRCCE_srecv_test(char* data, ssize_t size, int ue, int* done);
int iRCCE_probe(int ue, int* source);
int iRCCE_iprobe(int ue, int* source, int* found);

void iRCCE_init_wait_list(iRCCE_WAIT_LIST* list);
void iRCCE_add_to_wait_list(iRCCE_WAIT_LIST* list, iRCCE_SEND_REQUEST* send, iRCCE_RECV_REQUEST* recv);
int iRCCE_test_all(iRCCE_WAIT_LIST* list, int* done);
int iRCCE_wait_all(iRCCE_WAIT_LIST* list);
int iRCCE_test_any(iRCCE_WAIT_LIST* list, iRCCE_SEND_REQUEST** send, iRCCE_RECV_REQUEST** recv);
int iRCCE_wait_any(iRCCE_WAIT_LIST* list, iRCCE_SEND_REQUEST** send, iRCCE_RECV_REQUEST** recv);

int iRCCE_get_dest(iRCCE_SEND_REQUEST* request);
int iRCCE_get_source(iRCCE_RECV_REQUEST* request);
int iRCCE_get_size(iRCCE_SEND_REQUEST* send, iRCCE_RECV_REQUEST* recv);
int iRCCE_get_length(void);
int iRCCE_get_status(iRCCE_SEND_REQUEST* send, iRCCE_RECV_REQUEST* recv);

int iRCCE_put(t_vcharp target, t_vcharp source, int size, int ue);
int iRCCE_get(t_vcharp target, t_vcharp source, int size, int ue);
void* iRCCE_memcpy_put(void* target, const void* source, size_t size);
void* iRCCE_memcpy_get(void* target, const void* source, size_t size);

int iRCCE_barrier(RCCE_COMM* comm);
int iRCCE_bcast(char* data, size_t size, int root, RCCE_COMM comm);

#ifdef __cplusplus
}
#endif

#define iRCCE_memcpy iRCCE_memcpy_put
#define iRCCE_send iRCCE_ssend
#define iRCCE_recv iRCCE_srecv
#define iRCCE_recv_test iRCCE_srecv_test
/* A send ends when its receiver has the bytes, so that all are synchronous. */
#define iRCCE_issend iRCCE_isend
#define iRCCE_issend_test iRCCE_isend_test
#define iRCCE_issend_wait iRCCE_isend_wait
#define iRCCE_issend_push iRCCE_isend_push
#define iRCCE_isrecv iRCCE_irecv
#define iRCCE_isrecv_test iRCCE_irecv_test
#define iRCCE_isrecv_wait iRCCE_irecv_wait
#define iRCCE_isrecv_push iRCCE_irecv_push
#define iRCCE_malloc RCCE_malloc
#define iRCCE_flag_alloc RCCE_flag_alloc
#define iRCCE_flag_write RCCE_flag_write
#define iRCCE_flag_read RCCE_flag_read
#define iRCCE_wait_until RCCE_wait_until
#define iRCCE_test_flag RCCE_test_flag

/* The names of RCCE 2.0, which has a number to push, too. */
#define RCCE_SEND_REQUEST iRCCE_SEND_REQUEST
#define RCCE_RECV_REQUEST iRCCE_RECV_REQUEST
#define RCCE_isend iRCCE_isend
#define RCCE_isend_test iRCCE_isend_test
#define RCCE_isend_wait iRCCE_isend_wait
#define RCCE_isend_push(...) iRCCE_isend_push()
#define RCCE_irecv iRCCE_irecv
#define RCCE_irecv_test iRCCE_irecv_test
#define RCCE_irecv_wait iRCCE_irecv_wait
#define RCCE_irecv_push(...) iRCCE_irecv_push()
#endif
#endif
