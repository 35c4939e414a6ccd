// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/traffic/torus_of.h"

namespace ringmesh::workloads {

/// Open loop: each node sends to the one whose coordinates are its own in reverse order. A node whose coordinates read the
/// same backwards stays silent.
class Transpose final : public Pattern {
public:
    Transpose(const SciMachine& machine, const PatternOptions&) : torus_(torus_of(machine, "transpose"))
    {
        const unsigned last = torus_.dimensions() - 1;
        bool fits = last > 0;
        for (unsigned d = 0; d <= last; ++d) fits = fits && torus_.size(d) == torus_.size(last - d);
        if (fits) return;
        throw UserError(
            fmt::format("pattern = transpose: needs a torus of two or more dimensions whose sizes read the same "
                        "backwards, and this one is {}; write --set topology.dimensions=8x8, or choose another "
                        "pattern",
                        last == 0 ? fmt::format("a ring of {}", torus_.nodes()) : torus_.text()));
    }

    unsigned opposite(unsigned node) const
    {
        unsigned there = node;
        for (unsigned d = 0; d < torus_.dimensions(); ++d) {
            there = torus_.moved(there, d, torus_.coordinate(node, torus_.dimensions() - 1 - d));
        }
        return there;
    }
    std::optional<sci::NodeId> next(sci::NodeId source, Random&) override
    {
        const unsigned to = opposite(source);
        return to == source ? std::nullopt : std::optional(static_cast<sci::NodeId>(to));
    }
    void expect(ExpectedLoad& load) const override
    {
        for (unsigned node = 0; node < torus_.nodes(); ++node) {
            if (opposite(node) != node) load.flow(node, opposite(node), 1);
        }
    }

private:
    const TorusShape& torus_;
};

}  // namespace ringmesh::workloads
