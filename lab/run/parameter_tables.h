// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lab/table/writers/json.h"
#include "lab/table/writers/text_table.h"
#include "tlm/parameters/parameter_list.h"

/// Tables of the parameters of machines, platforms and workloads.
namespace ringmesh::lab {

/// "1 ns to 1 us", "true, false" or "by-address, any-free"; empty for free text.
std::string allowed_values(const ParameterRow& row);

/// "calibrated by wulfkit.one_way.api_1B, 150 ns to 300 ns; why it lies within"
std::string origin_text(const Origin& origin);

/// Where a table shows the provenance: in a column of its own, or behind the meaning, which is narrower.
enum class OriginIn : std::uint8_t { kColumn, kMeaning };

/// One section for each group. What has no effect in this configuration is marked.
TextTable parameter_table(const std::vector<ParameterRow>& rows, OriginIn origin);

/// Workload options: no provenance.
TextTable option_table(const std::vector<ParameterRow>& rows, const std::string& heading = "default");

/// An array of objects with all that there is to know of each.
Json parameters_json(const std::vector<ParameterRow>& rows);
/// What each value rests on, by key: {"link.symbol_time": {"provenance": "seed", "source": ...}, ...}, without what is
/// not said; `not_in_use` stands at parameters without effect.
Json origins_json(const std::vector<ParameterRow>& rows);

}  // namespace ringmesh::lab
