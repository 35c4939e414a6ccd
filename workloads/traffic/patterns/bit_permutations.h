// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>

#include "workloads/traffic/pattern_bases.h"

namespace ringmesh::workloads {

/// Bit permutations of Dally and Towles, table 3.1. A node's number has b bits; s_i is a bit of the source's, d_i of
/// the target's.
class BitPermutation : public Permutation {
protected:
    /// @param target of a number and b @throws UserError naming the pattern if the nodes are not 2, 4, 8 ...
    template <class Target>
    BitPermutation(const Layout& layout, const PatternOptions& options, const PolicyName& pattern, const Target& target)
        : Permutation(layout.nodes, options,
                      [target, bits = number_bits(layout, pattern.name)](unsigned node) { return target(node, bits); })
    {}

private:
    static unsigned number_bits(const Layout& layout, std::string_view pattern)
    {
        if (layout.nodes > 1 && std::has_single_bit(layout.nodes)) return std::bit_width(layout.nodes) - 1U;
        throw UserError(fmt::format("pattern = {}: needs 2, 4, 8 ... nodes, and this machine has {}; {}", pattern,
                                    layout.nodes, layout.resize("8")));
    }
};

/// d_i = not s_i.
class BitComplement final : public BitPermutation {
public:
    static constexpr PolicyName kPolicy{.name = "bit-complement",
                                        .sentence = "each node sends to the one whose number has all bits inverted",
                                        .aliases = "bitcomp",
                                        .file = "bit_permutations"};

    BitComplement(const Layout& layout, const PatternOptions& options)
        : BitPermutation(layout, options, kPolicy,
                         [](unsigned node, unsigned bits) { return node ^ ((1U << bits) - 1); })
    {}
};

/// "Bit reverse": d_i = s_(b-i-1).
class BitReversal final : public BitPermutation {
public:
    static constexpr PolicyName kPolicy{.name = "bit-reversal",
                                        .sentence = "each node sends to the one whose number has its bits reversed",
                                        .aliases = "bitrev bit-reverse",
                                        .file = "bit_permutations"};
    static constexpr PatternOption kOption = PatternOption::kSelf;

    BitReversal(const Layout& layout, const PatternOptions& options)
        : BitPermutation(layout, options, kPolicy, [](unsigned node, unsigned bits) {
              unsigned there = 0;
              for (unsigned bit = 0; bit < bits; ++bit) there |= (node >> bit & 1U) << (bits - 1 - bit);
              return there;
          })
    {}
};

/// d_i = s_(i-1 mod b).
class Shuffle final : public BitPermutation {
public:
    static constexpr PolicyName kPolicy{
        .name = "shuffle",
        .sentence = "each node sends to the one whose number has its bits rotated left by one",
        .aliases = "perfect-shuffle",
        .file = "bit_permutations"};
    static constexpr PatternOption kOption = PatternOption::kSelf;

    Shuffle(const Layout& layout, const PatternOptions& options)
        : BitPermutation(layout, options, kPolicy, [](unsigned node, unsigned bits) {
              return (node << 1U | node >> (bits - 1)) & ((1U << bits) - 1);
          })
    {}
};

/// d_i = s_(i+1 mod b).
class BitRotation final : public BitPermutation {
public:
    static constexpr PolicyName kPolicy{
        .name = "bit-rotation",
        .sentence = "each node sends to the one whose number has its bits rotated right by one",
        .aliases = "bitrot",
        .file = "bit_permutations"};
    static constexpr PatternOption kOption = PatternOption::kSelf;

    BitRotation(const Layout& layout, const PatternOptions& options)
        : BitPermutation(layout, options, kPolicy,
                         [](unsigned node, unsigned bits) { return node >> 1U | (node & 1U) << (bits - 1); })
    {}
};

/// Duato, Yalamanchili and Ni, section 9.2: the lowest and the highest bit change places.
class Butterfly final : public BitPermutation {
public:
    static constexpr PolicyName kPolicy{
        .name = "butterfly",
        .sentence = "each node sends to the one whose number has its first and last bit exchanged",
        .file = "bit_permutations"};
    static constexpr PatternOption kOption = PatternOption::kSelf;

    Butterfly(const Layout& layout, const PatternOptions& options)
        : BitPermutation(layout, options, kPolicy, [](unsigned node, unsigned bits) {
              const unsigned differ = (node ^ node >> (bits - 1)) & 1U;
              return node ^ (differ | differ << (bits - 1));
          })
    {}
};

}  // namespace ringmesh::workloads
