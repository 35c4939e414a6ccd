#pragma once

#include <ringmesh/workloads/traffic/pattern.h>

namespace @snake@ {

/// An open loop: each node sends to the one half-way round by number. A pattern says where the next packet of a node goes
/// (next), and, for the unit of load, where its packets go in the long run (expect).
class @Pascal@ final : public ringmesh::workloads::Pattern {
public:
    static constexpr ringmesh::PolicyName kPolicy{"@name@", "each node sends to the one half-way round by number"};

    @Pascal@(const ringmesh::Layout& layout, const ringmesh::workloads::PatternOptions&) : nodes_(layout.nodes) {}

    std::optional<unsigned> next(unsigned source, ringmesh::Random&) override { return (source + nodes_ / 2) % nodes_; }
    void expect(ringmesh::Flows& flows) const override
    {
        for (unsigned from = 0; from < nodes_; ++from) flows.flow(from, (from + nodes_ / 2) % nodes_, 1);
    }

private:
    unsigned nodes_;
};

}  // namespace @snake@
