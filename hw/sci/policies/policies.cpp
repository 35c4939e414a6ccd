// SPDX-License-Identifier: Apache-2.0
/// The tables of the link controller's policies.
#include "hw/sci/policies/admission/ageing.h"
#include "hw/sci/policies/admission/free_slot.h"
#include "hw/sci/policies/flow_control/go_bits.h"
#include "hw/sci/policies/flow_control/off.h"
#include "hw/sci/policies/switching/cut_through.h"
#include "hw/sci/policies/switching/cut_through_receive.h"
#include "hw/sci/policies/switching/store_and_forward.h"

namespace ringmesh::hw {

std::span<const FlowControlPolicy> FlowControlPolicy::table()
{
    return policy_rows<FlowControlPolicy, flow_control::GoBits, flow_control::Off>();
}

std::span<const SwitchingPolicy> SwitchingPolicy::table()
{
    return policy_rows<SwitchingPolicy, switching::StoreAndForward, switching::CutThroughReceive,
                       switching::CutThrough>();
}

std::span<const AdmissionPolicy> AdmissionPolicy::table()
{
    return policy_rows<AdmissionPolicy, admission::Ageing, admission::FreeSlot>();
}

}  // namespace ringmesh::hw
