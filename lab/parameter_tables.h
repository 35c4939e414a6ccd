// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lab/json.h"
#include "lab/text_table.h"
#include "tlm/parameter_list.h"

/// Tables of the parameters of machines, platforms and workloads.
namespace ringmesh::lab {

/// "1 ns to 1 us", "true, false" or "by-address, any-free"; empty for free text.
std::string allowed_values(const ParameterRow& row);

/// Where a table shows the provenance: in columns of its own, or behind the meaning, which is narrower.
enum class OriginIn : std::uint8_t { kColumns, kMeaning };

/// One section for each group. With `defaults`, these are shown beside values that differ.
TextTable parameter_table(const std::vector<ParameterRow>& rows, const std::vector<ParameterRow>* defaults,
                          OriginIn origin);

/// Workload options: no provenance.
TextTable option_table(const std::vector<ParameterRow>& rows);

Json parameters_json(const std::vector<ParameterRow>& rows, const std::vector<ParameterRow>* defaults = nullptr);

}  // namespace ringmesh::lab
