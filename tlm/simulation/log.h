// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <spdlog/spdlog.h>

#include <string>
#include <string_view>
#include <systemc>
#include <vector>

/// Log lines on standard error, one logger per module named by its hierarchical name, with simulated time in each line:
///
///     [  2.134567 us] node0.lc2      debug: strips request 12 from node 1
///
/// Levels are set by pattern. Lines below SPDLOG_ACTIVE_LEVEL (trace, in release builds) compile to nothing; other
/// disabled lines cost a comparison.
namespace ringmesh {

class Division;

/// `assignments`: "node0.*=debug,*.blink=trace"; a level alone applies to all. Also applies to loggers created later.
/// @throws UserError for an unknown level, with the known ones
void set_log_levels(std::string_view assignments);

/// Whether any logger is at this level: a cheap first check.
bool log_wanted(spdlog::level::level_enum level);

spdlog::logger& logger_of(const std::string& hierarchical_name);

/// The lines of all processes of a divided run come together in process 0, in the order of one process.
/// @param division outlives all lines
void divide_log(Division& division);

/// Sends the kernel's reports (sc_report) through the log; errors and fatal ones are thrown as before.
void route_kernel_reports_to_log();

/// One of "node0.*=debug,*.blink=trace"; a level alone applies to all. Views into the given text.
struct LogAssignment {
    std::string_view text;
    std::string_view pattern;  ///< of loggers' names
    std::string_view level;    ///< as it was written
};

std::vector<LogAssignment> log_assignments(std::string_view text);

}  // namespace ringmesh

#define RINGMESH_LOG(module, level, ...)                                       \
    do {                                                                       \
        if ((level) >= SPDLOG_ACTIVE_LEVEL && ::ringmesh::log_wanted(level)) { \
            ::ringmesh::logger_of((module).name()).log(level, __VA_ARGS__);    \
        }                                                                      \
    } while (false)
