// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "hw/mesh/topology/router_index.h"
#include "tlm/mesh/packet.h"
#include "tlm/parameters/policy.h"

/// Which of several requests a router serves. The arbiters are in hw/mesh/policies/arbiters/, their table in
/// hw/mesh/flit/arbitration.cpp.
namespace ringmesh::hw {

class FlitFabric;
class MeshGrid;
class MeshRoutes;
struct MeshParams;
struct MeshTimes;

/// The resource that requests compete for.
struct Contest {
    enum class Stage : std::uint8_t {
        kChannel,  ///< a virtual channel of an output, by input channels; numbers are port * 16 + channel
        kOutput,   ///< an output, by input ports
        kInput,    ///< an input port, by its granted outputs
        kQueue,    ///< an input port, by its virtual channels
    };
    Stage stage = Stage::kChannel;
    std::uint32_t place = 0;  ///< its number in the mesh: router * 5 + port; for kChannel times 16, plus the channel
    std::uint32_t turn = 0;   ///< the number after the one served last
};

/// A competitor.
struct ArbitrationRequest {
    const mesh::Packet* packet = nullptr;
    std::uint32_t number = 0;  ///< among its competitors, see Contest::Stage
    std::uint32_t input = 0;   ///< where the packet is: input port * 16 + virtual channel, of the router
};

/// A user-defined arbiter, by virtual calls; docs/reference/performance.md gives their cost. It may keep state. (The
/// arbiters in hw/mesh/policies/arbiters are template arguments instead, without virtual calls.)
class MeshArbiter {
public:
    virtual ~MeshArbiter() = default;
    /// Whether the first of two requests is served before the second.
    virtual bool before(const ArbitrationRequest& a, const ArbitrationRequest& b, const Contest& contest) const = 0;
    /// The request with this number was granted.
    virtual void served(const Contest&, std::uint32_t /*number*/) {}
};

/// The construction arguments of a mesh's routers.
struct FlitWiring {
    const MeshParams& params;
    const MeshGrid& grid;
    const MeshRoutes& routes;
    const MeshTimes& times;
    const std::vector<mesh::Terminal>& terminals;       ///< positions of the terminals, by number
    Indexed<OutputIndex, std::uint64_t>& output_flits;  ///< counts the flits that leave
    bool faults = false;                                ///< they may delay flits on links
};

/// Routers with this arbiter compiled in. Callers include hw/mesh/flit/flit_network.h.
template <class Arbiter>
std::unique_ptr<FlitFabric> make_flit_network(const FlitWiring& wiring, std::unique_ptr<MeshArbiter> own);

/// Routers that ask this arbiter.
std::unique_ptr<FlitFabric> make_virtual_flit_network(const FlitWiring& wiring, std::unique_ptr<MeshArbiter> own);

struct ArbitrationPolicy : PolicyName {
    std::unique_ptr<FlitFabric> (*network)(const FlitWiring& wiring, std::unique_ptr<MeshArbiter> own);
    std::unique_ptr<MeshArbiter> (*own)();  ///< null if the arbiter is compiled in

    static constexpr PolicyKindName kKind{"mesh-arbitration", "hw/mesh/policies/arbiters"};
    static std::span<const ArbitrationPolicy> table();
    /// @tparam Arbiter has kPolicy and before(), and may have first() and served(): see FlitNetwork
    template <class Arbiter>
    static constexpr ArbitrationPolicy of()
    {
        return {Arbiter::kPolicy, &make_flit_network<Arbiter>, nullptr};
    }
    /// @tparam Own a MeshArbiter with kPolicy
    template <class Own>
    static constexpr ArbitrationPolicy of_own()
    {
        return {Own::kPolicy, &make_virtual_flit_network,
                []() -> std::unique_ptr<MeshArbiter> { return std::make_unique<Own>(); }};
    }
};

using Arbitration = PolicyChoice<ArbitrationPolicy>;

}  // namespace ringmesh::hw
