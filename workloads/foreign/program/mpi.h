/* SPDX-License-Identifier: Apache-2.0
 * MPI as Ringmesh's simulated machines have it: what ringmesh cc and ringmesh c++ include. */
#ifndef RINGMESH_MPI_H
#define RINGMESH_MPI_H
#ifdef __GNUC__
#pragma GCC system_header
#endif
#include <stddef.h>
#include "ringmesh.h"

#define MPI_VERSION 3
#define MPI_SUBVERSION 1
#define RINGMESH 1

#ifdef __cplusplus
extern "C" {
#endif

/* Handles are numbers of one rank's objects. */
typedef int MPI_Comm;
typedef int MPI_Group;
typedef int MPI_Datatype;
typedef int MPI_Op;
typedef int MPI_Request;
typedef int MPI_Errhandler;
typedef int MPI_Info;
typedef int MPI_Message;
typedef int MPI_Win;
typedef ptrdiff_t MPI_Aint;
typedef long long MPI_Count;
typedef long long MPI_Offset;
/* Fortran's is an array of six integers, which need not begin where a size_t may. */
typedef struct MPI_Status {
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
    int ringmesh_cancelled;
    size_t ringmesh_bytes __attribute__((packed, aligned(4)));
} MPI_Status;

typedef void MPI_User_function(void* in, void* inout, int* count, MPI_Datatype* type);
typedef void MPI_Comm_errhandler_function(MPI_Comm* comm, int* code, ...);
typedef MPI_Comm_errhandler_function MPI_Comm_errhandler_fn;
typedef MPI_Comm_errhandler_function MPI_Handler_function;
typedef int MPI_Comm_copy_attr_function(MPI_Comm comm, int key, void* extra, void* value, void* copy, int* flag);
typedef int MPI_Comm_delete_attr_function(MPI_Comm comm, int key, void* value, void* extra);
typedef int MPI_Type_copy_attr_function(MPI_Datatype type, int key, void* extra, void* value, void* copy, int* flag);
typedef int MPI_Type_delete_attr_function(MPI_Datatype type, int key, void* value, void* extra);
typedef void MPI_Win_errhandler_function(MPI_Win* win, int* code, ...);
typedef MPI_Win_errhandler_function MPI_Win_errhandler_fn;
typedef int MPI_Win_copy_attr_function(MPI_Win win, int key, void* extra, void* value, void* copy, int* flag);
typedef int MPI_Win_delete_attr_function(MPI_Win win, int key, void* value, void* extra);
typedef int MPI_Grequest_query_function(void* extra, MPI_Status* status);
typedef int MPI_Grequest_free_function(void* extra);
typedef int MPI_Grequest_cancel_function(void* extra, int complete);
typedef MPI_Comm_copy_attr_function MPI_Copy_function;
typedef MPI_Comm_delete_attr_function MPI_Delete_function;

#define MPI_COMM_NULL 0
#define MPI_COMM_WORLD 1
#define MPI_COMM_SELF 2
#define MPI_GROUP_NULL 0
#define MPI_GROUP_EMPTY 1
#define MPI_REQUEST_NULL 0
#define MPI_INFO_NULL 0
#define MPI_MESSAGE_NULL 0
#define MPI_MESSAGE_NO_PROC 1
#define MPI_WIN_NULL 0
#define MPI_ERRHANDLER_NULL 0
#define MPI_ERRORS_ARE_FATAL 1
#define MPI_ERRORS_RETURN 2

#define MPI_DATATYPE_NULL 0
#define MPI_CHAR 1
#define MPI_SIGNED_CHAR 2
#define MPI_UNSIGNED_CHAR 3
#define MPI_BYTE 4
#define MPI_PACKED 5
#define MPI_SHORT 6
#define MPI_UNSIGNED_SHORT 7
#define MPI_INT 8
#define MPI_UNSIGNED 9
#define MPI_LONG 10
#define MPI_UNSIGNED_LONG 11
#define MPI_LONG_LONG 12
#define MPI_LONG_LONG_INT MPI_LONG_LONG
#define MPI_UNSIGNED_LONG_LONG 13
#define MPI_FLOAT 14
#define MPI_DOUBLE 15
#define MPI_LONG_DOUBLE 16
#define MPI_FLOAT_INT 17
#define MPI_DOUBLE_INT 18
#define MPI_LONG_INT 19
#define MPI_2INT 20
#define MPI_SHORT_INT 21
#define MPI_LONG_DOUBLE_INT 22
#define MPI_WCHAR 23
#define MPI_INT8_T 24
#define MPI_INT16_T 25
#define MPI_INT32_T 26
#define MPI_INT64_T 27
#define MPI_UINT8_T 28
#define MPI_UINT16_T 29
#define MPI_UINT32_T 30
#define MPI_UINT64_T 31
#define MPI_AINT 32
#define MPI_C_BOOL 33
#define MPI_LB 34
#define MPI_UB 35
#define MPI_C_FLOAT_COMPLEX 36
#define MPI_C_COMPLEX MPI_C_FLOAT_COMPLEX
#define MPI_C_DOUBLE_COMPLEX 37
#define MPI_C_LONG_DOUBLE_COMPLEX 38
/* C++'s: laid out as C's, and with their names */
#define MPI_CXX_BOOL MPI_C_BOOL
#define MPI_CXX_FLOAT_COMPLEX MPI_C_FLOAT_COMPLEX
#define MPI_CXX_DOUBLE_COMPLEX MPI_C_DOUBLE_COMPLEX
#define MPI_CXX_LONG_DOUBLE_COMPLEX MPI_C_LONG_DOUBLE_COMPLEX
#define MPI_COUNT 39
#define MPI_OFFSET 40
/* Fortran's */
#define MPI_LOGICAL 41
#define MPI_INTEGER 42
#define MPI_REAL 43
#define MPI_DOUBLE_PRECISION 44
#define MPI_COMPLEX 45
#define MPI_DOUBLE_COMPLEX 46
#define MPI_CHARACTER 47
#define MPI_INTEGER1 48
#define MPI_INTEGER2 49
#define MPI_INTEGER4 50
#define MPI_INTEGER8 51
#define MPI_REAL4 52
#define MPI_REAL8 53
#define MPI_REAL16 54
#define MPI_COMPLEX8 55
#define MPI_COMPLEX16 56
#define MPI_COMPLEX32 57
#define MPI_2REAL 58
#define MPI_2DOUBLE_PRECISION 59
#define MPI_2INTEGER 60

#define MPI_OP_NULL 0
#define MPI_MAX 1
#define MPI_MIN 2
#define MPI_SUM 3
#define MPI_PROD 4
#define MPI_LAND 5
#define MPI_BAND 6
#define MPI_LOR 7
#define MPI_BOR 8
#define MPI_LXOR 9
#define MPI_BXOR 10
#define MPI_MAXLOC 11
#define MPI_MINLOC 12
#define MPI_REPLACE 13
#define MPI_NO_OP 14

#define MPI_ANY_SOURCE (-1)
#define MPI_PROC_NULL (-2)
#define MPI_ROOT (-3)
#define MPI_ANY_TAG (-1)
#define MPI_UNDEFINED (-32766)
#define MPI_BOTTOM ((void*)0)
#define MPI_IN_PLACE ((void*)-1)
#define MPI_STATUS_IGNORE ((MPI_Status*)1)
#define MPI_STATUSES_IGNORE ((MPI_Status*)1)
#define MPI_UNWEIGHTED ((int*)1)
#define MPI_WEIGHTS_EMPTY ((int*)2)
#define MPI_BSEND_OVERHEAD 64
#define MPI_MAX_PROCESSOR_NAME 128
#define MPI_MAX_ERROR_STRING 512
#define MPI_MAX_OBJECT_NAME 128
#define MPI_MAX_LIBRARY_VERSION_STRING 256
#define MPI_MAX_INFO_KEY 255
#define MPI_MAX_INFO_VAL 1024

#define MPI_IDENT 0
#define MPI_CONGRUENT 1
#define MPI_SIMILAR 2
#define MPI_UNEQUAL 3
#define MPI_CART 1
#define MPI_GRAPH 2
#define MPI_DIST_GRAPH 3
#define MPI_COMM_TYPE_SHARED 1
#define MPI_ORDER_C 56
#define MPI_ORDER_FORTRAN 57
#define MPI_DISTRIBUTE_BLOCK 121
#define MPI_DISTRIBUTE_CYCLIC 122
#define MPI_DISTRIBUTE_NONE 123
#define MPI_DISTRIBUTE_DFLT_DARG (-49767)
#define MPI_TYPECLASS_REAL 1
#define MPI_TYPECLASS_INTEGER 2
#define MPI_TYPECLASS_COMPLEX 3
#define MPI_COMBINER_NAMED 1
#define MPI_COMBINER_DUP 2
#define MPI_COMBINER_CONTIGUOUS 3
#define MPI_COMBINER_VECTOR 4
#define MPI_COMBINER_HVECTOR 6
#define MPI_COMBINER_INDEXED 7
#define MPI_COMBINER_HINDEXED 9
#define MPI_COMBINER_INDEXED_BLOCK 10
#define MPI_COMBINER_STRUCT 12
#define MPI_COMBINER_SUBARRAY 13
#define MPI_COMBINER_DARRAY 14
#define MPI_COMBINER_RESIZED 18
#define MPI_COMBINER_HINDEXED_BLOCK 19
#define MPI_COMBINER_F90_REAL 15
#define MPI_COMBINER_F90_COMPLEX 16
#define MPI_COMBINER_F90_INTEGER 17
/* what calls long removed would be */
#define MPI_COMBINER_HVECTOR_INTEGER 5
#define MPI_COMBINER_HINDEXED_INTEGER 8
#define MPI_COMBINER_STRUCT_INTEGER 11

#define MPI_WIN_FLAVOR_CREATE 1
#define MPI_WIN_FLAVOR_ALLOCATE 2
#define MPI_WIN_FLAVOR_DYNAMIC 3
#define MPI_WIN_FLAVOR_SHARED 4
#define MPI_WIN_SEPARATE 1
#define MPI_WIN_UNIFIED 2
#define MPI_LOCK_EXCLUSIVE 1
#define MPI_LOCK_SHARED 2
#define MPI_MODE_NOCHECK 1
#define MPI_MODE_NOSTORE 2
#define MPI_MODE_NOPUT 4
#define MPI_MODE_NOPRECEDE 8
#define MPI_MODE_NOSUCCEED 16

#define MPI_THREAD_SINGLE 0
#define MPI_THREAD_FUNNELED 1
#define MPI_THREAD_SERIALIZED 2
#define MPI_THREAD_MULTIPLE 3

#define MPI_KEYVAL_INVALID 0
#define MPI_TAG_UB 1
#define MPI_HOST 2
#define MPI_IO 3
#define MPI_WTIME_IS_GLOBAL 4
#define MPI_UNIVERSE_SIZE 5
#define MPI_LASTUSEDCODE 6
#define MPI_APPNUM 7
#define MPI_WIN_BASE 8
#define MPI_WIN_SIZE 9
#define MPI_WIN_DISP_UNIT 10
#define MPI_WIN_CREATE_FLAVOR 11
#define MPI_WIN_MODEL 12
#define MPI_NULL_COPY_FN ((MPI_Copy_function*)0)
#define MPI_NULL_DELETE_FN ((MPI_Delete_function*)0)
#define MPI_DUP_FN ((MPI_Copy_function*)1)
#define MPI_COMM_NULL_COPY_FN MPI_NULL_COPY_FN
#define MPI_COMM_NULL_DELETE_FN MPI_NULL_DELETE_FN
#define MPI_COMM_DUP_FN MPI_DUP_FN
#define MPI_TYPE_NULL_COPY_FN ((MPI_Type_copy_attr_function*)0)
#define MPI_TYPE_NULL_DELETE_FN ((MPI_Type_delete_attr_function*)0)
#define MPI_TYPE_DUP_FN ((MPI_Type_copy_attr_function*)1)
#define MPI_WIN_NULL_COPY_FN ((MPI_Win_copy_attr_function*)0)
#define MPI_WIN_NULL_DELETE_FN ((MPI_Win_delete_attr_function*)0)
#define MPI_WIN_DUP_FN ((MPI_Win_copy_attr_function*)1)

#define MPI_SUCCESS 0
#define MPI_ERR_BUFFER 1
#define MPI_ERR_COUNT 2
#define MPI_ERR_TYPE 3
#define MPI_ERR_TAG 4
#define MPI_ERR_COMM 5
#define MPI_ERR_RANK 6
#define MPI_ERR_REQUEST 7
#define MPI_ERR_ROOT 8
#define MPI_ERR_GROUP 9
#define MPI_ERR_OP 10
#define MPI_ERR_TOPOLOGY 11
#define MPI_ERR_DIMS 12
#define MPI_ERR_ARG 13
#define MPI_ERR_UNKNOWN 14
#define MPI_ERR_TRUNCATE 15
#define MPI_ERR_OTHER 16
#define MPI_ERR_INTERN 17
#define MPI_ERR_IN_STATUS 18
#define MPI_ERR_PENDING 19
#define MPI_ERR_KEYVAL 20
#define MPI_ERR_INFO 21
#define MPI_ERR_INFO_KEY 22
#define MPI_ERR_INFO_VALUE 23
#define MPI_ERR_INFO_NOKEY 24
#define MPI_ERR_NO_MEM 25
#define MPI_ERR_WIN 26
#define MPI_ERR_BASE 27
#define MPI_ERR_SIZE 28
#define MPI_ERR_DISP 29
#define MPI_ERR_LOCKTYPE 30
#define MPI_ERR_ASSERT 31
#define MPI_ERR_RMA_CONFLICT 32
#define MPI_ERR_RMA_SYNC 33
#define MPI_ERR_RMA_RANGE 34
#define MPI_ERR_RMA_ATTACH 35
#define MPI_ERR_RMA_SHARED 36
#define MPI_ERR_RMA_FLAVOR 37
#define MPI_ERR_LASTCODE 63

/* Handles are the same in Fortran, and so are statuses. */
typedef int MPI_Fint;
#define MPI_F_STATUS_IGNORE ((MPI_Fint*)1)
#define MPI_F_STATUSES_IGNORE ((MPI_Fint*)1)
#define MPI_Comm_c2f(comm) ((MPI_Fint)(comm))
#define PMPI_Comm_c2f(comm) MPI_Comm_c2f(comm)
#define MPI_Comm_f2c(comm) ((MPI_Comm)(comm))
#define PMPI_Comm_f2c(comm) MPI_Comm_f2c(comm)
#define MPI_Group_c2f(group) ((MPI_Fint)(group))
#define PMPI_Group_c2f(group) MPI_Group_c2f(group)
#define MPI_Group_f2c(group) ((MPI_Group)(group))
#define PMPI_Group_f2c(group) MPI_Group_f2c(group)
#define MPI_Type_c2f(type) ((MPI_Fint)(type))
#define PMPI_Type_c2f(type) MPI_Type_c2f(type)
#define MPI_Type_f2c(type) ((MPI_Datatype)(type))
#define PMPI_Type_f2c(type) MPI_Type_f2c(type)
#define MPI_Op_c2f(op) ((MPI_Fint)(op))
#define PMPI_Op_c2f(op) MPI_Op_c2f(op)
#define MPI_Op_f2c(op) ((MPI_Op)(op))
#define PMPI_Op_f2c(op) MPI_Op_f2c(op)
#define MPI_Request_c2f(request) ((MPI_Fint)(request))
#define PMPI_Request_c2f(request) MPI_Request_c2f(request)
#define MPI_Request_f2c(request) ((MPI_Request)(request))
#define PMPI_Request_f2c(request) MPI_Request_f2c(request)
#define MPI_Errhandler_c2f(handler) ((MPI_Fint)(handler))
#define PMPI_Errhandler_c2f(handler) MPI_Errhandler_c2f(handler)
#define MPI_Errhandler_f2c(handler) ((MPI_Errhandler)(handler))
#define PMPI_Errhandler_f2c(handler) MPI_Errhandler_f2c(handler)
#define MPI_Info_c2f(info) ((MPI_Fint)(info))
#define PMPI_Info_c2f(info) MPI_Info_c2f(info)
#define MPI_Info_f2c(info) ((MPI_Info)(info))
#define PMPI_Info_f2c(info) MPI_Info_f2c(info)
#define MPI_Message_c2f(message) ((MPI_Fint)(message))
#define PMPI_Message_c2f(message) MPI_Message_c2f(message)
#define MPI_Message_f2c(message) ((MPI_Message)(message))
#define PMPI_Message_f2c(message) MPI_Message_f2c(message)
#define MPI_Win_c2f(win) ((MPI_Fint)(win))
#define PMPI_Win_c2f(win) MPI_Win_c2f(win)
#define MPI_Win_f2c(win) ((MPI_Win)(win))
#define PMPI_Win_f2c(win) MPI_Win_f2c(win)

#ifndef RINGMESH_MPI_TYPES_ONLY
#define CALL(result, name, parameters, arguments) \
    result name parameters;                       \
    result P##name parameters;
#include "mpi_calls.inc"
#undef CALL
/* Profiling is switched by nothing. */
static inline int MPI_Pcontrol(const int level, ...)
{
    (void)level;
    return MPI_SUCCESS;
}
static inline int MPI_Status_f2c(const MPI_Fint* from, MPI_Status* to)
{
    __builtin_memcpy(to, from, sizeof *to);
    return MPI_SUCCESS;
}
static inline int MPI_Status_c2f(const MPI_Status* from, MPI_Fint* to)
{
    __builtin_memcpy(to, from, sizeof *from);
    return MPI_SUCCESS;
}
#endif

#ifdef __cplusplus
}
#endif
#endif
