// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/explain/critical_path.h"

/// A path cut into steps, each of one group.
namespace ringmesh::lab {

/// Consecutive parts of one group.
struct Step {
    int number = 0;  ///< from 1, through all legs
    std::string group;
    std::vector<PathPart> parts;

    Duration from() const { return parts.front().from; }
    Duration to() const { return parts.back().to; }
    Duration span() const { return to() - from(); }
};

/// The way of a message or of a packet, or back, from begin to end.
struct Way {
    std::string name;  ///< "request", "response", "message", "packet"; "request of background"
    std::uint64_t packet = 0;
    Duration from;
    Duration to;
    std::vector<Step> steps;

    Duration span() const { return to - from; }
    Duration sum(std::string_view group) const;
    Duration waiting() const;
    std::size_t steps_of(std::string_view group) const;
    /// In the order of their first steps.
    std::vector<std::string> groups() const;
    std::vector<PathPart> parts() const;
};

/// By the terms of equations 1 to 5 [000 4.1]: each cable is a propagation (l_p); the parts between two cables are a
/// forwarding (l_f) if the packet stayed on its ring, a switching (l_s) if it changed rings; all before the first cable
/// of a packet and after its last one is overhead (o).
/// @param first number of the first step @throws ModelError if the path crosses no cable
std::vector<Step> sci_steps(std::span<const PathPart> path, int first);

/// By the units in which it is: library, core, MIU, router, link, MPB, memory, poll; call, copy, handler, channel.
std::vector<Step> steps_by_unit(std::span<const PathPart> path, int first);

/// A group in full: "o    overhead"; others are their own names.
std::string title_of_group(std::string_view group);
/// The same without its symbol: "overhead".
std::string short_title_of_group(std::string_view group);

}  // namespace ringmesh::lab
