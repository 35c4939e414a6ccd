/* SPDX-License-Identifier: Apache-2.0
 * Linked into each program by ringmesh cc: MPI calls go to the simulator that loads it; clocks tell simulated time.
 * Started by itself, the program starts the simulator with itself as its one rank. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "table.h"

#define HIDDEN __attribute__((visibility("hidden")))
/* A program may have a function of its own by that name. */
#define UNLESS_OWN __attribute__((weak, visibility("hidden")))

static const struct ringmesh_table *table;
extern int ringmesh_main(int, char **, char **) __asm__("main");

extern HIDDEN void *__dso_handle;
void __cxa_finalize(void *of);
static void finish(void) { __cxa_finalize(&__dso_handle); }
const struct ringmesh_program ringmesh_program = {RINGMESH_TABLE_VERSION, ringmesh_main, finish};

/* Before all else: what runs before main() may read a clock. */
__attribute__((constructor(101))) static void take_table(void)
{
    const char *const text = getenv("RINGMESH_TABLE");
    char *rest = NULL;
    if (!text || strtol(text, &rest, 10) != RINGMESH_TABLE_VERSION || *rest != ':') return;
    table = (const struct ringmesh_table *)strtoul(rest + 1, NULL, 16);
}

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

void ringmesh_compute(double cycles) { table->ringmesh_compute(cycles); }
void ringmesh_compute_flops(double operations) { table->ringmesh_compute_flops(operations); }

/* OpenMP with one thread: ringmesh cc leaves -fopenmp out. */
#define OMP(result, name, parameters, value) \
    __attribute__((weak)) result name parameters { return value; }
#define OMP_DOES_NOTHING(name, parameters) \
    __attribute__((weak)) void name parameters {}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
OMP(int, omp_get_thread_num, (void), 0)
OMP(int, omp_get_num_threads, (void), 1)
OMP(int, omp_get_max_threads, (void), 1)
OMP(int, omp_get_num_procs, (void), 1)
OMP(int, omp_get_thread_limit, (void), 1)
OMP(int, omp_in_parallel, (void), 0)
OMP(int, omp_get_dynamic, (void), 0)
OMP(int, omp_get_nested, (void), 0)
OMP(int, omp_get_level, (void), 0)
OMP(double, omp_get_wtime, (void), (double)table->ringmesh_clock() * 1e-9)
OMP(double, omp_get_wtick, (void), 1e-9)
OMP(int, omp_test_lock, (void *lock), 1)
OMP(int, omp_test_nest_lock, (void *lock), 1)
OMP_DOES_NOTHING(omp_set_num_threads, (int count))
OMP_DOES_NOTHING(omp_set_dynamic, (int on))
OMP_DOES_NOTHING(omp_set_nested, (int on))
OMP_DOES_NOTHING(omp_init_lock, (void *lock))
OMP_DOES_NOTHING(omp_set_lock, (void *lock))
OMP_DOES_NOTHING(omp_unset_lock, (void *lock))
OMP_DOES_NOTHING(omp_destroy_lock, (void *lock))
OMP_DOES_NOTHING(omp_init_nest_lock, (void *lock))
OMP_DOES_NOTHING(omp_set_nest_lock, (void *lock))
OMP_DOES_NOTHING(omp_unset_nest_lock, (void *lock))
OMP_DOES_NOTHING(omp_destroy_nest_lock, (void *lock))
#pragma GCC diagnostic pop

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
HIDDEN int timespec_get(struct timespec *time, int base)
{
    clock_gettime(CLOCK_REALTIME, time);
    return base;
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

/* More than simulated time has is told there. */
static long long nanoseconds(long long seconds, long long more)
{
    const long long most = 9000000000;
    return (seconds < most ? seconds : most) * 1000000000 + more;
}
HIDDEN int nanosleep(const struct timespec *time, struct timespec *left)
{
    if (left) *left = (struct timespec){0, 0};
    table->ringmesh_sleep(nanoseconds(time->tv_sec, time->tv_nsec));
    return 0;
}
HIDDEN int thrd_sleep(const struct timespec *time, struct timespec *left) { return nanosleep(time, left); }
HIDDEN int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
    (void)clock;
    const long long until = nanoseconds(time->tv_sec, time->tv_nsec);
    if (left) *left = (struct timespec){0, 0};
    table->ringmesh_sleep(flags == TIMER_ABSTIME ? until - table->ringmesh_clock() : until);
    return 0;
}
HIDDEN int usleep(useconds_t time) { return table->ringmesh_sleep(time * 1000LL), 0; }
HIDDEN unsigned sleep(unsigned time) { return table->ringmesh_sleep(time * 1000000000LL), 0; }

