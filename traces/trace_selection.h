// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "traces/recorder.h"

namespace ringmesh {

/// Hierarchical names, and messages about patterns of them that match none.

/// "node0.lc2.link"
using ObjectNames = std::set<std::string, std::less<>>;

/// "did you mean '*.lc2'?" or, if no name is similar, "known: core0..core47, mesh" with the top-level names, numbered
/// ones as ranges. @pre there are names
std::string cure_for_pattern(std::string_view typed, const ObjectNames& names);

/// Enters the name of a signal and those of the modules above it.
void add_names(std::string_view signal, ObjectNames& names);

/// Whether one of the patterns, separated by commas, selects the signal (see trace_selected).
bool selects(std::string_view patterns, std::string_view signal);

/// True if `pattern` describes the whole of `name`: `*` stands for any characters, dots included, `?` for one.
bool matches_pattern(std::string_view name, std::string_view pattern);

/// Traces what --trace asks for: `patterns` are patterns separated by commas, such as "node0" or "*.lc2,node3.bridge*".
/// A pattern selects a signal if it matches the signal's hierarchical name or that of a module above it; so "node0" is
/// all of node0, and "*.bypass_fill" one signal of each node.
///
/// Calls sc_object::trace of all objects of the simulation. Call it when all modules have been built.
/// @throws UserError if a pattern selects nothing, with the name that was probably meant
/// @param others traces what no sc_object does, such as faults
void trace_selected(Recorder& file, std::string_view patterns,
                    const std::function<void(sc_core::sc_trace_file*)>& others = {});

}  // namespace ringmesh
