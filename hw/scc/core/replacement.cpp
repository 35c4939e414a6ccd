// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/core/replacement.h"

#include <bit>
#include <vector>

#include "tlm/error.h"

namespace ringmesh::hw {

namespace {

/// Node 1 is the root, node n has the children 2n and 2n+1; bit n of a set's word says in which child the victim is.
class PseudoLru final : public Replacement {
public:
    PseudoLru(std::uint32_t sets, unsigned ways)
        : levels_(static_cast<unsigned>(std::countr_zero(ways))), trees_(sets), keep_(ways), away_(ways)
    {
        for (unsigned way = 0; way < ways; ++way) {
            unsigned node = 1;
            keep_[way] = ~std::uint32_t{0};
            for (unsigned level = levels_; level-- > 0;) {
                const unsigned half = way >> level & 1;
                keep_[way] &= ~(std::uint32_t{1} << node);
                away_[way] |= (half ^ 1) << node;
                node = 2 * node + half;
            }
        }
    }
    void used(std::uint32_t set, unsigned way) override { trees_[set] = (trees_[set] & keep_[way]) | away_[way]; }
    unsigned victim(std::uint32_t set) const override
    {
        unsigned node = 1;
        for (unsigned level = 0; level < levels_; ++level) node = 2 * node + (trees_[set] >> node & 1);
        return node - (1U << levels_);
    }

private:
    unsigned levels_;
    std::vector<std::uint32_t> trees_;
    std::vector<std::uint32_t> keep_, away_;  // per way: nodes on its path, and what they then point to
};

class Lru final : public Replacement {
public:
    Lru(std::uint32_t sets, unsigned ways) : ways_(ways), last_use_(std::size_t{sets} * ways) {}
    void used(std::uint32_t set, unsigned way) override { last_use_[std::size_t{set} * ways_ + way] = ++uses_; }
    unsigned victim(std::uint32_t set) const override
    {
        const std::uint64_t* uses = &last_use_[std::size_t{set} * ways_];
        unsigned oldest = 0;
        for (unsigned way = 1; way < ways_; ++way) {
            if (uses[way] < uses[oldest]) oldest = way;
        }
        return oldest;
    }

private:
    unsigned ways_;
    std::uint64_t uses_ = 0;
    std::vector<std::uint64_t> last_use_;
};

/// Draws the next victim ahead, so that who asks twice gets one answer.
class RandomReplacement final : public Replacement {
public:
    RandomReplacement(unsigned ways, Random random) : ways_(ways), random_(random) { draw(); }
    void used(std::uint32_t, unsigned) override {}
    unsigned victim(std::uint32_t) const override { return next_; }
    void filled(std::uint32_t, unsigned) override { draw(); }

private:
    void draw() { next_ = static_cast<unsigned>(random_.below(ways_)); }

    unsigned ways_;
    Random random_;
    unsigned next_ = 0;
};

}  // namespace

std::unique_ptr<Replacement> make_replacement(ReplacementPolicy policy, std::uint32_t sets, unsigned ways,
                                              Random random)
{
    switch (policy) {
        case ReplacementPolicy::kPseudoLru:
            if (!std::has_single_bit(ways) || ways > 32) {
                throw UserError("replacement \"pseudo-lru\" needs 1, 2, 4, 8, 16 or 32 ways; use \"lru\" for others");
            }
            return std::make_unique<PseudoLru>(sets, ways);
        case ReplacementPolicy::kLru: return std::make_unique<Lru>(sets, ways);
        case ReplacementPolicy::kRandom: return std::make_unique<RandomReplacement>(ways, random);
    }
    throw ModelError("unknown replacement policy");
}

}  // namespace ringmesh::hw
