// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "tlm/sci/blink.h"
#include "tlm/statistics/statistics.h"
#include "tlm/time/kernel_time.h"
#include "tlm/time/require_now.h"

namespace ringmesh::hw {

/// A chip's initiator socket on the B-Link: requests room for the first packet of each class, waits for the grant if
/// necessary, and transfers the packet.
///
/// @tparam Chip has
///     blink::Transfer blink_front(sci::Class)            the first packet that is ready; without one if there is none
///     void blink_took(sci::Class, std::uint64_t packet, Duration delay)
///                                                        the packet of this number is handed over, so it is the
///                                                        receiver's; its buffer is free `delay` later
///     void blink_granted(sci::Class)                     the same was done for a grant: the next one may ask
template <class Chip>
class BLinkOutlet final : public blink::Initiator<BLinkOutlet<Chip>> {
public:
    BLinkOutlet(const char* name, Chip& chip) : blink::Initiator<BLinkOutlet>(name), chip_(chip)
    {
        this->register_nb_transport_bw(this, &BLinkOutlet::granted);
    }

    /// Whether the first packet of this class waits for a grant.
    bool waits(sci::Class kind) const { return waits_[sci::index(kind)]; }
    /// Requests room for the first packet of this class, and for the next ones while it is granted at once.
    void offer(sci::Class kind)
    {
        while (!waits(kind)) {
            blink::Transfer transfer = chip_.blink_front(kind);
            if (transfer.packet == nullptr) return;
            blink::Phase phase = blink::Phase::kRequest;
            sc_core::sc_time delay;
            waits_[sci::index(kind)] = (*this)->nb_transport_fw(transfer, phase, delay) != ::tlm::TLM_COMPLETED;
            if (!waits(kind)) hand_over(kind);
        }
    }

private:
    void hand_over(sci::Class kind)
    {
        blink::Transfer transfer = chip_.blink_front(kind);
        const std::uint64_t packet = transfer.packet->id;
        blink::Phase phase = blink::Phase::kData;
        sc_core::sc_time delay;
        (*this)->nb_transport_fw(transfer, phase, delay);
        chip_.blink_took(kind, packet, from_kernel(delay));
    }
    ::tlm::tlm_sync_enum granted(blink::Transfer& transfer, blink::Phase&, sc_core::sc_time& delay)
    {
        require_now(delay);
        waits_[sci::index(transfer.kind)] = false;
        hand_over(transfer.kind);
        chip_.blink_granted(transfer.kind);
        return ::tlm::TLM_COMPLETED;
    }

    Chip& chip_;
    std::array<bool, sci::kClasses> waits_{};
};

/// A chip's target socket on the B-Link: reserves room on request, or grants it later.
///
/// @tparam Chip has
///     bool reserve(sci::Class)                                  sets room for one packet aside; false: there is none
///     void take_from_blink(sci::Packet&, sci::Class, Duration)  a packet comes, its last byte so much later
template <class Chip>
class BLinkInlet final : public blink::Target<BLinkInlet<Chip>> {
public:
    BLinkInlet(const char* name, Chip& chip) : blink::Target<BLinkInlet>(name), chip_(chip)
    {
        this->register_nb_transport_fw(this, &BLinkInlet::transport);
    }

    /// There may be room for a packet of this class again.
    void freed(sci::Class kind)
    {
        bool& owed = owed_[sci::index(kind)];
        if (!owed || !chip_.reserve(kind)) return;
        owed = false;
        blink::Transfer grant{nullptr, kind, 0};
        blink::Phase phase = blink::Phase::kGrant;
        sc_core::sc_time delay;
        (*this)->nb_transport_bw(grant, phase, delay);
    }
    /// Packets that waited for room.
    const Counter& delayed() const { return delayed_; }

private:
    ::tlm::tlm_sync_enum transport(blink::Transfer& transfer, blink::Phase& phase, sc_core::sc_time& delay)
    {
        if (phase == blink::Phase::kData) {
            chip_.take_from_blink(*transfer.packet, transfer.kind, from_kernel(delay));
            return ::tlm::TLM_COMPLETED;
        }
        require_now(delay);
        if (!chip_.reserve(transfer.kind)) {
            owed_[sci::index(transfer.kind)] = true;
            ++delayed_;
            return ::tlm::TLM_ACCEPTED;
        }
        return ::tlm::TLM_COMPLETED;
    }

    Chip& chip_;
    std::array<bool, sci::kClasses> owed_{};
    Counter delayed_;
};

}  // namespace ringmesh::hw
