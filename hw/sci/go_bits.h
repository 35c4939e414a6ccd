// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "tlm/units.h"

namespace ringmesh::hw {

/// SCI's flow control at one link controller: go bits in the idle symbols [SCINET].
///
/// A node starts an own packet only behind an idle symbol with a go bit. Packets that arrive meanwhile wait in the
/// bypass FIFO; until it is empty again (the idle debt is repaid) the node is in recovery: it saves incoming go bits
/// and sends idle symbols without them, so that upstream nodes pause and their idle symbols drain the FIFO. Then it
/// releases the saved go bits. None is lost: an idle ring carries go bits everywhere.
///
/// Per gap between packets, not per symbol: a packet's `stop` says that the idle symbols behind it carry no go bits; a
/// Go message says that they carry them from later in the same gap on. Plain logic, without the kernel. Times are those
/// at which symbols reach the node's output; a returned time means: notify the next node that the idle symbols carry go
/// bits from then on; never() means no notification.
///
/// With flow control off the node always holds a go bit and saves none.
class GoBits {
public:
    explicit GoBits(bool on) : on_(on) {}

    bool on() const { return on_; }
    /// When the go bit allows an own packet to start; never() until one arrives.
    Duration go_from() const { return go_from_; }
    /// The bypass FIFO has filled behind an own packet and is not empty yet.
    bool recovering() const { return recovering_; }
    /// Arrival of the first saved go bit; never() if there is none.
    Duration saved_go_from() const { return saved_go_; }

    /// This node holds a go bit, sends go bits and is not in recovery: a packet that passes without waiting, with a go
    /// bit behind it, changes nothing.
    bool unrestricted() const { return unrestricted_; }

    /// A packet passes. @param stop as received @param waits in the bypass FIFO
    /// @param behind when the idle symbols behind it would leave if it did not wait @return its `stop` to send
    bool pass(bool stop, bool waits, Duration behind);
    /// A packet was stripped here and idle symbols take its place.
    Duration receive_idles(bool stop, Duration from) { return stop ? receive_stop() : receive_go(from); }
    /// Incoming idle symbols carry go bits from now on.
    Duration receive_go(Duration from);
    /// The bypass FIFO is empty from then on.
    Duration fifo_empty(Duration from);
    /// An own packet starts. @param followed another packet has arrived and will wait for its end @return its `stop`
    bool start_own(bool followed);

    std::uint64_t recoveries() const { return recoveries_; }
    /// For waveforms: the idle symbols behind the last packet sent: "go", "stop", or "keep" if this node stopped them.
    const std::string_view& word() const { return word_; }

private:
    Duration receive_stop();
    void begin_recovery(Duration first);
    /// Updates word() and unrestricted() after a change.
    void note();

    bool unrestricted_ = true;
    bool on_;
    bool recovering_ = false;
    bool stop_sent_ = false;  // the idle symbols behind the last packet sent carry no go bit
    Duration go_from_;
    Duration saved_go_ = Duration::never();
    std::uint64_t recoveries_ = 0;
    std::string_view word_ = "go";
};

}  // namespace ringmesh::hw
