// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/receive_queue.h"

namespace ringmesh::hw {

using sci::EchoStatus;
using sci::Phase;

EchoStatus Admission::decide(Phase phase, bool room)
{
    switch (phase) {
        case Phase::kNoTry: return room && waiting() == 0 ? EchoStatus::kDone : EchoStatus::kBusyD;
        case Phase::kDoTry: return room && waiting() == 0 ? EchoStatus::kDone : reserve();
        case Phase::kRetryA: return retry(0, room);
        case Phase::kRetryB: return retry(1, room);
    }
    return EchoStatus::kBusyD;
}

EchoStatus Admission::reserve()
{
    const unsigned generation = waiting() == 0 ? served_ : 1 - served_;
    ++waiting_[generation];
    return generation == 0 ? EchoStatus::kBusyA : EchoStatus::kBusyB;
}

EchoStatus Admission::retry(unsigned generation, bool room)
{
    if (generation != served_ || !room) return generation == 0 ? EchoStatus::kBusyA : EchoStatus::kBusyB;
    --waiting_[generation];
    if (waiting_[generation] == 0) served_ = 1 - served_;
    return EchoStatus::kDone;
}

EchoStatus ReceiveQueue::admit(Phase phase, Duration now)
{
    const std::size_t used = waiting_.size() + (now < leaving_until_ ? 1 : 0);
    return admission_.decide(phase, used < slots_);
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
