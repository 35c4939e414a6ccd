// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <systemc>
#include <utility>

#include "tlm/time/kernel_time.h"

namespace ringmesh::test {

/// Calls functions at simulated times, by the kernel and so before a machine's blocks; those of one time in the order
/// in which they were entered.
class Timetable final : public sc_core::sc_module {
public:
    SC_HAS_PROCESS(Timetable);
    explicit Timetable(const sc_core::sc_module_name& name) : sc_module(name)
    {
        SC_METHOD(call_due);
        sensitive << next_;
        dont_initialize();
    }

    void at(Duration time, std::function<void()> call)
    {
        calls_.emplace(time, std::move(call));
        ask();
    }

private:
    void call_due()
    {
        while (!calls_.empty() && calls_.begin()->first <= now()) {
            const auto call = std::move(calls_.begin()->second);
            calls_.erase(calls_.begin());
            call();
        }
        ask();
    }
    void ask()
    {
        if (!calls_.empty()) next_.notify(to_kernel(std::max(calls_.begin()->first - kernel_now(), Duration::zero())));
    }

    std::multimap<Duration, std::function<void()>> calls_;
    sc_core::sc_event next_{"next"};
};

}  // namespace ringmesh::test
