// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "workloads/traffic/pattern_bases.h"
#include "workloads/traffic/sources/shares.h"

namespace ringmesh::workloads {

/// Open loop: `hot_part` of the packets of all other nodes goes to `hot_node`; the rest, and the hot node's own
/// packets, go to random other nodes (so it receives slightly more than `hot_part`).
class HotSpot final : public Pattern {
public:
    static constexpr PolicyName kPolicy{.name = "hot-spot",
                                        .sentence = "a part of the packets goes to one node, the rest to random ones",
                                        .file = "hot_spots"};
    static constexpr PatternOption kOption = PatternOption::kHotSpot;

    HotSpot(const Layout& layout, const PatternOptions& options)
        : nodes_(layout.nodes), hot_(static_cast<unsigned>(options.hot_node)), part_(options.hot_part)
    {
        require_node(layout, "hot_node", options.hot_node);
    }

    std::optional<unsigned> next(unsigned source, Random& random) override
    {
        if (source != hot_ && random.unit() < part_) return hot_;
        return other_node(source, nodes_, random);
    }
    void expect(Flows& flows) const override
    {
        flows.alike_to_all_others(1 - part_);
        for (unsigned node = 0; node < nodes_; ++node) {
            if (node == hot_) continue;
            flows.flow(node, hot_, part_);
            flows.flow(hot_, node, part_ / (nodes_ - 1));
        }
    }

private:
    unsigned nodes_;
    unsigned hot_;
    double part_;
};

/// Open loop: of the packets of every node each of `hot_shares` goes to its hot node; the rest, and what a hot node
/// would send to itself, goes to random other nodes.
class HotSpots final : public Pattern {
public:
    static constexpr PolicyName kPolicy{
        .name = "hot-spots",
        .sentence = "shares of the packets go to several nodes, the rest to random ones",
        .aliases = "hotspot"};
    static constexpr PatternOption kOption = PatternOption::kHotSpots;

    HotSpots(const Layout& layout, const PatternOptions& options)
        : nodes_(layout.nodes),
          spots_(parse_shares(options.hot_shares, {.option = "hot_shares", .of = "node", .least = 0, .most = 65'535}))
    {
        for (const Share& spot : spots_) {
            require_node(layout, "hot_shares", spot.value);
            rest_ -= spot.share;
        }
        rest_ = std::max(rest_, 0.0);
    }

    std::optional<unsigned> next(unsigned source, Random& random) override
    {
        const auto to = drawn_share(spots_, random);
        return to && *to != source ? static_cast<unsigned>(*to) : other_node(source, nodes_, random);
    }
    void expect(Flows& flows) const override
    {
        flows.alike_to_all_others(rest_);
        for (const Share& spot : spots_) {
            const auto hot = static_cast<unsigned>(spot.value);
            for (unsigned node = 0; node < nodes_; ++node) {
                if (node == hot) continue;
                flows.flow(node, hot, spot.share);
                flows.flow(hot, node, spot.share / (nodes_ - 1));
            }
        }
    }

private:
    unsigned nodes_;
    std::vector<Share> spots_;
    double rest_ = 1;  // share of the packets that go to random nodes
};

}  // namespace ringmesh::workloads
