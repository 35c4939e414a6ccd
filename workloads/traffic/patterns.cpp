// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"
#include "workloads/traffic/all_to_all.h"
#include "workloads/traffic/bit_complement.h"
#include "workloads/traffic/hot_spot.h"
#include "workloads/traffic/nearest_neighbour.h"
#include "workloads/traffic/one_to_all.h"
#include "workloads/traffic/pattern.h"
#include "workloads/traffic/tornado.h"
#include "workloads/traffic/transpose.h"
#include "workloads/traffic/tree_multicast.h"
#include "workloads/traffic/uniform.h"

namespace ringmesh::workloads {
namespace {

template <class SomePattern>
std::unique_ptr<Pattern> make(const Layout& layout, const PatternOptions& options)
{
    return std::make_unique<SomePattern>(layout, options);
}

}  // namespace

const std::vector<PatternInfo>& patterns()
{
    static const std::vector<PatternInfo> all{
        {"uniform", Loop::kOpen, make<Uniform>},
        {"nearest-neighbour", Loop::kOpen, make<NearestNeighbour>},
        {"hot-spot", Loop::kOpen, make<HotSpot>},
        {"transpose", Loop::kOpen, make<Transpose>},
        {"bit-complement", Loop::kOpen, make<BitComplement>},
        {"tornado", Loop::kOpen, make<Tornado>},
        {"one-to-all", Loop::kClosed, make<OneToAll>},
        {"all-to-all", Loop::kClosed, make<AllToAll>},
        {"tree-multicast", Loop::kClosed, make<TreeMulticast>},
    };
    return all;
}

std::vector<std::string> pattern_names(std::optional<Loop> loop)
{
    std::vector<std::string> names;
    for (const PatternInfo& info : patterns()) {
        if (!loop || info.loop == *loop) names.push_back(info.name);
    }
    return names;
}

const PatternInfo& find_pattern(const std::string& name)
{
    const auto& all = patterns();
    const auto found = std::find_if(all.begin(), all.end(), [&name](const auto& info) { return info.name == name; });
    if (found == all.end()) throw ModelError(fmt::format("no pattern is called '{}'", name));
    return *found;
}

std::unique_ptr<Pattern> make_pattern(std::string_view workload, const std::string& name, const Layout& layout,
                                      const PatternOptions& options)
{
    const PatternOptions defaults;
    const auto refuse = [&](bool given, std::string_view option, std::string_view why) {
        if (!given) return;
        throw UserError(
            fmt::format("{}: {} is given, but pattern = {} has {}; leave it out", workload, option, name, why));
    };
    const bool from_root = name == "one-to-all" || name == "tree-multicast";
    refuse(!from_root && options.root != defaults.root, "root", "none");
    refuse(name != "hot-spot" && options.hot_node != defaults.hot_node, "hot_node", "none");
    refuse(name != "hot-spot" && options.hot_part != defaults.hot_part, "hot_part", "no hot node");
    refuse(name != "uniform" && options.self != defaults.self, "self", "its own rule for that");
    try {
        return find_pattern(name).make(layout, options);
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
