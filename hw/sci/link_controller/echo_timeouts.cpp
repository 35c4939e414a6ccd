// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/link_controller/echo_timeouts.h"

#include "tlm/time/kernel_time.h"

namespace ringmesh::hw {

EchoTimeouts::EchoTimeouts(const sc_core::sc_module_name& module_name) : sc_module(module_name)
{
    SC_METHOD(step);
    sensitive << wakeup_.event();
    dont_initialize();
}

void EchoTimeouts::step()
{
    const Duration time = now();
    wakeup_.taken(time);
    while (!due_.empty() && due_.top().at <= time) {
        Owner& owner = *due_.top().owner;
        due_.pop();
        owner.waits_ = false;
        owner.echo_timeout_due(time);
    }
    if (!due_.empty()) wakeup_.at(due_.top().at, time);
}

}  // namespace ringmesh::hw
