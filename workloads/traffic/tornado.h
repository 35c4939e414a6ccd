// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/traffic/torus_of.h"

namespace ringmesh::workloads {

/// Open loop: each node sends almost half way round each of its rings: coordinate + ceil(size / 2) - 1 in every dimension.
class Tornado final : public Pattern {
public:
    Tornado(const SciMachine& machine, const PatternOptions&) : torus_(torus_of(machine, "tornado"))
    {
        for (unsigned d = 0; d < torus_.dimensions(); ++d) {
            if (torus_.size(d) >= 3) return;
        }
        throw UserError(
            fmt::format("pattern = tornado: needs rings of 3 nodes or more, and this machine has {}; write --set "
                        "topology.dimensions=8, or choose another pattern",
                        torus_.text()));
    }

    unsigned opposite(unsigned node) const
    {
        unsigned there = node;
        for (unsigned d = 0; d < torus_.dimensions(); ++d) {
            const unsigned n = torus_.size(d);
            there = torus_.moved(there, d, (torus_.coordinate(node, d) + (n + 1) / 2 - 1) % n);
        }
        return there;
    }
    std::optional<sci::NodeId> next(sci::NodeId source, Random&) override
    {
        return static_cast<sci::NodeId>(opposite(source));
    }
    void expect(ExpectedLoad& load) const override { load.alike(opposite(0), 1); }

private:
    const TorusShape& torus_;
};

}  // namespace ringmesh::workloads
