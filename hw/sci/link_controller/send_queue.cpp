// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/link_controller/send_queue.h"

#include "tlm/error.h"

namespace ringmesh::hw {

namespace {

sci::Phase next_phase(sci::EchoStatus status)
{
    switch (status) {
        case sci::EchoStatus::kBusyA: return sci::Phase::kRetryA;
        case sci::EchoStatus::kBusyB: return sci::Phase::kRetryB;
        case sci::EchoStatus::kBusyD: return sci::Phase::kDoTry;
        case sci::EchoStatus::kDone: break;
    }
    throw ModelError("a done echo has no next phase");
}

}  // namespace

bool SendQueue::reserve()
{
    if (fill_ == slots_.size()) return false;
    ++fill_;
    return true;
}

void SendQueue::enter(sci::Packet& packet, Duration eligible)
{
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        Slot& slot = slots_[i];
        if (slot.packet != nullptr) continue;
        packet.slot = static_cast<std::uint16_t>(i);
        packet.phase = first_;
        packet.again = false;
        slot = {.packet = &packet, .eligible = eligible, .order = ++last_order_, .sent = {}};
        ++waiting_;
        find_next();
        return;
    }
    throw ModelError("a packet arrived over the B-Link without a reserved send slot");
}

sci::Packet& SendQueue::send(Duration start)
{
    Slot& slot = slots_[next_];
    slot.flying = true;
    slot.sent = start;
    --waiting_;
    ++flying_;
    find_next();
    return *slot.packet;
}

sci::Packet& SendQueue::done(std::uint16_t index)
{
    Slot& slot = slots_.at(index);
    if (!slot.flying) throw ModelError("an echo arrived for a packet that has none outstanding");
    sci::Packet& packet = *slot.packet;
    slot = {};
    --flying_;
    --fill_;
    return packet;
}

std::uint32_t SendQueue::lost(std::uint16_t index, Duration eligible)
{
    Slot& slot = slots_.at(index);
    slot.flying = false;
    slot.eligible = eligible;
    slot.order = ++last_order_;
    slot.packet->again = true;
    --flying_;
    ++waiting_;
    find_next();
    return ++slot.lost;
}

sci::Packet& SendQueue::take_back(std::uint16_t index)
{
    Slot& slot = slots_.at(index);
    sci::Packet& packet = *slot.packet;
    slot = {};
    --waiting_;
    --fill_;
    find_next();
    return packet;
}

void SendQueue::busy(std::uint16_t index, sci::EchoStatus status, Duration eligible)
{
    Slot& slot = slots_.at(index);
    if (!slot.flying) throw ModelError("an echo arrived for a packet that has none outstanding");
    slot.flying = false;
    slot.lost = 0;
    slot.eligible = eligible;
    slot.order = ++last_order_;
    slot.packet->phase = next_phase(status);
    slot.packet->again = true;
    --flying_;
    ++waiting_;
    find_next();
}

void SendQueue::find_next()
{
    next_eligible_ = Duration::never();
    if (waiting_ == 0) return;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        const Slot& slot = slots_[i];
        if (slot.packet == nullptr || slot.flying) continue;
        const bool earlier =
            slot.eligible < next_eligible_ || (slot.eligible == next_eligible_ && slot.order < slots_[next_].order);
        if (earlier) {
            next_ = i;
            next_eligible_ = slot.eligible;
        }
    }
}

}  // namespace ringmesh::hw
