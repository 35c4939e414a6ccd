// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/policies/arbitration.h"

#include "hw/mesh/flit/flit_network.h"
#include "hw/mesh/policies/arbiters/fixed.h"
#include "hw/mesh/policies/arbiters/oldest.h"
#include "hw/mesh/policies/arbiters/round_robin.h"
#include "hw/mesh/policies/arbiters/stream_first.h"

namespace ringmesh::hw {

namespace {

/// Adapts a MeshArbiter to the routers.
class VirtualArbiter {
public:
    explicit VirtualArbiter(std::unique_ptr<MeshArbiter> own) : own_(std::move(own)) {}
    bool before(const ArbitrationRequest& a, const ArbitrationRequest& b, const Contest& contest) const
    {
        return own_->before(a, b, contest);
    }
    void served(const Contest& contest, std::uint32_t number) { own_->served(contest, number); }

private:
    std::unique_ptr<MeshArbiter> own_;
};

}  // namespace

std::span<const ArbitrationPolicy> ArbitrationPolicy::table()
{
    return policy_rows<ArbitrationPolicy, arbiters::RoundRobin, arbiters::Oldest, arbiters::Fixed,
                       arbiters::StreamFirst>();
}

std::unique_ptr<FlitFabric> make_virtual_flit_network(const FlitWiring& wiring, std::unique_ptr<MeshArbiter> own)
{
    return std::make_unique<FlitNetwork<VirtualArbiter>>(wiring, VirtualArbiter(std::move(own)));
}

}  // namespace ringmesh::hw
