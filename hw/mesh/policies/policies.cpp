// SPDX-License-Identifier: Apache-2.0
/// The tables of the mesh's policies; that of the arbiters is in hw/mesh/flit/arbitration.cpp.
#include "hw/mesh/policies/channel_choices/per_input.h"
#include "hw/mesh/policies/channel_choices/per_output.h"
#include "hw/mesh/policies/flows/cut_through.h"
#include "hw/mesh/policies/flows/wormhole.h"
#include "hw/mesh/policies/ring_classes/at_entry.h"
#include "hw/mesh/policies/ring_classes/balanced.h"
#include "hw/mesh/policies/ring_classes/dateline.h"
#include "hw/mesh/policies/routings/west_first.h"
#include "hw/mesh/policies/routings/xy.h"
#include "hw/mesh/policies/routings/yx.h"
#include "hw/mesh/policies/switch_holds/flit.h"
#include "hw/mesh/policies/switch_holds/packet.h"

namespace ringmesh::hw {

std::span<const MeshRoutingPolicy> MeshRoutingPolicy::table()
{
    return policy_rows<MeshRoutingPolicy, routings::Xy, routings::Yx, routings::WestFirst>();
}

std::span<const MeshFlowPolicy> MeshFlowPolicy::table()
{
    return policy_rows<MeshFlowPolicy, flows::CutThrough, flows::Wormhole>();
}

std::span<const SwitchHoldPolicy> SwitchHoldPolicy::table()
{
    return policy_rows<SwitchHoldPolicy, switch_holds::Flit, switch_holds::Packet>();
}

std::span<const ChannelChoicePolicy> ChannelChoicePolicy::table()
{
    return policy_rows<ChannelChoicePolicy, channel_choices::PerInput, channel_choices::PerOutput>();
}

std::span<const RingClassPolicy> RingClassPolicy::table()
{
    return policy_rows<RingClassPolicy, ring_classes::Dateline, ring_classes::AtEntry, ring_classes::Balanced>();
}

}  // namespace ringmesh::hw
