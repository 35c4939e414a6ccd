// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/blink/blink_fork.h"

#include <fmt/format.h>

#include "tlm/error.h"
#include "tlm/time/kernel_time.h"
#include "tlm/time/require_now.h"

namespace ringmesh::hw {

BLinkFork::BLinkFork(const sc_core::sc_module_name& module_name) : sc_module(module_name)
{
    nothing.register_nb_transport_fw(this, &BLinkFork::refuse);
    for (std::size_t i = 0; i < kSides; ++i) {
        side(i).register_nb_transport_bw(this, &BLinkFork::granted, static_cast<int>(i));
    }
}

::tlm::tlm_sync_enum BLinkFork::refuse(blink::Transfer&, blink::Phase&, sc_core::sc_time&)
{
    throw ModelError(fmt::format("{}: a packet came over the source's own port", name()));
}

bool BLinkFork::reserve(sci::Class kind)
{
    bool all = true;
    for (std::size_t i = 0; i < kSides; ++i) {
        Room& room = rooms_[sci::index(kind)][i];
        if (room == Room::kUnknown) {
            blink::Transfer transfer{nullptr, kind, 0};
            blink::Phase phase = blink::Phase::kRequest;
            sc_core::sc_time delay;
            const bool reserved = side(i)->nb_transport_fw(transfer, phase, delay) == ::tlm::TLM_COMPLETED;
            room = reserved ? Room::kReserved : Room::kAsked;
        }
        all = all && room == Room::kReserved;
    }
    return all;
}

void BLinkFork::take_from_blink(sci::Packet& packet, sci::Class kind, Duration span)
{
    const std::size_t to = sci::is_of_source(packet) ? 1 : 0;
    rooms_[sci::index(kind)][to] = Room::kUnknown;  // the other's room stays for the next packet
    blink::Transfer transfer{&packet, kind, 0};
    blink::Phase phase = blink::Phase::kData;
    sc_core::sc_time delay = to_kernel(span);
    side(to)->nb_transport_fw(transfer, phase, delay);
}

::tlm::tlm_sync_enum BLinkFork::granted(int number, blink::Transfer& transfer, blink::Phase&, sc_core::sc_time& delay)
{
    require_now(delay);
    rooms_[sci::index(transfer.kind)][static_cast<std::size_t>(number)] = Room::kReserved;
    in.freed(transfer.kind);
    return ::tlm::TLM_COMPLETED;
}

}  // namespace ringmesh::hw
