// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "hw/scc/core/policies/replacement.h"

namespace ringmesh::hw::replacement {

class Lru final : public Replacement {
public:
    static constexpr PolicyName kPolicy{"lru", "the least recently used line"};

    Lru(std::uint32_t sets, unsigned ways, Random) : ways_(ways), last_use_(std::size_t{sets} * ways) {}
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

}  // namespace ringmesh::hw::replacement
