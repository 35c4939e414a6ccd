// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <queue>
#include <systemc>
#include <vector>

#include "tlm/time/wakeup.h"
#include "tlm/units/units.h"

namespace ringmesh::hw {

/// Wakes the owners of echo time-outs. Nearly every echo comes in time: an event for each owner would make the kernel's
/// heap larger, and each packet slower, for nothing. So one event serves all, due when the first time-out is.
class EchoTimeouts final : public sc_core::sc_module {
public:
    /// Whoever waits for echoes. It lives as long as the run.
    class Owner {
    public:
        virtual ~Owner() = default;
        /// The time that it had set has come. It may set the next one.
        virtual void echo_timeout_due(Duration time) = 0;

    protected:
        Owner() = default;
        Owner(const Owner&) = delete;
        Owner& operator=(const Owner&) = delete;

    private:
        friend class EchoTimeouts;
        bool waits_ = false;
    };

    SC_HAS_PROCESS(EchoTimeouts);
    explicit EchoTimeouts(const sc_core::sc_module_name& name = "echo_timeouts");

    /// Nothing if the owner has set a time already.
    void set(Owner& owner, Duration at, Duration present)
    {
        if (owner.waits_) return;
        owner.waits_ = true;
        due_.push({at, &owner});
        wakeup_.at(at, present);
    }

private:
    struct Due {
        Duration at;
        Owner* owner;
        bool operator>(const Due& other) const { return at > other.at; }
    };
    void step();

    std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;  // at most one of each owner
    Wakeup wakeup_{"wakeup"};
};

}  // namespace ringmesh::hw
