// SPDX-License-Identifier: Apache-2.0
#include "lab/json_text.h"

#include "lab/json.h"

namespace ringmesh::lab {
Json values_json(const std::vector<ParameterRow>& rows)
{
    Json json = Json::object();
    for (const ParameterRow& row : rows) {
        Json* place = &json;
        std::size_t begin = 0;
        for (std::size_t dot = 0; (dot = row.key.find('.', begin)) != std::string::npos; begin = dot + 1) {
            place = &(*place)[row.key.substr(begin, dot - begin)];
        }
        (*place)[row.key.substr(begin)] = row.quoted ? Json(row.value) : Json::parse(row.value);
    }
    return json;
}

Json program_json() { return {{"version", RINGMESH_VERSION}, {"schema", kOutputSchema}}; }

std::string json_text(const Json& json) { return json.text() + '\n'; }

}  // namespace ringmesh::lab
