// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <systemc>
#include <utility>

#include "tlm/time/kernel_time.h"
#include "tlm/time/wakeup.h"

namespace ringmesh {

/// Calls a function whenever its wake-up comes.
class Alarm final : public sc_core::sc_module {
public:
    SC_HAS_PROCESS(Alarm);
    Alarm(const sc_core::sc_module_name& name, std::function<void()> ring) : sc_module(name), ring_(std::move(ring))
    {
        SC_METHOD(wake);
        sensitive << wakeup.event();
        dont_initialize();
    }
    Wakeup wakeup{"wakeup"};

private:
    void wake()
    {
        wakeup.taken(now());
        ring_();
    }
    std::function<void()> ring_;
};

}  // namespace ringmesh
