// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

/// Sets of small numbers, a bit for each.
namespace ringmesh::hw {

/// The lowest set bit from bit `from` on, with wrap-around. @pre mask is not 0
inline unsigned next_set(std::uint32_t mask, unsigned from)
{
    const std::uint32_t above = mask >> from << from;
    return static_cast<unsigned>(std::countr_zero(above != 0 ? above : mask));
}

/// @pre mask is not 0
inline bool is_single(std::uint32_t mask) { return (mask & (mask - 1)) == 0; }

/// Calls `call` with the number of each set bit, the lowest first.
template <class Call>
[[gnu::always_inline]] inline void for_each_set(std::uint32_t mask, Call&& call)
{
    for (; mask != 0; mask &= mask - 1) call(static_cast<unsigned>(std::countr_zero(mask)));
}

/// Pairs of two ports of a router, such as an output and an input, a bit for each pair: a byte of each first port has a
/// bit for each second one.
class PortPairs {
    static constexpr unsigned kBits = 8;  // for each first port, and the most ports

public:
    static constexpr std::uint32_t kAll = (1U << kBits) - 1;

    PortPairs() = default;
    void set(unsigned first, unsigned second) { bits_ |= bit(first, second); }
    void clear(unsigned first, unsigned second) { bits_ &= ~bit(first, second); }
    bool any() const { return bits_ != 0; }
    /// The partners of a first port.
    std::uint32_t of(unsigned first) const { return static_cast<std::uint32_t>(bits_ >> kBits * first) & kAll; }
    /// All second ports that have a partner.
    std::uint32_t seconds() const
    {
        const std::uint64_t halves = bits_ | bits_ >> 4 * kBits;
        const std::uint64_t quarters = halves | halves >> 2 * kBits;
        return static_cast<std::uint32_t>(quarters | quarters >> kBits) & kAll;
    }
    /// Without the pairs of these ports, a bit each.
    PortPairs without(std::uint32_t firsts, std::uint32_t seconds) const
    {
        return PortPairs(bits_ & ~(rows(firsts) | kEach * seconds));
    }
    /// Calls `call` with each first port that has a partner, the lowest first, and its partners.
    template <class Call>
    [[gnu::always_inline]] void for_each(Call&& call) const
    {
        for (std::uint64_t rest = bits_; rest != 0;) {
            const auto first = static_cast<unsigned>(std::countr_zero(rest)) / kBits;
            rest &= ~(std::uint64_t{kAll} << kBits * first);
            call(first, of(first));
        }
    }

private:
    static constexpr std::uint64_t kEach = 0x0101010101010101;  // the first bit of each byte

    explicit PortPairs(std::uint64_t bits) : bits_(bits) {}
    static std::uint64_t bit(unsigned first, unsigned second) { return std::uint64_t{1} << (kBits * first + second); }
    /// A whole byte for each of these ports.
    static std::uint64_t rows(std::uint32_t firsts)
    {
        std::uint64_t rows = 0;
        for_each_set(firsts, [&](unsigned first) { rows |= std::uint64_t{kAll} << kBits * first; });
        return rows;
    }

    std::uint64_t bits_ = 0;
};

}  // namespace ringmesh::hw
