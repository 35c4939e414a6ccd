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

ordered_json values_json(const std::vector<ParameterRow>& rows)
{
    ordered_json json = ordered_json::object();
    for (const ParameterRow& row : rows) {
        ordered_json* place = &json;
        std::size_t begin = 0;
        for (std::size_t dot = 0; (dot = row.key.find('.', begin)) != std::string::npos; begin = dot + 1) {
            place = &(*place)[row.key.substr(begin, dot - begin)];
        }
        (*place)[row.key.substr(begin)] = row.quoted ? ordered_json(row.value) : ordered_json::parse(row.value);
    }
    return json;
}

ordered_json program_json() { return {{"version", RINGMESH_VERSION}, {"schema", kJsonSchema}}; }

std::string json_text(const ordered_json& json)
{
    require_finite(json, "");
    return json.dump(2) + '\n';
}

}  // namespace ringmesh::lab
