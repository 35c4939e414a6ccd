/* SPDX-License-Identifier: Apache-2.0
 * What a program made by ringmesh cc and the simulator know of each other. Another table has another number. */
#ifndef RINGMESH_TABLE_H
#define RINGMESH_TABLE_H
#define RINGMESH_MPI_TYPES_ONLY
#include "mpi.h"
#define RINGMESH_RCCE_TYPES_ONLY
#include "RCCE.h"

#define RINGMESH_TABLE_VERSION 7

/* NOLINTBEGIN(readability-identifier-naming,bugprone-macro-parentheses): as programs in C write it */

/* What the simulator does for a program. */
struct ringmesh_table {
#define CALL(result, name, parameters, arguments) result(*name) parameters;
#include "mpi_calls.inc"
#include "rcce_calls.inc"
#undef CALL
    int (*rcce_init)(RCCE_COMM* world);
    long long (*ringmesh_clock)(void);       /* simulated time, ns; reading it takes time */
    void (*ringmesh_compute)(double cycles); /* of the processor */
    void (*ringmesh_compute_flops)(double operations);
    void (*ringmesh_sleep)(long long nanoseconds);
    void (*ringmesh_exit)(int status, int at_once); /* does not return */
    void (*ringmesh_refuse)(const char* call);      /* does not return */
    void (*ringmesh_raise)(int signal);             /* that ends the rank; does not return */
    void (*ringmesh_moved)(void);                   /* it has changed its working folder or file mask */
};

/* What a program has for it, by the name ringmesh_program. The table it finds by "VERSION:ADDRESS" in the variable
 * RINGMESH_TABLE of the environment. */
struct ringmesh_program {
    int version;
    int (*main)(int, char**, char**);
    void (*finish)(void); /* what atexit and static objects have registered */
};

/* What one made by ringmesh fc has besides, by the name ringmesh_fortran: variables whose addresses stand for
 * constants, as mpif.h has them in a common block, and where its calls go, in the order of mpi_calls.inc. */
struct ringmesh_constants {
    int bottom;
    int in_place;
    int unweighted;
    int weights_empty;
    int errcodes_ignore;
    int status_ignore[sizeof(MPI_Status) / sizeof(int)];
    int statuses_ignore[sizeof(MPI_Status) / sizeof(int)];
};
typedef void (*ringmesh_fortran_call)(void);
struct ringmesh_fortran {
    const struct ringmesh_constants* constants;
    ringmesh_fortran_call** calls;
};
/* NOLINTEND(readability-identifier-naming,bugprone-macro-parentheses) */
#endif
