// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>

#include "hw/ports/payload_check.h"
#include "tlm/statistics/activity.h"
#include "tlm/statistics/component.h"
#include "tlm/statistics/statistics.h"
#include "tlm/statistics/use.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::hw {

/// Transactions of a port to models from outside Ringmesh: counters, what is under way, its waveform.
class PortUse {
public:
    /// is_to_be_done(); counts what it refuses.
    bool begins(::tlm::tlm_generic_payload& payload, sc_core::sc_time& delay, std::uint32_t most_bytes = UINT32_MAX)
    {
        if (is_to_be_done(payload, delay, most_bytes)) return true;
        if (!payload.is_response_ok()) ++failed_;
        return false;
    }
    /// A transaction from its beginning to its end, also if the initiator's thread is killed.
    class Transaction {
    public:
        Transaction(PortUse& use, const ::tlm::tlm_generic_payload& payload) : use_(use), payload_(payload)
        {
            use_.under_way_.set(use_.under_way_.value() + 1, now());
        }
        Transaction(const Transaction&) = delete;
        Transaction& operator=(const Transaction&) = delete;
        ~Transaction()
        {
            use_.under_way_.set(use_.under_way_.value() - 1, now());
            if (!payload_.is_response_ok()) {
                ++use_.failed_;
                return;
            }
            ++(payload_.is_read() ? use_.reads_ : use_.writes_);
            use_.bytes_ += payload_.get_data_length();
        }

    private:
        PortUse& use_;
        const ::tlm::tlm_generic_payload& payload_;
    };

    void statistics(StatisticsVisitor& visitor) const
    {
        visitor.counter("reads", reads_, "transactions", "with an OK response");
        visitor.counter("writes", writes_, "transactions", "with an OK response");
        visitor.counter("bytes", bytes_, "bytes", "that these carried");
        visitor.counter("failed", failed_, "transactions", "with another response");
    }
    std::string pending() const
    {
        PendingText text;
        text.add(under_way_.value(), under_way_.value() == 1 ? "transaction" : "transactions");
        return text.text();
    }
    /// @param port its name
    void trace(sc_core::sc_trace_file* file, const std::string& port) const
    {
        trace_signal(file, under_way_, port + ".under_way",
                     {"transactions that have not ended", "transactions", SignalPlace::kProgram});
    }

private:
    Level under_way_;
    Counter reads_, writes_, bytes_, failed_;
};

/// Lets one transaction after the other through a port; held until its end, also if the initiator's thread is killed.
class PortTurn {
public:
    explicit PortTurn(sc_core::sc_mutex& mutex) : mutex_(mutex) { mutex_.lock(); }
    PortTurn(const PortTurn&) = delete;
    PortTurn& operator=(const PortTurn&) = delete;
    ~PortTurn() { mutex_.unlock(); }

private:
    sc_core::sc_mutex& mutex_;
};

}  // namespace ringmesh::hw
