// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tlm/parameter_list.h"

namespace ringmesh::lab {

/// The version of the shape of all JSON that the program writes; raised when a reader would have to change.
inline constexpr int kJsonSchema = 1;

/// {"version": ..., "schema": ...}: what wrote the file.
nlohmann::ordered_json program_json();

/// The values alone, nested: "link.symbol_time" becomes {"link": {"symbol_time": ...}}. Quantities are texts with their
/// unit; whole numbers, numbers and booleans are JSON's own.
nlohmann::ordered_json values_json(const std::vector<ParameterRow>& rows);

/// Indented text with a new line at the end.
/// @throws ModelError if a number anywhere is not finite: JSON has no way to write it, and null would hide it
std::string json_text(const nlohmann::ordered_json& json);

}  // namespace ringmesh::lab
