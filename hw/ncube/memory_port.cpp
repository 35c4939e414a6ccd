// SPDX-License-Identifier: Apache-2.0
#include "hw/ncube/memory_port.h"

namespace ringmesh::hw {

void NcubeMemoryPort::change(unsigned& count, bool begins)
{
    if (before_) before_();
    begins ? ++count : --count;
    active_ = receiving_ + sending_;
    if (!after_) return;  // no processor
    speed_ = speed(receiving_, sending_);
    after_();
}

}  // namespace ringmesh::hw
