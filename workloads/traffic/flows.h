// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ringmesh::workloads {

/// Is told by a pattern where its packets go in the long run.
class Flows {
public:
    virtual ~Flows() = default;
    /// The pattern sends `part` of the packets of one node to another.
    virtual void flow(unsigned from, unsigned to, double part) = 0;
    /// Every node sends `part` of its packets to the node as far from it as `to` is from node 0.
    virtual void alike(unsigned to, double part) = 0;
    /// Every node sends `part` of its packets to all others in turn or at random.
    virtual void alike_to_all_others(double part) = 0;
};

}  // namespace ringmesh::workloads