/* Files are ready by the system's time: they are looked at before and after the simulated one. */
static int look(struct pollfd *files, nfds_t count, int waits)
{
    return (int)syscall(SYS_ppoll, files, count, waits ? NULL : &(struct timespec){0, 0}, NULL, _NSIG / 8);
}
HIDDEN int ppoll(struct pollfd *files, nfds_t count, const struct timespec *most, const sigset_t *signals)
{
    (void)signals;
    const int ready = look(files, count, !most);
    if (ready != 0 || !most) return ready;
    nanosleep(most, NULL);
    return count == 0 ? 0 : look(files, count, 0);
}
HIDDEN int poll(struct pollfd *files, nfds_t count, int milliseconds)
{
    const struct timespec most = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    return ppoll(files, count, milliseconds < 0 ? NULL : &most, NULL);
}
static int look_at(int end, fd_set *const *sets, int waits)
{
    return (int)syscall(SYS_pselect6, end, sets[0], sets[1], sets[2], waits ? NULL : &(struct timespec){0, 0}, NULL);
}
HIDDEN int pselect(int end, fd_set *restrict in, fd_set *restrict out, fd_set *restrict other,
                   const struct timespec *restrict most, const sigset_t *restrict signals)
{
    (void)signals;
    fd_set *const sets[] = {in, out, other};
    fd_set asked[3];
    for (int i = 0; i < 3; ++i) {
        if (sets[i]) asked[i] = *sets[i];
    }
    const int ready = look_at(end, sets, !most);
    if (ready != 0 || !most) return ready;
    nanosleep(most, NULL);
    for (int i = 0; i < 3; ++i) {
        if (sets[i]) *sets[i] = asked[i];
    }
    return end == 0 ? 0 : look_at(end, sets, 0);
}
HIDDEN int select(int end, fd_set *restrict in, fd_set *restrict out, fd_set *restrict other,
                  struct timeval *restrict most)
{
    if (!most) return pselect(end, in, out, other, NULL, NULL);
    const struct timespec time = {most->tv_sec, most->tv_usec * 1000L};
    return pselect(end, in, out, other, &time, NULL);
}

/* What a process has once, a rank has too. */
HIDDEN char *strtok(char *restrict text, const char *restrict ends)
{
    static char *rest;
    return strtok_r(text, ends, &rest);
}
/* A rank's standard streams have no file that could be another one. */
HIDDEN FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict file)
{
    FILE **const of_rank = file == stdin ? &stdin : file == stdout ? &stdout : file == stderr ? &stderr : NULL;
    if (!of_rank || fileno(file) >= 0) {
        return ((FILE * (*)(const char *, const char *, FILE *)) dlsym(RTLD_NEXT, "freopen"))(path, mode, file);
    }
    if (!path) return file;
    FILE *const opened = fopen(path, mode);
    if (!opened) return NULL;
    if (file == stderr) setvbuf(opened, NULL, _IONBF, 0);
    fclose(file);
    return *of_rank = opened;
}
HIDDEN FILE *freopen64(const char *restrict path, const char *restrict mode, FILE *restrict file)
    __attribute__((alias("freopen")));
/* std::ios::sync_with_stdio(): the streams are the rank's standard ones, whatever it says */
HIDDEN _Bool _ZNSt8ios_base15sync_with_stdioEb(_Bool on)
{
    (void)on;
    return 1;
}

