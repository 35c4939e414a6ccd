// SPDX-License-Identifier: Apache-2.0
#include "lab/json_text.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

using nlohmann::ordered_json;

void require_finite(const ordered_json& json, const std::string& path)
{
    if (json.is_number_float() && !std::isfinite(json.get<double>())) {
        throw ModelError(fmt::format("the result {} is {}, not a number", path.substr(1), json.get<double>()));
    }
    if (!json.is_structured()) return;
    for (const auto& [key, value] : json.items()) require_finite(value, fmt::format("{}.{}", path, key));
}

}  // namespace

ordered_json program_json() { return {{"version", RINGMESH_VERSION}, {"schema", kJsonSchema}}; }

std::string json_text(const ordered_json& json)
{
    require_finite(json, "");
    return json.dump(2) + '\n';
}

}  // namespace ringmesh::lab
