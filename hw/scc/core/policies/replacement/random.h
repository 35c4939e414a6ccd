// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/scc/core/policies/replacement.h"

namespace ringmesh::hw::replacement {

/// Draws the next victim in advance, so that repeated calls agree.
class RandomReplacement final : public Replacement {
public:
    static constexpr PolicyName kPolicy{"random", "a random line, by the run's seed"};

    RandomReplacement(std::uint32_t, unsigned ways, Random random) : ways_(ways), random_(random) { draw(); }
    void used(std::uint32_t, unsigned) override {}
    unsigned victim(std::uint32_t) const override { return next_; }
    void filled(std::uint32_t, unsigned) override { draw(); }

private:
    void draw() { next_ = static_cast<unsigned>(random_.below(ways_)); }

    unsigned ways_;
    Random random_;
    unsigned next_ = 0;
};

}  // namespace ringmesh::hw::replacement
