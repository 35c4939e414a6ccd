// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "lab/table/json.h"
#include "workloads/workload.h"

/// Members of JSON objects as cells of a table; nothing where there is none.
namespace ringmesh::lab {

inline workloads::Cell number_in(const Json& object, std::string_view key)
{
    const Json* const value = object.find(key);
    if (value == nullptr || value->is_null()) return std::monostate();
    return value->is_float() ? workloads::Cell(value->as_number()) : workloads::Cell(value->as_integer());
}

/// An empty text is nothing, too.
inline workloads::Cell text_in(const Json& object, std::string_view key)
{
    const Json* const text = object.find(key);
    const bool any = text != nullptr && text->is_text() && !text->as_text().empty();
    return any ? workloads::Cell(text->as_text()) : workloads::Cell(std::monostate());
}

}  // namespace ringmesh::lab
