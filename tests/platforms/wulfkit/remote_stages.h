// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "platforms/wulfkit/params.h"
#include "tlm/sci/packet.h"

namespace ringmesh::test {

/// Latencies of accesses to the other node of an idle ring of two, as sums of their stages. Written from
/// docs/reference/machines/timing_model.md, not from the code.
class RemoteStages {
public:
    explicit RemoteStages(const platforms::WulfkitParams& params) : params_(params) {}

    /// A load of 4 bytes, with or without prefetch of its block.
    Duration load(bool prefetch) const
    {
        const auto& pci = params_.pci;
        const sci::Command request = prefetch ? sci::Command::kRead64 : sci::Command::kRead16;
        const sci::Command response = prefetch ? sci::Command::kResponse64 : sci::Command::kResponse16;
        const Duration memory = clocks(pci.arbitration) +
                                clocks(pci.address_phase + pci.read_turnaround + pci.data_phase * (prefetch ? 16 : 1)) +
                                params_.host.read_crossing + params_.host.local_access;
        const Duration first_try = params_.host.read_crossing;
        return answered_read(first_try, first_try + round_trip(request, memory, response));
    }

    /// A store of 4 bytes and the barrier after it.
    Duration store_and_barrier() const
    {
        const auto& pci = params_.pci;
        const Duration first_try = std::max(stored() + clocks(pci.turnaround), issue() + params_.host.read_crossing);
        const Duration memory = clocks(pci.arbitration) + clocks(pci.address_phase + pci.write_wait + pci.data_phase);
        return answered_read(first_try,
                             first_try + round_trip(sci::Command::kWrite16, memory, sci::Command::kResponse0));
    }

    /// From the beginning of a store of 4 bytes to the other node's doorbell, followed by a flush, to the interrupt.
    Duration doorbell() const
    {
        const auto& pci = params_.pci;
        const Duration flushed =
            stored() + clocks(pci.turnaround) + clocks(pci.address_phase + pci.write_wait + pci.data_phase);
        return std::max(flushed,
                        issue() * 2 + crossing() + clocks(pci.address_phase + pci.write_wait + pci.data_phase)) +
               card() + network(sci::Command::kWrite16) + card();
    }

private:
    Duration clocks(Cycles count) const { return count * Clock(params_.pci.clock); }
    Duration crossing() const { return params_.host.crossing; }
    Duration card() const { return params_.psb.crossing; }
    Duration issue() const { return params_.host.store_issue * Clock(params_.host.clock); }
    /// When a first store of 4 bytes is in its stream buffer.
    Duration stored() const
    {
        const auto& pci = params_.pci;
        return issue() + crossing() +
               clocks(pci.address_phase + pci.write_wait + params_.psb.stream_open + pci.data_phase);
    }

    /// From the B-Link of one card over that of the other.
    Duration network(sci::Command command) const
    {
        const auto& blink = params_.blink;
        const Clock clock(blink.clock);
        const Duration bus = blink.arbitration * clock + (blink.header + blink.data(command) + blink.trailer) * clock;
        const auto& lc2 = params_.lc2;
        return bus + lc2.blink_to_out_fifo + params_.cable.propagation() + lc2.decode +
               params_.link.symbol_time * (sci::symbols(command) - 1) + lc2.in_fifo_to_blink + bus;
    }
    /// From the creation of the request to its response in the same PSB. @param memory time of the responder
    Duration round_trip(sci::Command request, Duration memory, sci::Command response) const
    {
        return card() + network(request) + card() + memory + card() + network(response) + card();
    }
    /// A repeatedly retried read: the first try at or after `answer` is accepted, and its bytes return.
    Duration answered_read(Duration first_try, Duration answer) const
    {
        const auto& pci = params_.pci;
        const Duration period =
            clocks(pci.address_phase + pci.retry_response) + std::max(clocks(pci.turnaround), clocks(pci.retry_gap));
        const std::int64_t tries = ((answer - first_try).ps() + period.ps() - 1) / period.ps();
        return first_try + period * tries + clocks(pci.address_phase + pci.read_turnaround + pci.data_phase) +
               params_.host.read_crossing;
    }

    platforms::WulfkitParams params_;
};

}  // namespace ringmesh::test
