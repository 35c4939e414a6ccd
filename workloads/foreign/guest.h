// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <ios>
#include <locale>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/machine/task.h"
#include "workloads/foreign/computation.h"
#include "workloads/foreign/fiber.h"
#include "workloads/foreign/loaded_program.h"
#include "workloads/foreign/mpi_api/process.h"
#include "workloads/foreign/rcce_api/process.h"
#include "workloads/ranks/rank.h"

namespace ringmesh::workloads {

/// A line that a rank has printed to standard output.
struct PrintedLine {
    unsigned rank = 0;
    Duration time;
    std::string text;  ///< with its end, if it has one
};

struct GuestOptions {
    std::string file;  ///< that ringmesh cc has made
    std::vector<std::string> arguments;
    Fiber::Stack stack;
    bool speaks = false;     ///< what it prints is written
    bool speaks_out = true;  ///< to standard output and error; otherwise all of it to standard error
    bool prefix = false;     ///< rank and time stand before what it prints
    std::shared_ptr<std::vector<PrintedLine>> lines = {};  ///< where those of all ranks are kept; null: nowhere
    double flops_per_cycle = 1;                            ///< floating point operations of a processor's cycle
    mpi_api::CallCosts costs;
    mpi_api::Algorithms algorithms;
    std::shared_ptr<Computation> computation;                   ///< of all ranks
    MessageListener* recorder = nullptr;                        ///< of messages; null: none
    std::shared_ptr<const rcce_api::CommonMemory> memory = {};  ///< of ranks that call RCCE
};

/// A call of a program, and what is known of it.
struct GuestCall {
    std::string_view name;
    int peer = MPI_UNDEFINED;
    int tag = MPI_UNDEFINED;
    std::uint64_t bytes = 0;        ///< of the message that it sends, or of the buffer for one
    std::uint64_t moved = 0;        ///< bytes of the message that it sends, or has received
    MPI_Comm comm = MPI_COMM_NULL;  ///< in which `peer` is
    std::size_t requests = 0;       ///< that it waits for
    Duration began = {};
};

/// How often a call was made, and how long that took.
struct GuestCalls {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    Duration time;
};

/// A rank whose program knows nothing of the simulator: a copy of its file of its own, on a fiber. A call that takes
/// simulated time hands the rank's task to the coroutine that resumes the fiber, and waits. No exception of the model
/// meets a frame of the program: then the fiber stays where it is. Lines that it prints come out whole.
class Guest final : public mpi_api::Host {
public:
    /// @param options, rank outlive it
    Guest(const GuestOptions& options, Rank& rank, unsigned ranks);
    ~Guest() override;

    /// @throws UserError if the program cannot be loaded, crashes, or ends the run
    Task<> run();
    int status() const { return status_; }
    /// When its program had ended.
    Duration end() const { return end_; }
    bool is_in_call() const { return !call_.name.empty(); }
    /// "MPI_Recv from rank 1, tag 7": the call that it is in.
    std::string doing() const;
    /// Where in the program that is; empty: it does not wait in a call.
    std::vector<LoadedProgram::Frame> frames();
    const std::map<std::string_view, GuestCalls>& calls() const { return calls_; }

