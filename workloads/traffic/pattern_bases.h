// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include "tlm/error.h"
#include "workloads/traffic/pattern.h"

/// What patterns have in common.
namespace ringmesh::workloads {

/// Any node but `source`, each as likely as the others.
inline unsigned other_node(unsigned source, unsigned nodes, Random& random)
{
    const auto node = static_cast<unsigned>(random.below(nodes - 1));
    return node < source ? node : node + 1;
}

/// The shape required by a pattern. @throws UserError if the layout has none
inline const TorusShape& shape_of(const Layout& layout, std::string_view pattern)
{
    if (layout.shape) return *layout.shape;
    throw UserError(
        fmt::format("pattern = {}: needs coordinates: a ring, a torus, a hypercube, or a mesh without holes; choose "
                    "pattern=uniform, or such a platform",
                    pattern));
}

/// Open loop: each node sends all of its packets to one node. One that would send to itself is silent, but for `self`.
class Permutation : public Pattern {
public:
    std::optional<unsigned> next(unsigned source, Random&) override
    {
        const unsigned to = targets_[source];
        return to == source && !self_ ? std::nullopt : std::optional(to);
    }
    void expect(Flows& flows) const override
    {
        for (unsigned node = 0; node < targets_.size(); ++node) {
            if (self_ || targets_[node] != node) flows.flow(node, targets_[node], 1);
        }
    }

protected:
    /// @param target of a node's number: the number that it sends to
    template <class Target>
    Permutation(unsigned nodes, const PatternOptions& options, const Target& target) : self_(options.self)
    {
        for (unsigned node = 0; node < nodes; ++node) targets_.push_back(target(node));
    }
    unsigned target(unsigned node) const { return targets_[node]; }

private:
    bool self_;
    std::vector<unsigned> targets_;
};

/// Open loop: each packet goes to a random one of some nodes of its source's own.
class ChosenNodes : public Pattern {
public:
    std::optional<unsigned> next(unsigned source, Random& random) override
    {
        const auto& to = targets_[source];
        if (to.empty()) return std::nullopt;
        return to[static_cast<std::size_t>(random.below(to.size()))];
    }
    void expect(Flows& flows) const override
    {
        for (unsigned node = 0; node < targets_.size(); ++node) {
            const auto& to = targets_[node];
            for (const unsigned target : to) flows.flow(node, target, 1.0 / static_cast<double>(to.size()));
        }
    }

protected:
    /// @param targets of each node; none: it is silent
    explicit ChosenNodes(std::vector<std::vector<unsigned>> targets) : targets_(std::move(targets)) {}
    /// @param chosen whether a node sends to another
    template <class Chosen>
    ChosenNodes(std::string_view pattern, unsigned nodes, const Chosen& chosen) : targets_(nodes)
    {
        if (nodes > kMostNodes) {
            throw UserError(
                fmt::format("pattern = {}: keeps a list of targets for each of at most {} nodes, and this "
                            "machine has {}; choose a smaller one",
                            pattern, kMostNodes, nodes));
        }
        for (unsigned node = 0; node < nodes; ++node) {
            for (unsigned to = 0; to < nodes; ++to) {
                if (to != node && chosen(node, to)) targets_[node].push_back(to);
            }
        }
    }

private:
    static constexpr unsigned kMostNodes = 4096;

    std::vector<std::vector<unsigned>> targets_;  // of each node; none: it is silent
};

}  // namespace ringmesh::workloads
