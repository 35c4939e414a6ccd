// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <systemc>

#include "tlm/division/division.h"
#include "tlm/sci/link.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::hw {

/// A cable that leads to a part of the machine in another process: there go packets, and the times from which idle
/// symbols carry go bits. A packet belongs to the process that has its head.
class CutLink final : public sc_core::sc_module, private CutCables::Cable {
public:
    sci::LinkTargetIfBound<CutLink> in{"in"};       ///< in the process of its sender
    sci::LinkInitiatorIfBound<CutLink> out{"out"};  ///< in that of its receiver

    /// @param place to which it leads
    CutLink(const sc_core::sc_module_name& module_name, CutCables& cables, std::size_t place, sci::PacketPool& packets)
        : sc_module(module_name), cables_(cables), packets_(packets), number_(cables.add(*this, place))
    {
        in.register_nb_transport_fw(this, &CutLink::leave);
    }

private:
    ::tlm::tlm_sync_enum leave(sci::Packet& packet, sci::LinkPhase& phase, sc_core::sc_time& delay)
    {
        Parcel& parcel = cables_.send(number_, now() + from_kernel(delay));
        parcel.put(phase);
        if (phase == sci::LinkPhase::kGo) {
            parcel.put(packet.born_ps);
            return ::tlm::TLM_COMPLETED;
        }
        parcel.put(packet.command);
        parcel.put_bytes(std::as_bytes(std::span(&packet, 1)).first(sci::used_bytes(packet.command)));
        packets_.release(packet);
        return ::tlm::TLM_COMPLETED;
    }
    void arrives(Parcel& parcel, Duration head) override
    {
        auto phase = parcel.take<sci::LinkPhase>();
        sc_core::sc_time delay = to_kernel(head - now());
        sci::Packet* packet = &no_packet_;
        if (phase == sci::LinkPhase::kGo) {
            no_packet_.born_ps = parcel.take<std::int64_t>();
        } else {
            packet = &packets_.acquire_unset();
            const auto command = parcel.take<sci::Command>();
            parcel.take_bytes(std::as_writable_bytes(std::span(packet, 1)).first(sci::used_bytes(command)));
        }
        out->nb_transport_fw(*packet, phase, delay);
    }

    CutCables& cables_;
    sci::PacketPool& packets_;
    const std::uint32_t number_;
    sci::Packet no_packet_;  // for calls that tell of go bits
};

}  // namespace ringmesh::hw
