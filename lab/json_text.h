// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lab/json.h"
#include "tlm/parameter_list.h"

namespace ringmesh::lab {

/// The version of the format of JSON and CSV output; raised by incompatible changes.
inline constexpr int kOutputSchema = 2;

/// {"version": ..., "schema": ...}: the program that wrote the file.
Json program_json();

/// Only the values, nested: "link.symbol_time" becomes {"link": {"symbol_time": ...}}. Quantities are texts with their
/// unit; whole numbers, numbers and booleans are JSON's own.
Json values_json(const std::vector<ParameterRow>& rows);

/// Indented text with a new line at the end.
/// @throws ModelError if a number anywhere is not finite: JSON cannot represent it, and null would hide it
std::string json_text(const Json& json);

}  // namespace ringmesh::lab
