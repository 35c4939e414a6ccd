// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/receive_queue.h"

namespace ringmesh::hw {

sci::EchoStatus ReceiveQueue::admit(sci::Phase phase, Duration now)
{
    const std::size_t used = waiting_.size() + (now < leaving_until_ ? 1 : 0);
    return admission_->decide(reservations_, phase, used < slots_);
}

void ReceiveQueue::enter(sci::Packet& packet, Duration ready)
{
    waiting_.push_back({&packet, ready});
    ++fill_;
}

sci::Packet& ReceiveQueue::leave(Duration last_byte)
{
    --fill_;
    leaving_until_ = last_byte;
    return *waiting_.pop_front().packet;
}

}  // namespace ringmesh::hw
