// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tlm/error.h"
#include "workloads/ranks/file_named.h"
#include "workloads/traffic/pattern.h"
#include "workloads/traffic/patterns/all_to_all.h"
#include "workloads/traffic/patterns/between.h"
#include "workloads/traffic/patterns/bit_permutations.h"
#include "workloads/traffic/patterns/digit_permutations.h"
#include "workloads/traffic/patterns/hot_spots.h"
#include "workloads/traffic/patterns/near.h"
#include "workloads/traffic/patterns/one_to_all.h"
#include "workloads/traffic/patterns/random_permutation.h"
#include "workloads/traffic/patterns/rate_table.h"
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
                       BitReversal, Shuffle, BitRotation, Butterfly, Neighbour, RandomPermutation, Nearest, Quadrant,
                       HotSpots, RateTable, OneToAll, AllToAll, TreeMulticast>();
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

std::vector<std::string> files_of(const PatternPolicy& pattern, const PatternOptions& options)
{
    if (pattern.option != PatternOption::kRates || options.rates.empty()) return {};
    return {file_named(options.folder, "rates", options.rates)};
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
    visitor.when("pattern", patterns_with(PatternOption::kHotSpots), [&] {
        visitor.numbers(
            {"hot_shares", "hot-spots: nodes, each with its share of all packets: '5:0.2,9:0.1'", assumed()},
            places.hot_shares);
    });
    visitor.when("pattern", patterns_with(PatternOption::kDistance), [&] {
        visitor.field({"distance", "nearest: links to the farthest target", assumed()}, places.distance, {1, 65'535});
    });
    visitor.when("pattern", patterns_with(PatternOption::kRates), [&] {
        visitor.text({"rates", "table: CSV file of flows: source,destination,rate", assumed()}, places.rates);
    });
    visitor.when("pattern", patterns_with(PatternOption::kPermutation), [&] {
        visitor.field({"permutation", "random-permutation: which one; the same for every seed", assumed()},
                      places.permutation, {1, 1'000'000'000});
    });
}

void require_senders(const ExpectedLoad& expected, const PatternPolicy& pattern)
{
    if (expected.senders() > 0) return;
    throw UserError(fmt::format(
        "pattern = {}: no node of this machine has another one to send to; take a larger machine, or another pattern",
        pattern.name));
}

void require_node(const Layout& layout, const std::string& option, std::int64_t node)
{
    if (node < layout.nodes) return;
    throw UserError(
        fmt::format("{} = {}: this machine has nodes 0 to {}; choose one of them", option, node, layout.nodes - 1));
}

}  // namespace ringmesh::workloads
