// SPDX-License-Identifier: Apache-2.0
// What each rank of a C++ program has for itself: variables of every kind, exceptions in flight, clocks, arguments.
#include <poll.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.h"

inline int shared_by_files = 0;
template <class T>
struct Counter {
    static inline int count = 0;
};
thread_local int of_thread = 0;
struct Built {
    int value = 41;
    Built() { ++value; }
    ~Built() { std::cout << "rank " << rank << " is taken down\n"; }
};
static Built built;
static const auto before_main = std::chrono::steady_clock::now();

static int& in_function()
{
    static int value = 0;
    return value;
}

/// Meets all others while an exception is being handled.
static void while_handling()
{
    try {
        throw std::runtime_error("of rank " + std::to_string(rank));
    } catch (const std::exception&) {
        MPI_Barrier(MPI_COMM_WORLD);
        try {
            throw;
        } catch (const std::exception& again) {
            CHECK(again.what() == "of rank " + std::to_string(rank));
        }
    }
}

/// What the C library keeps for a process.
static void library_state()
{
    char words[] = "one two";
    srand(static_cast<unsigned>(rank));
    srand48(rank);
    const int number = rand();
    const double fraction = drand48();
    CHECK(strtok(words, " ") == words);
    MPI_Barrier(MPI_COMM_WORLD);
    const int next = rand();
    const double next_fraction = drand48();
    CHECK(strtok(nullptr, " ") == words + 4);
    srand(static_cast<unsigned>(rank));
    srand48(rank);
    CHECK(rand() == number && rand() == next);
    CHECK(drand48() == fraction && drand48() == next_fraction);
    std::string word;
    if (rank > 0) CHECK(!(std::cin >> word));
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(std::cin.good() == (rank == 0));
}

/// Format and buffer of C++'s streams; what happens without memory.
static void streams()
{
    std::ostringstream own;
    std::streambuf* const before = std::cout.rdbuf();
    if (rank == 1) std::cout.rdbuf(own.rdbuf());
    if (rank == 2) std::cout << std::setfill('*');
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(std::cout.rdbuf() == (rank == 1 ? own.rdbuf() : before));
    CHECK(std::cout.fill() == (rank == 2 ? '*' : ' '));
    std::cout.rdbuf(before);
    std::cout << std::setfill(' ');
    bool caught = false;
    try {
        const volatile std::size_t too_much = std::size_t{1} << 46;
        const std::vector<char> bytes(too_much);
    } catch (const std::bad_alloc&) {
        caught = true;
    }
    CHECK(caught);
}

/// Whether the waits take so many milliseconds of simulated time.
template <class Wait>
static bool takes(double milliseconds, const Wait& wait)
{
    const double began = MPI_Wtime();
    wait();
    return MPI_Wtime() - began > milliseconds / 1e3 && MPI_Wtime() - began < milliseconds / 1e3 + 2e-6;
}
static void waits()
{
    CHECK(takes(20, [] { poll(nullptr, 0, 20); }));
    CHECK(takes(30, [] {
        timespec most{0, 30000000};
        ppoll(nullptr, 0, &most, nullptr);
    }));
    CHECK(takes(40, [] {
        timeval most{0, 40000};
        select(0, nullptr, nullptr, nullptr, &most);
    }));
    timespec now{};
    CHECK(timespec_get(&now, TIME_UTC) == TIME_UTC && now.tv_sec == time(nullptr));
}

static std::string value_of(const char* name)
{
    const char* const value = std::getenv(name);
    return value != nullptr ? value : "none";
}

/// Working folder, file mask and environment. Before MPI_Init, when other ranks are still to be loaded.
static std::filesystem::path move()
{
    std::string name = std::filesystem::temp_directory_path() / "ringmesh-own-XXXXXX";
    CHECK(mkdtemp(name.data()) != nullptr);
    CHECK(chdir(name.c_str()) == 0);
    CHECK(std::filesystem::create_directory("below"));
    std::filesystem::current_path("below");
    CHECK(value_of("PLACE") == "none");
    CHECK(setenv("PLACE", name.c_str(), 0) == 0);
    return std::filesystem::current_path();
}
static void place_and_environment(const std::filesystem::path& place)
{
    static std::string entry = "OF_RANK=" + std::to_string(rank);
    CHECK(putenv(entry.data()) == 0);
    CHECK(setenv("PATH", "nowhere", 0) == 0);
    CHECK(setenv("A=B", "", 1) != 0);
    if (rank == 1) CHECK(unsetenv("PATH") == 0);
    CHECK(umask(static_cast<mode_t>(rank)) < 0777);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(umask(static_cast<mode_t>(rank)) == static_cast<mode_t>(rank));
    CHECK(std::filesystem::current_path() == place);
    CHECK(value_of("PLACE") == place.parent_path());
    CHECK(value_of("OF_RANK") == std::to_string(rank));
    CHECK((value_of("PATH") == "none") == (rank == 1));
    CHECK(value_of("PATH") != "nowhere");
    CHECK(std::filesystem::remove_all(place.parent_path()) == 2);
}

static int handled = 0;
static void handlers_of_signals()
{
    CHECK(signal(SIGUSR1, [](int) { ++handled; }) == SIG_DFL);
    if (rank == 1) signal(SIGUSR1, SIG_IGN);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(raise(SIGUSR1) == 0 && kill(getpid(), SIGUSR1) == 0);
    CHECK(handled == (rank == 1 ? 0 : 2));
}

static void throwing(MPI_Comm*, int*, ...) { throw std::runtime_error("by the handler"); }
static void handler_that_throws()
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_create_errhandler(throwing, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    int caught = 0;
    try {
        MPI_Send(&caught, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
    } catch (const std::runtime_error&) {
        ++caught;
    }
    CHECK(caught == 1);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char** argv)
{
    std::ios::sync_with_stdio(false);
    int letter = 0;
    while (getopt(argc, argv, "ab") != -1) ++letter;
    const std::filesystem::path place = move();
    begin(&argc, &argv);
    CHECK(letter == 2);
    CHECK(optind == 3 && argc == 4 && argv[3] == std::string("a word, of=two"));
    for (int* each : {&shared_by_files, &Counter<int>::count, &of_thread, &in_function()}) {
        CHECK(*each == 0);
        *each = rank + 1;
    }
    CHECK(built.value == 42);
    errno = rank;
    std::cout << (rank % 2 ? std::hex : std::dec);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(errno == rank);
    CHECK(((std::cout.flags() & std::ios::hex) != 0) == (rank % 2 != 0));
    for (const int* each : {&shared_by_files, &Counter<int>::count, &of_thread, &in_function()})
        CHECK(*each == rank + 1);
    while_handling();
    library_state();
    streams();
    waits();
    handler_that_throws();
    place_and_environment(place);
    handlers_of_signals();
    CHECK(before_main <= std::chrono::steady_clock::now());
    const auto before = std::chrono::steady_clock::now();
    const double seconds = MPI_Wtime();
    usleep(1500);
    const auto passed = std::chrono::steady_clock::now() - before;
    CHECK(passed > std::chrono::microseconds(1500) && passed < std::chrono::microseconds(1502));
    CHECK(MPI_Wtime() - seconds > 0.0015 && MPI_Wtime() - seconds < 0.001503);
    while (std::chrono::steady_clock::now() - before < std::chrono::milliseconds(2)) {
    }
    std::cout << "rank " << rank << std::endl;
    return end();
}