    /// @name On the program's stack
    /// @{
    static Guest& current();
    unsigned rank() const { return rank_.processor().rank(); }
    /// For calls of MPI, or of RCCE: a program makes either.
    mpi_api::Process& process();
    rcce_api::Process& rcce();
    bool calls_rcce() const { return rcce_.has_value(); }
    mpi_api::Process::CardAccesses card_accesses() const
    {
        return process_ ? process_->card_accesses() : mpi_api::Process::CardAccesses();
    }
    void sleep(Duration time);
    /// Reads the clock, which takes time.
    Duration clock();
    void compute(double cycles);
    double flops_per_cycle() const { return options_.flops_per_cycle; }
    /// Fails if simulated time ends before.
    Duration duration(double picoseconds);
    void await(Task<> work) override;
    Fiber::Stack stack() const override { return options_.stack; }
    /// @return the call that this one is made from, by a function of the program
    GuestCall enter(GuestCall call);
    void leave(const GuestCall& before);
    /// The call that it is in has sent or received so many bytes.
    void moved(std::uint64_t bytes) { call_.moved = bytes; }
    /// What stands for constants in a program in Fortran.
    const ringmesh_constants* constants() const { return constants_; }
    /// Until the rank goes.
    void keep(const std::shared_ptr<void>& object) { kept_[object.get()] = object; }
    bool keeps(const void* object) const { return kept_.contains(object); }
    /// Addresses of which Fortran has the lower half.
    std::map<int, MPI_Aint>& short_addresses() { return short_addresses_; }
    /// The working folder and the file mask of the moment are the rank's from now on, and no other's.
    void keep_place() { place_ = Place(); }
    /// The run ends with this error.
    [[noreturn]] void fail(std::exception_ptr error);
    /// @param at_once without what atexit and destructors do
    [[noreturn]] void exit(int status, bool at_once);
    /// @}

private:
    struct Stream {
        Guest* guest = nullptr;
        int file = 1;
        std::FILE* opened = nullptr;  // until the program closes it
        std::string line = {};        // without its end
    };
    /// What libraries keep for a process, of which there is one.
    struct Shared {
        struct Format {
            std::ios_base::fmtflags flags = {};
            std::streamsize precision = 0;
            std::ios_base::iostate state = {};
            std::ios_base::iostate exceptions = {};
            std::streambuf* buffer = nullptr;
            std::ostream* tie = nullptr;
            std::streamsize width = 0;
            char fill = ' ';
            std::locale locale = {};
        };
        std::FILE* in = nullptr;
        std::FILE* out = nullptr;
        std::FILE* error = nullptr;
        int error_number = 0;
        int option_index = 0;
        char** environment = nullptr;
        std::new_handler no_memory = nullptr;
        std::terminate_handler terminate = nullptr;
        std::array<Format, 4> formats = {};  // of C++'s streams
        void take();
        void put() const;
    };
    /// Working folder and file mask of the process, as they are when this is made.
    struct Place {
        Place();
        void put() const;
        std::string folder;
        mode_t mask;
    };
    /// Random numbers of the C library.
    struct Random {
        Random();
        /// The process gets those of the rank, or gets its own back.
        void swap();
        std::array<char, 128> memory = {};
        char* state = nullptr;
        std::array<unsigned short, 3> drand = {};
    };

    static ssize_t write(void* stream, const char* bytes, std::size_t size);
    static int close(void* stream);
    static void crashed(int signal, siginfo_t* about, void* context);
    static void catch_crashes();
    void emit(Stream& stream, std::string_view line);
    void open(Stream& stream);
    void flush();
    void resume();
    void body();
    /// What the program has computed since its last call takes its time.
    void pass_computation(std::string_view next);
    [[noreturn]] void leave_fiber();
    static void stop(const void* context);
    void keep_frames(std::vector<LoadedProgram::Frame> frames);
    /// Lines of the program's source where it ended, innermost first; those that are known.
    std::string known_lines() const;
    std::string lines_of_crash() const;
    /// What ended it, with these lines.
    [[noreturn]] void throw_error() const;
    std::string peer_text() const;
    [[noreturn]] void fail_with(const std::string& text) { fail(std::make_exception_ptr(UserError(text))); }
    /// Null: its library is another.
    rcce::RcceRank* rcce_rank() const { return dynamic_cast<rcce::RcceRank*>(&rank_.of_library()); }

    const GuestOptions& options_;
    Rank& rank_;
    unsigned ranks_;
    std::optional<mpi_api::Process> process_;
    std::optional<rcce_api::Process> rcce_;
    LoadedProgram program_;
    std::array<Stream, 3> streams_;
    Shared shared_;
    Random random_;
    std::optional<Place> place_;  // none: that of the simulator
    Fiber fiber_;
    const ringmesh_constants* constants_ = nullptr;
    std::map<const void*, std::shared_ptr<void>> kept_;
    std::map<int, MPI_Aint> short_addresses_;
    std::vector<char*> words_;
    std::vector<std::string> texts_;
    std::optional<Task<>> wanted_;
    bool waits_ = false;                                  // for that
    std::vector<LoadedProgram::Frame>* asked_ = nullptr;  // where it waits
    std::exception_ptr error_;
    std::string crash_;
    std::vector<LoadedProgram::Frame> crash_frames_;  // where it failed, too
    bool stopped_ = false;
    bool leaving_ = false;
    bool ended_ = false;
    int status_ = 0;
    GuestCall call_;
    std::string_view last_;       // call that it has made
    std::int64_t last_left_ = 0;  // mark() of the computation, when that returned
    Duration end_;
    std::map<std::string_view, GuestCalls> calls_;
};

}  // namespace ringmesh::workloads
