// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tlm/machine/traffic.h"
#include "tlm/time/kernel_time.h"
#include "tlm/time/wakeup.h"

namespace ringmesh::hw {

/// Creates the packets of a source: asks the traffic model of each stream for one packet at a time, and wakes the
/// source when the first of them is created.
class Injector {
public:
    /// @param inject calls offer_due()
    Injector(unsigned source, const WokenMethod& inject) : source_(source), wakeup_(inject) {}

    /// Adds a stream, the next after those there are. @param model outlives the run
    void start(TrafficModel& model)
    {
        Stream& stream = streams_.emplace_back(Stream{&model, {}});
        ask(stream);
        wakeup_.at(stream.next.at);
    }
    /// Asks the model of a stream again after it returned never(), or if it has another packet now.
    void resume(std::uint8_t stream)
    {
        Stream& one = streams_[stream];
        if (one.next.at != Duration::never()) {
            if (!one.model->takes_back(source_, one.next)) return;
            wakeup_.cancel();
        }
        ask(one);
        wakeup_.at(first());
    }
    /// At the wake-up: offers each packet due by now to the source.
    template <class Offer>
    void offer_due(const Offer& offer)
    {
        const Duration present = now();
        wakeup_.taken(present);
        for (Stream& stream : streams_) {
            while (stream.next.at <= present) {
                offer(stream.next);
                ask(stream);
            }
        }
        wakeup_.at(first(), present);
    }
    TrafficModel& model(std::uint8_t stream) { return *streams_[stream].model; }
    bool armed() const { return wakeup_.armed(); }

private:
    struct Stream {
        TrafficModel* model;
        Injection next;
    };

    void ask(Stream& stream)
    {
        stream.next = stream.model->next(source_);
        stream.next.stream = static_cast<std::uint8_t>(&stream - streams_.data());
    }
    Duration first() const
    {
        Duration first = Duration::never();
        for (const Stream& stream : streams_) first = std::min(first, stream.next.at);
        return first;
    }

    const unsigned source_;
    std::vector<Stream> streams_;
    Wakeup wakeup_;
};

}  // namespace ringmesh::hw
