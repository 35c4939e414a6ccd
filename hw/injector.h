// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tlm/machine/traffic.h"
#include "tlm/time/kernel_time.h"
#include "tlm/time/wakeup.h"

namespace ringmesh::hw {

/// Creates the packets of a source: asks the traffic model for one packet at a time, and wakes the source when it is
/// created.
class Injector {
public:
    explicit Injector(unsigned source) : source_(source) {}

    /// @param model outlives the run
    void start(TrafficModel& model)
    {
        model_ = &model;
        next_ = model.next(source_);
        wakeup_.at(next_.at);
    }
    /// Asks the model again after it returned never(), or if it has an earlier packet now.
    void resume()
    {
        if (next_.at != Duration::never() && !model_->takes_back(source_, next_)) return;
        next_ = model_->next(source_);
        wakeup_.at(next_.at);
    }
    /// At the wake-up: offers each packet due by now to the source.
    template <class Offer>
    void offer_due(const Offer& offer)
    {
        const Duration present = now();
        wakeup_.taken(present);
        while (next_.at <= present) {
            offer(next_);
            next_ = model_->next(source_);
        }
        wakeup_.at(next_.at, present);
    }
    TrafficModel& model() { return *model_; }
    bool armed() const { return wakeup_.armed(); }
    const sc_core::sc_event& event() const { return wakeup_.event(); }

private:
    const unsigned source_;
    TrafficModel* model_ = nullptr;
    Injection next_;
    Wakeup wakeup_{"wakeup"};
};

}  // namespace ringmesh::hw
