/* SPDX-License-Identifier: Apache-2.0
 * Linked into each program by ringmesh cc: MPI calls go to the simulator that loads it; clocks tell simulated time.
 * Started by itself, the program starts the simulator with itself as its one rank. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "table.h"

#define HIDDEN __attribute__((visibility("hidden")))

static const struct ringmesh_table *table;
extern int ringmesh_main(int, char **, char **) __asm__("main");
const struct ringmesh_program ringmesh_program = {RINGMESH_TABLE_VERSION, &table, ringmesh_main};

/* A program may have MPI_ names of its own, and call the PMPI_ ones. */
#define CALL(result, name, parameters, arguments)                  \
    result P##name parameters { return table->name arguments; }    \
    result name parameters __attribute__((weak, alias("P" #name)));
#include "mpi_calls.inc"
#undef CALL

/* A program may have a library of its own above RCCE. */
#define CALL(result, name, parameters, arguments) \
    __attribute__((weak)) result name parameters { return table->name arguments; }
#include "rcce_calls.inc"
#undef CALL
__attribute__((weak)) RCCE_COMM RCCE_COMM_WORLD;
__attribute__((weak)) int RCCE_init(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return table->rcce_init(&RCCE_COMM_WORLD);
}

void ringmesh_compute(double cycles);
void ringmesh_compute(double cycles) { table->ringmesh_compute(cycles); }

HIDDEN int clock_gettime(clockid_t clock, struct timespec *time)
{
    (void)clock;
    const long long now = table->ringmesh_clock();
    time->tv_sec = now / 1000000000;
    time->tv_nsec = now % 1000000000;
    return 0;
}
HIDDEN int clock_getres(clockid_t clock, struct timespec *time)
{
    (void)clock;
    if (time) *time = (struct timespec){0, 1};
    return 0;
}
HIDDEN int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    (void)zone;
    const long long now = table->ringmesh_clock();
    time->tv_sec = now / 1000000000;
    time->tv_usec = now % 1000000000 / 1000;
    return 0;
}
HIDDEN time_t time(time_t *into)
{
    const time_t now = table->ringmesh_clock() / 1000000000;
    if (into) *into = now;
    return now;
}
/* No time of a processor is the system's. */
HIDDEN int getrusage(__rusage_who_t who, struct rusage *use)
{
    (void)who;
    memset(use, 0, sizeof *use);
    return gettimeofday(&use->ru_utime, NULL);
}
HIDDEN clock_t times(struct tms *use)
{
    const clock_t now = table->ringmesh_clock() / (1000000000 / sysconf(_SC_CLK_TCK));
    if (use) *use = (struct tms){now, 0, 0, 0};
    return now;
}
HIDDEN clock_t clock(void) { return table->ringmesh_clock() / (1000000000 / CLOCKS_PER_SEC); }
/* std::chrono::steady_clock::now() and system_clock's */
HIDDEN long long _ZNSt6chrono3_V212steady_clock3nowEv(void) { return table->ringmesh_clock(); }
HIDDEN long long _ZNSt6chrono3_V212system_clock3nowEv(void) { return table->ringmesh_clock(); }

HIDDEN int nanosleep(const struct timespec *time, struct timespec *left)
{
    if (left) *left = (struct timespec){0, 0};
    table->ringmesh_sleep(time->tv_sec * 1000000000LL + time->tv_nsec);
    return 0;
}
HIDDEN int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
    (void)clock;
    const long long until = time->tv_sec * 1000000000LL + time->tv_nsec;
    if (left) *left = (struct timespec){0, 0};
    table->ringmesh_sleep(flags == TIMER_ABSTIME ? until - table->ringmesh_clock() : until);
    return 0;
}
HIDDEN int usleep(useconds_t time) { return table->ringmesh_sleep(time * 1000LL), 0; }
HIDDEN unsigned sleep(unsigned time) { return table->ringmesh_sleep(time * 1000000000LL), 0; }

HIDDEN void exit(int status) { table->ringmesh_exit(status, 0); __builtin_unreachable(); }
HIDDEN void _exit(int status) { table->ringmesh_exit(status, 1); __builtin_unreachable(); }
HIDDEN void _Exit(int status) { table->ringmesh_exit(status, 1); __builtin_unreachable(); }

/* What a rank of a simulation cannot do. */
#define REFUSED(result, name, parameters) \
    HIDDEN result name parameters { table->ringmesh_refuse(#name); __builtin_unreachable(); }
#pragma GCC diagnostic ignored "-Wunused-parameter"
REFUSED(int, pthread_create, (pthread_t * thread, const pthread_attr_t *how, void *(*run)(void *), void *argument))
REFUSED(int, socket, (int domain, int type, int protocol))
REFUSED(int, execve, (const char *file, char *const *words, char *const *environment))
REFUSED(int, execv, (const char *file, char *const *words))
REFUSED(int, execvp, (const char *file, char *const *words))
REFUSED(pid_t, fork, (void))
REFUSED(pid_t, vfork, (void))

/* Started by itself */
#if defined(__x86_64__)
const char ringmesh_loader[] __attribute__((section(".interp"))) = "/lib64/ld-linux-x86-64.so.2";
__asm__(".globl ringmesh_alone\n.hidden ringmesh_start\nringmesh_alone:\n\txorl %ebp, %ebp\n\tmovq %rsp, %rdi\n"
        "\tandq $-16, %rsp\n\tcall ringmesh_start\n\thlt\n");
#elif defined(__aarch64__)
const char ringmesh_loader[] __attribute__((section(".interp"))) = "/lib/ld-linux-aarch64.so.1";
__asm__(".globl ringmesh_alone\n.hidden ringmesh_start\nringmesh_alone:\n\tmov x29, #0\n\tmov x30, #0\n\tmov x0, sp\n"
        "\tb ringmesh_start\n");
#else
#error "ringmesh cc knows x86-64 and aarch64"
#endif

HIDDEN void ringmesh_start(long *stack);
void ringmesh_start(long *stack)
{
    const long argc = *stack;
    char **const argv = (char **)(stack + 1);
    static char self[4096];
    const char *simulator = getenv("RINGMESH");
    if (!simulator || !*simulator) simulator = RINGMESH_EXECUTABLE;
    char **const words = __builtin_alloca((size_t)(argc + 6) * sizeof(char *));
    long n = 0;
    words[n++] = (char *)simulator;
    words[n++] = (char *)"mpiexec";
    words[n++] = (char *)"-n";
    words[n++] = (char *)"1";
    words[n++] = readlink("/proc/self/exe", self, sizeof self - 1) > 0 ? self : argv[0];
    for (long i = 1; i < argc; ++i) words[n++] = argv[i];
    words[n] = 0;
    syscall(SYS_execve, simulator, words, argv + argc + 1);
    dprintf(2, "%s: %s cannot be started: %s; set RINGMESH to the simulator\n", argv[0], simulator, strerror(errno));
    syscall(SYS_exit_group, 127);
}
