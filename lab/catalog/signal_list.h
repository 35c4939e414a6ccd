// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/catalog/format.h"

namespace ringmesh::lab {

/// The signals of a platform's machines: with processors and with packet sources in place of them, as far as it has
/// both.
/// @param pattern as of --trace: each of these by itself; empty: all, numbered ones in one row
/// @throws UserError for an unknown platform, and for a pattern that matches nothing
std::string list_signals(const std::string& platform, const std::string& pattern, Format format);

/// The page of documentation: those of every platform that is not based on another.
std::string list_signals_of_platforms(Format format);

}  // namespace ringmesh::lab
