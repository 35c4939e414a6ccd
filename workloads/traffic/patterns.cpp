// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tlm/error.h"
#include "workloads/traffic/pattern.h"
#include "workloads/traffic/patterns/all_to_all.h"
#include "workloads/traffic/patterns/bit_complement.h"
#include "workloads/traffic/patterns/hot_spot.h"
#include "workloads/traffic/patterns/nearest_neighbour.h"
#include "workloads/traffic/patterns/one_to_all.h"
#include "workloads/traffic/patterns/tornado.h"
#include "workloads/traffic/patterns/transpose.h"
#include "workloads/traffic/patterns/tree_multicast.h"
#include "workloads/traffic/patterns/uniform.h"

namespace ringmesh::workloads {

std::span<const PatternPolicy> PatternPolicy::table()
{
    return policy_rows<PatternPolicy, Uniform, NearestNeighbour, HotSpot, Transpose, BitComplement, Tornado, OneToAll,
                       AllToAll, TreeMulticast>();
}

PolicyKind open_patterns()
{
    PolicyKind kind{PatternPolicy::kKind, {}};
    for (const PatternPolicy& pattern : PatternPolicy::table()) {
        if (pattern.loop == Loop::kOpen) kind.policies.push_back(pattern);
    }
    return kind;
}

std::unique_ptr<Pattern> make_pattern(std::string_view workload, const PatternChoice& pattern, const Layout& layout,
                                      const PatternOptions& options)
{
    const PatternOptions defaults;
    const auto refuse = [&](bool given, PatternOption option, std::string_view name, std::string_view why) {
        if (!given || pattern->option == option) return;
        throw UserError(
            fmt::format("{}: {} is given, but pattern = {} has {}; leave it out", workload, name, pattern->name, why));
    };
    refuse(options.root != defaults.root, PatternOption::kRoot, "root", "none");
    refuse(options.hot_node != defaults.hot_node, PatternOption::kHotSpot, "hot_node", "none");
    refuse(options.hot_part != defaults.hot_part, PatternOption::kHotSpot, "hot_part", "no hot node");
    refuse(options.self != defaults.self, PatternOption::kSelf, "self", "its own rule for that");
    try {
        return pattern->make(layout, options);
    } catch (const UserError& error) {
        throw UserError(fmt::format("{}: {}", workload, error.what()));
    }
}

void require_node(const Layout& layout, const std::string& option, std::int64_t node)
{
    if (node < layout.nodes) return;
    throw UserError(
        fmt::format("{} = {}: this machine has nodes 0 to {}; choose one of them", option, node, layout.nodes - 1));
}

}  // namespace ringmesh::workloads
