// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tlm/error.h"
#include "workloads/sizes.h"
#include "workloads/traffic/pattern_bases.h"

namespace ringmesh::workloads {

/// Open loop: each of `senders` sends to random ones of `receivers`, itself excepted; all others are silent. Both are
/// lists of nodes as parse_sizes reads them.
class Between final : public ChosenNodes {
public:
    static constexpr PolicyName kPolicy{"between", "chosen senders send to random ones of chosen receivers"};
    static constexpr PatternOption kOption = PatternOption::kBetween;

    Between(const Layout& layout, const PatternOptions& options) : ChosenNodes(targets_of(layout, options)) {}

private:
    static std::vector<std::vector<unsigned>> targets_of(const Layout& layout, const PatternOptions& options)
    {
        std::vector<std::vector<unsigned>> targets(layout.nodes);
        const auto receivers = nodes_in(layout, "receivers", options.receivers);
        for (const unsigned sender : nodes_in(layout, "senders", options.senders)) {
            auto& to = targets[sender] = receivers;
            to.erase(std::remove(to.begin(), to.end(), sender), to.end());
            if (!to.empty()) continue;
            throw UserError(
                fmt::format("receivers = {}: sender {} has no other node to send to; add a receiver, or "
                            "take it from senders",
                            options.receivers, sender));
        }
        return targets;
    }
    static std::vector<unsigned> nodes_in(const Layout& layout, const std::string& option, const std::string& list)
    {
        const auto numbers = parse_sizes(list, {.name = option,
                                                .owner = "a network",
                                                .unit = "nodes",
                                                .examples = "'0', '0,3' or '0..7 step 1'",
                                                .step = 1,
                                                .smallest = 0,
                                                .largest = 65'535});
        for (const std::uint32_t node : numbers) require_node(layout, option, node);
        return {numbers.begin(), numbers.end()};
    }
};

}  // namespace ringmesh::workloads
