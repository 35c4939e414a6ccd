// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "tlm/units.h"

namespace ringmesh::hw {

/// SCI's flow control at one link controller: go bits in the idle symbols [SCINET].
///
/// A node starts a packet of its own only behind an idle symbol with a go bit. What arrives meanwhile waits in the
/// bypass FIFO; until that is empty again (the idle debt is repaid) the node keeps the go bits that come in and sends
/// idle symbols without: so those before it on the ring pause, and idle symbols come that drain the FIFO. Then the go
/// bits that it kept go on. None is ever lost: a ring that has come to rest carries go bits everywhere.
///
/// Per gap between packets, not per symbol: a packet says whether the idle symbols behind it carry go bits (`stop`),
/// and a message says so when they begin to later in the same gap. Plain logic, without the kernel. All times are those
/// at which symbols reach the node's output; a function that returns a time wants the next node told that the idle
/// symbols carry go bits from then on, or nothing (never()).
///
/// A node on which flow control is off always holds a go bit and keeps none.
class GoBits {
public:
    explicit GoBits(bool on) : on_(on) {}

    bool on() const { return on_; }
    /// From when on an own packet may start as far as go bits go; never() until one comes.
    Duration held_from() const { return held_from_; }
    /// The bypass FIFO has filled behind an own packet and was not yet found empty.
    bool keeping() const { return keeping_; }
    /// Of the go bits that are kept: when the first one came; never() if none has.
    Duration kept_from() const { return kept_; }

    /// Nobody on this ring keeps go bits or misses one, as far as this node knows: a packet that passes without
    /// waiting, and comes with a go bit behind it, changes nothing.
    bool easy_going() const { return easy_going_; }

    /// A packet goes on. @param stop what it said when it came @param waits in the bypass FIFO
    /// @param behind when the idle symbols behind it would leave if it did not wait @return what it has to say now
    bool pass(bool stop, bool waits, Duration behind);
    /// A packet ended here and left idle symbols in its place.
    Duration hear_idles(bool stop, Duration from) { return stop ? hear_stop() : hear_go(from); }
    /// The idle symbols that come in carry go bits from now on.
    Duration hear_go(Duration from);
    /// The bypass FIFO is empty from then on.
    Duration fifo_empty(Duration from);
    /// An own packet starts. @param followed a packet is there already that will wait for its end @return what it has
    /// to say
    bool start_own(bool followed);

    std::uint64_t times_kept() const { return times_kept_; }
    /// For waveforms: what the idle symbols behind the last packet sent carry: "go", "stop", or "keep" if that is our
    /// doing.
    const std::string_view& word() const { return word_; }

private:
    Duration hear_stop();
    void keep(Duration first);
    /// The state has changed.
    void note();

    bool easy_going_ = true;
    bool on_;
    bool keeping_ = false;
    bool stop_sent_ = false;  // the idle symbols behind the last packet that left carry no go bit
    Duration held_from_;
    Duration kept_ = Duration::never();
    std::uint64_t times_kept_ = 0;
    std::string_view word_ = "go";
};

}  // namespace ringmesh::hw
