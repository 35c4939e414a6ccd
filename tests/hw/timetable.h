// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <systemc>
#include <utility>

#include "tlm/time/kernel_time.h"
#include "tlm/time/wakeup.h"

namespace ringmesh::test {

/// Calls functions at simulated times; those of one time in the order in which they were entered.
class Timetable final : public sc_core::sc_module {
public:
    SC_HAS_PROCESS(Timetable);
    explicit Timetable(const sc_core::sc_module_name& name) : sc_module(name)
    {
        SC_METHOD(call_due);
        sensitive << wakeup_.event();
        dont_initialize();
    }

    void at(Duration time, std::function<void()> call)
    {
        calls_.emplace(time, std::move(call));
        wakeup_.at(time);
    }

private:
    void call_due()
    {
        wakeup_.taken(now());
        while (!calls_.empty() && calls_.begin()->first <= now()) {
            const auto call = std::move(calls_.begin()->second);
            calls_.erase(calls_.begin());
            call();
        }
        if (!calls_.empty()) wakeup_.at(calls_.begin()->first);
    }

    std::multimap<Duration, std::function<void()>> calls_;
    Wakeup wakeup_{"wakeup"};
};

}  // namespace ringmesh::test
