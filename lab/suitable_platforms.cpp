// SPDX-License-Identifier: Apache-2.0
#include "lab/suitable_platforms.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "platforms/catalog.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

using Sorts = std::vector<std::string_view>;

bool offers(const platforms::MachineKind& kind, const Sorts& wanted)
{
    const Sorts offered = kind.offers();
    return std::find_first_of(offered.begin(), offered.end(), wanted.begin(), wanted.end()) != offered.end();
}

/// "run it on scc", or "run it on one of: a, b".
std::string on_platforms_that_offer(const Sorts& wanted)
{
    std::vector<std::string> names;
    for (const auto& entry : platforms::list_platforms()) {
        const auto& kinds = platforms::machine_kinds();
        const auto makes_it = [&](const auto* kind) { return kind->name() == entry.machine && offers(*kind, wanted); };
        if (std::any_of(kinds.begin(), kinds.end(), makes_it)) names.push_back(entry.name);
    }
    if (names.empty()) return "no platform of the catalog offers it";
    return fmt::format("run it on {}{}", names.size() == 1 ? "" : "one of: ", fmt::join(names, ", "));
}

}  // namespace

void require_offered(std::string_view who, const Sorts& sorts, std::string_view platform,
                     const platforms::MachineKind& kind)
{
    if (offers(kind, sorts)) return;
    throw UserError(fmt::format("{} runs on {}, and {} offers {}; {}", who, fmt::join(sorts, " or "), platform,
                                fmt::join(kind.offers(), " and "), on_platforms_that_offer(sorts)));
}

}  // namespace ringmesh::lab
