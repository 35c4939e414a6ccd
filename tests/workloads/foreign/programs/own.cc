// SPDX-License-Identifier: Apache-2.0
// What each rank of a C++ program has for itself: variables of every kind, exceptions in flight, clocks, arguments.
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <iomanip>
#include <iostream>
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

int main(int argc, char** argv)
{
    int letter = 0;
    while (getopt(argc, argv, "ab") != -1) ++letter;
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
