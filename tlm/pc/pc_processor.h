// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tlm/machine/processor.h"
#include "tlm/pc/segments.h"

/// What programs ask of a PC's processor, beyond loads and stores: barriers, interrupts, DMA.
namespace ringmesh {

/// Store barrier: flush the card's stream buffers, wait until all earlier stores are in their targets' memories.
struct BarrierRequest {};

/// Flush the card's stream buffers, without waiting.
struct FlushRequest {};

/// Wait until another node has stored to this one's doorbell; each such store ends one wait.
struct InterruptRequest {};

/// Copy local memory to a mapped segment with the card's DMA engine; wait until all bytes have arrived.
struct DmaRequest {
    std::uint64_t from = 0;  ///< local address, a multiple of 4
    std::uint64_t to = 0;    ///< in a mapping returned by map_segment; a multiple of 64
    std::uint32_t size = 0;  ///< bytes, a multiple of 64
};

/// The processor of a PC whose card maps memory of other PCs: shared segments over any network. Addresses are local
/// memory, or a remote segment that was mapped.
class PcProcessor : public PollingProcessor {
public:
    Operation<PcProcessor, BarrierRequest> barrier() { return {*this, {}}; }
    Operation<PcProcessor, FlushRequest> flush() { return {*this, {}}; }
    Operation<PcProcessor, InterruptRequest> interrupt() { return {*this, {}}; }
    Operation<PcProcessor, DmaRequest> dma(const DmaRequest& request) { return {*this, request}; }
    /// Entry to or return from a communication library: the platform's software cost.
    auto library_call() { return compute({library_cost(), "library call"}); }

    /// Bytes of the largest aligned block that arrives atomically in another node's memory when stored sequentially.
    virtual std::uint32_t largest_transaction() const = 0;
    /// Bytes that the card gathers: sequential stores leave at once when they reach a multiple of them.
    virtual std::uint32_t gathered_block() const = 0;
    /// Whether a store barrier waits for the responses, as it must; a what-if removes the cost.
    virtual bool barrier_waits() const = 0;
    /// Whether the card copies by itself. @pre of dma()
    virtual bool has_dma_engine() const = 0;
    virtual SegmentDriver& segments() = 0;
    /// A library checks each transfer from now on: it compares failures() before and behind it, with a store barrier at
    /// its end or by DMA. The barrier tells it, so that this takes no time of its own.
    /// @return times that it is to send what fails; 0: it need not check
    virtual unsigned check_transfers() { return 0; }
    /// Transactions to a rank that have failed so far.
    virtual std::uint64_t failures(unsigned /*rank*/) const { return 0; }

protected:
    using PollingProcessor::begin;
    virtual void begin(BarrierRequest request) = 0;
    virtual void begin(FlushRequest request) = 0;
    virtual void begin(InterruptRequest request) = 0;
    virtual void begin(const DmaRequest& request) = 0;
    virtual Duration library_cost() const = 0;

private:
    template <class SomeProcessor, class Request>
    friend struct Processor::Operation;
};

}  // namespace ringmesh
