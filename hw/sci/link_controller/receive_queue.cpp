// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/link_controller/receive_queue.h"

namespace ringmesh::hw {

sci::EchoStatus ReceiveQueue::admit(sci::Phase phase, Duration now)
{
    return admission_->decide(reservations_, phase, used(now) < slots_);
}

std::uint64_t ReceiveQueue::head_if_full(Duration now) const
{
    if (used(now) < slots_) return 0;
    return now < leaving_until_ ? left_ : front().id;
}

void ReceiveQueue::enter(sci::Packet& packet, Duration ready)
{
    waiting_.push_back({&packet, ready});
    ++fill_;
}

void ReceiveQueue::leave(std::uint64_t packet, Duration last_byte)
{
    --fill_;
    leaving_until_ = last_byte;
    left_ = packet;
    waiting_.pop_front();
}

}  // namespace ringmesh::hw
