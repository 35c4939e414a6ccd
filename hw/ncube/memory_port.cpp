// SPDX-License-Identifier: Apache-2.0
#include "hw/ncube/memory_port.h"

namespace ringmesh::hw {

double NcubeMemoryPort::speed(PortCode code) const
{
    double& speed = speeds_[code == PortCode::kSystem ? 1 : 0];
    if (speed == 0) speed = contention_->speed(receiving_, sending_, code);
    return speed;
}

void NcubeMemoryPort::change(unsigned& count, bool begins)
{
    if (before_) before_();
    begins ? ++count : --count;
    active_ = receiving_ + sending_;
    if (!after_) return;  // no processor
    speeds_ = {};
    after_();
}

}  // namespace ringmesh::hw
