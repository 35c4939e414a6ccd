// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/traffic/torus_of.h"

namespace ringmesh::workloads {

/// Open loop: every packet goes to the next node along the links of a ring, in a dimension drawn at random.
class NearestNeighbour final : public Pattern {
public:
    NearestNeighbour(const SciMachine& machine, const PatternOptions&) : torus_(torus_of(machine, "nearest-neighbour")) {}

    std::optional<sci::NodeId> next(sci::NodeId source, Random& random) override
    {
        return static_cast<sci::NodeId>(torus_.next(source, static_cast<unsigned>(random.below(torus_.dimensions()))));
    }
    void expect(ExpectedLoad& load) const override
    {
        for (unsigned d = 0; d < torus_.dimensions(); ++d) load.alike(torus_.next(0, d), 1.0 / torus_.dimensions());
    }

private:
    const TorusShape& torus_;
};

}  // namespace ringmesh::workloads
