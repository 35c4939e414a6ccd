// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ringmesh::lab {

/// The parsed value of --workload or --library.
struct WorkloadSpec {
    std::string name;
    std::vector<std::string> options;  ///< "key=value"
};

/// Parses "NAME" or "NAME:key=value,key=value". A part between commas without '=' belongs to the value before it, so
/// that lists need no quotes: "sizes=64,128,repetitions=10" are two options.
/// @param option begins error messages: "--workload" @throws UserError, also if a key is given twice
WorkloadSpec parse_workload_spec(std::string_view option, std::string_view text);

/// Values of --background as options of the workload that they are beside: "background.load=0.2",
/// "background2.load=...".
/// @throws UserError
std::vector<std::string> background_options(const std::vector<std::string>& backgrounds);
/// The value of --workload with these; empty: as it is. @throws UserError
std::string with_backgrounds(std::string workload, const std::vector<std::string>& backgrounds);

/// A program of others.
struct ProgramOfRun {
    std::string file;
    std::vector<std::string> arguments = {};
    std::string ranks = {};                    ///< empty: all nodes
    std::string stack = {};                    ///< of each rank; empty: the usual one
    std::string compute = {};                  ///< "none", "measured:0.5", "record:FILE", "file:FILE"; empty: none
    std::vector<std::string> algorithms = {};  ///< of collective calls: "bcast=ring"
    bool numbers = false;                      ///< its results are the numbers that it prints, not its calls
    const char* named_by = "--program";        ///< what the user has typed before the file, for messages
    bool prefix = false;                       ///< rank and time stand before each line that it prints
};
/// As the value of --workload.
std::string workload_of(const ProgramOfRun& program);

/// The value of --workload with that of --map as its option; empty: as it is. @throws UserError if it has no ranks
std::string with_map(std::string workload, const std::string& map);

}  // namespace ringmesh::lab
