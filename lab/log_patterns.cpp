// SPDX-License-Identifier: Apache-2.0
#include "lab/log_patterns.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <string>
#include <systemc>
#include <vector>

#include "tlm/error.h"
#include "tlm/log_assignments.h"
#include "traces/object_names.h"

namespace ringmesh::lab {
namespace {

void add_modules(const std::vector<sc_core::sc_object*>& objects, ObjectNames& names)
{
    for (const sc_core::sc_object* object : objects) {
        if (dynamic_cast<const sc_core::sc_module*>(object) != nullptr) names.emplace(object->name());
        add_modules(object->get_child_objects(), names);
    }
}

}  // namespace

void require_log_patterns(std::string_view assignments)
{
    ObjectNames names{"kernel"};
    add_modules(sc_core::sc_get_top_level_objects(), names);
    for (const LogAssignment& assignment : log_assignments(assignments)) {
        const std::string pattern(assignment.pattern);
        const auto matches = [&pattern](const std::string& name) {
            return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
        };
        if (std::any_of(names.begin(), names.end(), matches)) continue;
        throw UserError(
            fmt::format("--log {}: no module matches; {}", assignment.text, cure_for_pattern(pattern, names)));
    }
}

}  // namespace ringmesh::lab
