// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "hw/ncube/params.h"
#include "tlm/use.h"

namespace ringmesh::hw {

/// The arbiter of a node's memory port. DMA has priority: a channel cannot wait, because the wire has no flow control.
/// The processor prefetches into a queue of a few words and stalls when it is empty.
///
/// Timing: no event per access; the model gives the processor's speed as a function of the active channels. The queue
/// is a Markov chain of `prefetch` places: a port that DMA leaves free for a part 1 - d of the time fills it at that
/// rate, the processor drains it at its `demand`. The speed is the part of the time in which it is not empty, relative
/// to that without DMA. DMA takes at most `most_load` of the port: channels beyond that lose no data and slow the
/// processor no further. Not modelled: the regular spacing of a channel's accesses, and different demands of programs.
class NcubeMemoryPort {
public:
    /// @param most channels that can be active in each direction
    NcubeMemoryPort(const NcubeMemoryParams& params, const NcubeChannelParams& channel, unsigned most);

    /// Callbacks before and after a change of the speed.
    void connect(std::function<void()> before, std::function<void()> after)
    {
        before_ = std::move(before);
        after_ = std::move(after);
    }
    void receiving(bool begins) { change(receiving_, begins); }
    void sending(bool begins) { change(sending_, begins); }

    /// Processor clocks done in one clock of time, above 0 and at most 1.
    double speed() const { return speed_; }
    double speed(unsigned receiving, unsigned sending) const;
    /// The part of the port's time that DMA takes.
    double dma_load(unsigned receiving, unsigned sending) const;
    /// Channels that transfer data now.
    const Level& active() const { return active_; }

private:
    void change(unsigned& count, bool begins);

    const NcubeMemoryParams params_;
    const double word_clocks_;  // between two accesses of one channel
    const unsigned most_;
    std::vector<double> speeds_;  // by receiving and sending
    std::function<void()> before_, after_;
    unsigned receiving_ = 0;
    unsigned sending_ = 0;
    Level active_;
    double speed_ = 1;
};

}  // namespace ringmesh::hw
