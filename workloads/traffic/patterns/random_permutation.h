// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numeric>
#include <utility>

#include "workloads/traffic/pattern_bases.h"

namespace ringmesh::workloads {

/// Each node sends to one and receives from one, all assignments as likely (Fisher and Yates); who would send to itself
/// is silent. The permutation depends on its number alone, not on the seed of the run.
class RandomPermutation final : public Permutation {
public:
    static constexpr PolicyName kPolicy{.name = "random-permutation",
                                        .sentence = "each node sends to one, receives from one, drawn by a number",
                                        .aliases = "randperm"};
    static constexpr PatternOption kOption = PatternOption::kPermutation;

    RandomPermutation(const Layout& layout, const PatternOptions& options)
        : Permutation(layout.nodes, options,
                      [all = drawn(layout.nodes, options.permutation)](unsigned node) { return all[node]; })
    {}

private:
    static std::vector<unsigned> drawn(unsigned nodes, std::int64_t number)
    {
        std::vector<unsigned> all(nodes);
        std::iota(all.begin(), all.end(), 0U);
        Random random(static_cast<std::uint64_t>(number));
        for (unsigned left = nodes; left > 1; --left) {
            std::swap(all[left - 1], all[static_cast<std::size_t>(random.below(left))]);
        }
        return all;
    }
};

}  // namespace ringmesh::workloads
