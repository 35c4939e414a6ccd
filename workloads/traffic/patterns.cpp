// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tlm/error.h"
#include "workloads/traffic/pattern.h"
#include "workloads/traffic/patterns/all_to_all.h"
#include "workloads/traffic/patterns/between.h"
#include "workloads/traffic/patterns/bit_complement.h"
#include "workloads/traffic/patterns/hot_spot.h"
#include "workloads/traffic/patterns/nearest_neighbour.h"
#include "workloads/traffic/patterns/one_to_all.h"
#include "workloads/traffic/patterns/tornado.h"
#include "workloads/traffic/patterns/transpose.h"
#include "workloads/traffic/patterns/tree_multicast.h"
#include "workloads/traffic/patterns/uniform.h"

namespace ringmesh::workloads {
namespace {

template <class Condition>
std::vector<std::string> names_if(const Condition& condition)
{
    std::vector<std::string> names;
    for (const PatternPolicy& pattern : PatternPolicy::table()) {
        if (condition(pattern)) names.emplace_back(pattern.name);
    }
    return names;
}

}  // namespace

std::span<const PatternPolicy> PatternPolicy::table()
{
    return policy_rows<PatternPolicy, Uniform, NearestNeighbour, HotSpot, Transpose, BitComplement, Tornado, Between,
                       OneToAll, AllToAll, TreeMulticast>();
}

PolicyKind open_patterns()
{
    PolicyKind kind{PatternPolicy::kKind, {}};
    const auto table = PatternPolicy::table();
    const std::size_t shipped = table.size() - Additions<PatternPolicy>::count();
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (table[i].loop != Loop::kOpen) continue;
        kind.policies.push_back(table[i]);
        if (i >= shipped) ++kind.added;
    }
    return kind;
}

std::vector<std::string> patterns_with(PatternOption option)
{
    return names_if([option](const PatternPolicy& pattern) { return pattern.option == option; });
}

std::vector<std::string> patterns_of(Loop loop)
{
    return names_if([loop](const PatternPolicy& pattern) { return pattern.loop == loop; });
}

std::unique_ptr<Pattern> make_pattern(std::string_view workload, const PatternChoice& pattern, const Layout& layout,
                                      const PatternOptions& options)
{
    try {
        return pattern->make(layout, options);
    } catch (const UserError& error) {
        throw UserError(fmt::format("{}: {}", workload, error.what()));
    }
}

void visit_places(ParameterVisitor& visitor, PatternOptions& places)
{
    visitor.when("pattern", patterns_with(PatternOption::kHotSpot), [&] {
        visitor.field({"hot_node", "hot-spot: where the traffic gathers", assumed()}, places.hot_node, {0, 65'535});
        visitor.field({"hot_part", "hot-spot: part of the packets that goes there", assumed()}, places.hot_part,
                      {0, 1});
    });
    visitor.when("pattern", patterns_with(PatternOption::kBetween), [&] {
        visitor.numbers({"senders", "between: nodes that send: '0', '0,3', '0..7 step 1'", assumed()}, places.senders);
        visitor.numbers({"receivers", "between: nodes that they send to, in the same form", assumed()},
                        places.receivers);
    });
}

void require_node(const Layout& layout, const std::string& option, std::int64_t node)
{
    if (node < layout.nodes) return;
    throw UserError(
        fmt::format("{} = {}: this machine has nodes 0 to {}; choose one of them", option, node, layout.nodes - 1));
}

}  // namespace ringmesh::workloads
