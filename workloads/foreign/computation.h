// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>

#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tlm/files/atomic_file.h"
#include "tlm/parameters/parameters.h"
#include "tlm/units/duration.h"

namespace ringmesh::workloads {

/// Bytes of a program of others.
inline constexpr std::uintmax_t kLargestProgram = 1024 * 1024 * 1024;

/// Simulated time of what a program computes between two calls: none, the processor time that this computer takes for
/// it times a factor, or the times of a file that a measured run has written. A file has them by rank and by the pair
/// of calls, in their order, so that calls which only look, of which another machine may see more or fewer, shift
/// nothing else.
class Computation {
public:
    enum class From : std::uint8_t { kNone, kMeasured, kRecord, kFile };

    void visit(ParameterVisitor& visitor);
    /// Files that it reads. @throws UserError if there is none
    std::vector<std::string> files(const std::string& folder) const;
    /// @param program, arguments, inputs what the times are of; inputs are files
    /// @throws UserError for a file that is of another program
    void prepare(const std::string& folder, const std::string& program, const std::string& arguments,
                 const std::vector<std::string>& inputs, unsigned ranks);

    bool is_timed() const { return from_ != From::kNone; }
    /// Processor time of this thread, in ns; 0 if nothing is measured.
    std::int64_t mark() const;
    /// Picoseconds of a rank that has left one call and enters another. @param began mark() at its beginning
    double between(unsigned rank, std::string_view from, std::string_view to, std::int64_t began);
    /// Writes what was recorded. @throws UserError
    void commit();
    /// What the results say of it.
    std::vector<std::string> notes() const;

private:
    struct Times {
        std::deque<std::int64_t> left;  ///< ns
        double mean = 0;                ///< of all, when they are used up
    };
    void read(const std::string& path, const std::string& what);

    From from_ = From::kNone;
    double factor_ = 1;
    std::string file_;
    std::string head_;  ///< first line of the file: what it is of
    std::map<std::tuple<unsigned, std::string, std::string>, Times> times_;
    std::unique_ptr<AtomicFile> output_;
    std::string recorded_;
    std::uint64_t unknown_ = 0;  ///< stretches of which the file has no time
    std::uint64_t beyond_ = 0;   ///< of which it has too few
};

/// What ends a run whose rank is stopped, from "rank 1 computes since MPI_Barrier and makes no call" and the lines of
/// its source.
using StopComputing = std::function<std::exception_ptr(const std::string& what, const std::string& lines)>;

/// From another thread: the rank of a program of others that computes in `thread` stops there. Without effect if none
/// does, or if it is in a library at the moment, whose locks it may hold: then ask again.
/// @param stop outlives the run @return false: it has stopped
bool stop_computing(pthread_t thread, const StopComputing& stop);

}  // namespace ringmesh::workloads