/* Working folder and file mask: the simulator keeps those of the rank while others run. */
static int moved(long failed)
{
    if (!failed) table->ringmesh_moved();
    return (int)failed;
}
UNLESS_OWN int chdir(const char *folder) { return moved(syscall(SYS_chdir, folder)); }
UNLESS_OWN int fchdir(int folder) { return moved(syscall(SYS_fchdir, folder)); }
UNLESS_OWN mode_t umask(mode_t mask)
{
    const mode_t before = (mode_t)syscall(SYS_umask, mask);
    moved(0);
    return before;
}
/* std::filesystem::current_path(), which is in a library of all */
UNLESS_OWN void _ZNSt10filesystem12current_pathERKNS_7__cxx114pathE(const void *folder)
{
    ((void (*)(const void *))dlsym(RTLD_NEXT, "_ZNSt10filesystem12current_pathERKNS_7__cxx114pathE"))(folder);
    moved(0);
}
UNLESS_OWN void _ZNSt10filesystem12current_pathERKNS_7__cxx114pathERSt10error_code(const void *folder, void *error)
{
    static const char name[] = "_ZNSt10filesystem12current_pathERKNS_7__cxx114pathERSt10error_code";
    ((void (*)(const void *, void *))dlsym(RTLD_NEXT, name))(folder, error);
    moved(0);
}

/* Environment: a list of the rank's own, once it has changed it. The C library's list is the simulator's. */
static int with_entry(const char *name, size_t length, char *entry)
{
    static char **own;
    size_t count = 0, kept = 0;
    while (environ && environ[count]) ++count;
    char **const all = malloc((count + 2) * sizeof *all);
    if (!all) return -1;
    for (size_t i = 0; i < count; ++i) {
        if (strncmp(environ[i], name, length) != 0 || environ[i][length] != '=') all[kept++] = environ[i];
    }
    if (entry) all[kept++] = entry;
    all[kept] = NULL;
    free(own);
    environ = own = all;
    return 0;
}
static int is_name(const char *name)
{
    if (name && *name && !strchr(name, '=')) return 1;
    errno = EINVAL;
    return 0;
}
UNLESS_OWN int setenv(const char *name, const char *value, int replaces)
{
    if (!is_name(name)) return -1;
    if (!replaces && getenv(name)) return 0;
    const size_t length = strlen(name), size = strlen(value) + 1;
    char *const entry = malloc(length + 1 + size);
    if (!entry) return -1;
    memcpy(entry, name, length);
    entry[length] = '=';
    memcpy(entry + length + 1, value, size);
    return with_entry(name, length, entry);
}
UNLESS_OWN int unsetenv(const char *name) { return is_name(name) ? with_entry(name, strlen(name), NULL) : -1; }
UNLESS_OWN int putenv(char *entry)
{
    const char *const equals = strchr(entry, '=');
    return equals ? with_entry(entry, (size_t)(equals - entry), entry) : unsetenv(entry);
}
UNLESS_OWN int clearenv(void) { return environ = NULL, 0; }

