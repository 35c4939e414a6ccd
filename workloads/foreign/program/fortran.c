/* SPDX-License-Identifier: Apache-2.0
 * Linked into each program by ringmesh fc: Fortran's names of the MPI calls, and what its run-time library, of which
 * each rank has a copy, asks of the system by names that begin with ringmesh_. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "table.h"

#define HIDDEN __attribute__((visibility("hidden")))

struct ringmesh_constants ringmesh_constants_;
static ringmesh_fortran_call *ringmesh_fortran_calls;
const struct ringmesh_fortran ringmesh_fortran = {&ringmesh_constants_, &ringmesh_fortran_calls};

typedef void *any;
#include "calls.inc"

/* Profiling is switched by nothing. */
void pmpi_pcontrol_(int *level);
void pmpi_pcontrol_(int *level) { (void)level; }
void mpi_pcontrol_(int *level) __attribute__((weak, alias("pmpi_pcontrol_")));

/* Functions of attributes, for each type of number that these are: a function has no address of its own otherwise. */
#define ATTRIBUTES(prefix, number)                                                                                    \
    void prefix##null_copy_fn_(int *, int *, number *, number *, number *, int *, int *);                              \
    void prefix##null_copy_fn_(int *of, int *key, number *extra, number *in, number *out, int *flag, int *error)       \
    {                                                                                                                  \
        (void)of, (void)key, (void)extra, (void)in, (void)out;                                                         \
        *flag = 0;                                                                                                     \
        *error = MPI_SUCCESS;                                                                                          \
    }                                                                                                                  \
    void prefix##dup_fn_(int *, int *, number *, number *, number *, int *, int *);                                    \
    void prefix##dup_fn_(int *of, int *key, number *extra, number *in, number *out, int *flag, int *error)             \
    {                                                                                                                  \
        (void)of, (void)key, (void)extra;                                                                              \
        *out = *in;                                                                                                    \
        *flag = 1;                                                                                                     \
        *error = MPI_SUCCESS;                                                                                          \
    }                                                                                                                  \
    void prefix##null_delete_fn_(int *, int *, number *, number *, int *);                                             \
    void prefix##null_delete_fn_(int *of, int *key, number *value, number *extra, int *error)                          \
    {                                                                                                                  \
        (void)of, (void)key, (void)value, (void)extra;                                                                 \
        *error = MPI_SUCCESS;                                                                                          \
    }
ATTRIBUTES(mpi_, int)
ATTRIBUTES(mpi_comm_, MPI_Aint)
ATTRIBUTES(mpi_type_, MPI_Aint)
ATTRIBUTES(mpi_win_, MPI_Aint)

/* The library's variables of the C library: each rank has streams of its own. */
HIDDEN FILE *ringmesh_stdin, *ringmesh_stdout, *ringmesh_stderr;
HIDDEN char **ringmesh_environ;
__attribute__((constructor(101))) static void begin(void)
{
    ringmesh_stdin = stdin;
    ringmesh_stdout = stdout;
    ringmesh_stderr = stderr;
    ringmesh_environ = environ;
}

/* Input and output that are asynchronous are done at once: no unit has a thread. */
HIDDEN void _gfortrani_init_async_unit(void *unit);
HIDDEN void _gfortrani_init_async_unit(void *unit) { (void)unit; }
#define OF_THREADS(name)                         \
    HIDDEN _Noreturn void _gfortrani_##name(void); \
    HIDDEN _Noreturn void _gfortrani_##name(void) { abort(); }
OF_THREADS(async_close)
OF_THREADS(async_wait)
OF_THREADS(async_wait_id)
OF_THREADS(collect_async_errors)
OF_THREADS(enqueue_close)
OF_THREADS(enqueue_data_transfer_init)
OF_THREADS(enqueue_done)
OF_THREADS(enqueue_done_id)
OF_THREADS(enqueue_transfer)

/* Standard input, output and error are the rank's. The simulator's own tell the library nothing, and each record goes
 * out when it is written; crashes are the simulator's to tell. */
HIDDEN char *ringmesh_getenv(const char *name)
{
    char *const value = getenv(name);
    if (value) return value;
    if (strcmp(name, "GFORTRAN_UNBUFFERED_PRECONNECTED") == 0) return (char *)"y";
    if (strcmp(name, "GFORTRAN_ERROR_BACKTRACE") == 0) return (char *)"n";
    return NULL;
}
HIDDEN void (*ringmesh_signal(int signal, void (*handler)(int)))(int)
{
    (void)signal, (void)handler;
    return NULL;
}
HIDDEN int ringmesh_isatty(int file) { return file > STDERR_FILENO && isatty(file); }
HIDDEN int ringmesh_fstat(int file, struct stat *into)
{
    if (file > STDERR_FILENO) return fstat(file, into);
    memset(into, 0, sizeof *into);
    into->st_mode = S_IFIFO | S_IRUSR | S_IWUSR;
    return 0;
}
HIDDEN off_t ringmesh_lseek(int file, off_t by, int from)
{
    if (file > STDERR_FILENO) return lseek(file, by, from);
    errno = ESPIPE;
    return -1;
}
HIDDEN ssize_t ringmesh_read(int file, void *into, size_t most)
{
    if (file != STDIN_FILENO) return read(file, into, most);
    return fileno(stdin) < 0 ? 0 : read(fileno(stdin), into, most);  // that of rank 0
}
HIDDEN ssize_t ringmesh_write(int file, const void *bytes, size_t size)
{
    if (file != STDOUT_FILENO && file != STDERR_FILENO) return write(file, bytes, size);
    return (ssize_t)fwrite(bytes, 1, size, file == STDOUT_FILENO ? stdout : stderr);
}
HIDDEN ssize_t ringmesh_writev(int file, const struct iovec *pieces, int count)
{
    ssize_t all = 0;
    for (int i = 0; i < count; ++i) all += ringmesh_write(file, pieces[i].iov_base, pieces[i].iov_len);
    return all;
}

/* What a thread has of its own a rank has, which is none: random numbers. */
enum { KEYS = 16 };
static const void *values[KEYS];
static unsigned keys;
HIDDEN int ringmesh_pthread_key_create(unsigned *key, void (*destroy)(void *))
{
    (void)destroy;
    if (keys == KEYS) return EAGAIN;
    *key = keys++;
    return 0;
}
HIDDEN int ringmesh_pthread_key_delete(unsigned key)
{
    (void)key;
    return 0;
}
HIDDEN void *ringmesh_pthread_getspecific(unsigned key) { return (void *)values[key]; }
HIDDEN int ringmesh_pthread_setspecific(unsigned key, const void *value)
{
    values[key] = value;
    return 0;
}

/* Computation, and OpenMP with one thread */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
__attribute__((weak)) void ringmesh_compute_(const double *cycles) { ringmesh_compute(*cycles); }
__attribute__((weak)) void ringmesh_compute_flops_(const double *operations) { ringmesh_compute_flops(*operations); }
__attribute__((weak)) int omp_get_thread_num_(void) { return 0; }
__attribute__((weak)) int omp_get_num_threads_(void) { return 1; }
__attribute__((weak)) int omp_get_max_threads_(void) { return 1; }
__attribute__((weak)) int omp_get_num_procs_(void) { return 1; }
__attribute__((weak)) int omp_in_parallel_(void) { return 0; }
__attribute__((weak)) void omp_set_num_threads_(const int *count) { (void)count; }
