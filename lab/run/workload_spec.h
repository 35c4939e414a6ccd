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

/// The value of --workload with that of --map as its option; empty: as it is. @throws UserError if it has no ranks
std::string with_map(std::string workload, const std::string& map);

}  // namespace ringmesh::lab