/* Handlers of signals: only those that a rank sends itself come to it. Crashes are the simulator's to tell. */
static struct sigaction handlers[_NSIG];
UNLESS_OWN int sigaction(int signal, const struct sigaction *restrict set, struct sigaction *restrict before)
{
    if (signal < 1 || signal >= _NSIG || (set && (signal == SIGKILL || signal == SIGSTOP))) {
        errno = EINVAL;
        return -1;
    }
    const struct sigaction had = handlers[signal];
    if (set) handlers[signal] = *set;
    if (before) *before = had;
    return 0;
}
UNLESS_OWN void (*signal(int number, void (*handler)(int)))(int)
{
    const struct sigaction set = {.sa_handler = handler, .sa_flags = SA_RESTART};
    struct sigaction before;
    return sigaction(number, &set, &before) == 0 ? before.sa_handler : SIG_ERR;
}
UNLESS_OWN void (*__sysv_signal(int number, void (*handler)(int)))(int)
{
    const struct sigaction set = {.sa_handler = handler, .sa_flags = (int)SA_RESETHAND};
    struct sigaction before;
    return sigaction(number, &set, &before) == 0 ? before.sa_handler : SIG_ERR;
}
UNLESS_OWN int raise(int signal)
{
    struct sigaction set;
    if (signal == 0) return 0;
    if (sigaction(signal, NULL, &set) != 0) return -1;
    if (set.sa_handler == SIG_IGN) return 0;
    if (set.sa_handler == SIG_DFL) {
        if (signal == SIGCHLD || signal == SIGCONT || signal == SIGURG || signal == SIGWINCH) return 0;
        table->ringmesh_raise(signal);
    }
    if (set.sa_flags & (int)SA_RESETHAND) handlers[signal].sa_handler = SIG_DFL;
    siginfo_t about = {.si_signo = signal};
    if (set.sa_flags & SA_SIGINFO) {
        set.sa_sigaction(signal, &about, NULL);
    } else {
        set.sa_handler(signal);
    }
    return 0;
}
/* Its group is the simulator's. */
UNLESS_OWN int kill(pid_t process, int signal)
{
    return process == getpid() || process == 0 ? raise(signal) : (int)syscall(SYS_kill, process, signal);
}

HIDDEN void exit(int status) { table->ringmesh_exit(status, 0); __builtin_unreachable(); }
HIDDEN void _exit(int status) { table->ringmesh_exit(status, 1); __builtin_unreachable(); }
HIDDEN void _Exit(int status) { table->ringmesh_exit(status, 1); __builtin_unreachable(); }
HIDDEN void quick_exit(int status) { table->ringmesh_exit(status, 1); __builtin_unreachable(); }

/* What a rank of a simulation cannot do. */
#define REFUSED(result, name, parameters) \
    UNLESS_OWN result name parameters { table->ringmesh_refuse(#name); __builtin_unreachable(); }
#pragma GCC diagnostic ignored "-Wunused-parameter"
REFUSED(int, pthread_create, (pthread_t * thread, const pthread_attr_t *how, void *(*run)(void *), void *argument))
REFUSED(int, thrd_create, (thrd_t * thread, thrd_start_t run, void *argument))
REFUSED(int, socket, (int domain, int type, int protocol))
REFUSED(int, execve, (const char *file, char *const *words, char *const *environment))
REFUSED(int, execv, (const char *file, char *const *words))
REFUSED(int, execvp, (const char *file, char *const *words))
REFUSED(int, execvpe, (const char *file, char *const *words, char *const *environment))
REFUSED(int, fexecve, (int file, char *const *words, char *const *environment))
REFUSED(int, execl, (const char *file, const char *word, ...))
REFUSED(int, execlp, (const char *file, const char *word, ...))
REFUSED(int, execle, (const char *file, const char *word, ...))
REFUSED(pid_t, fork, (void))
REFUSED(pid_t, vfork, (void))
REFUSED(int, posix_spawn,
        (pid_t *restrict process, const char *restrict file, const posix_spawn_file_actions_t *files,
         const posix_spawnattr_t *restrict how, char *const words[], char *const environment[]))
REFUSED(int, posix_spawnp,
        (pid_t *restrict process, const char *restrict file, const posix_spawn_file_actions_t *files,
         const posix_spawnattr_t *restrict how, char *const words[], char *const environment[]))
REFUSED(int, system, (const char *line))
REFUSED(FILE *, popen, (const char *line, const char *mode))
REFUSED(unsigned, alarm, (unsigned seconds))
REFUSED(int, setitimer,
        (__itimer_which_t clock, const struct itimerval *restrict time, struct itimerval *restrict before))
/* std::thread's; it has its own pthread_create() */
HIDDEN void _ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(void *state,
                                                                                                   void (*depend)(void))
{
    table->ringmesh_refuse("std::thread");
    __builtin_unreachable();
}

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
