// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>

#include "tlm/simulation/simulation.h"
#include "tlm/time/kernel_time.h"
#include "tlm/time/wakeup.h"

namespace ringmesh {

/// Calls a function whenever its wake-up comes.
class Alarm final {
public:
    Alarm(Simulation& simulation, std::function<void()> ring)
        : wakeup(wakes<&Alarm::wake>(simulation.calendar(), *this)), ring_(std::move(ring))
    {}
    Wakeup wakeup;

private:
    void wake()
    {
        wakeup.taken(now());
        ring_();
    }
    std::function<void()> ring_;
};

}  // namespace ringmesh
