// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tlm/processor.h"
#include "tlm/sci/segments.h"

namespace ringmesh {

/// Store barrier: send what the card still gathers, wait until everything stored so far is in its target's memory.
struct BarrierRequest {};

/// Make the card send what it still gathers, without waiting for anything.
struct FlushRequest {};

/// Wait until another node has stored to this one's doorbell; each such store ends one wait.
struct InterruptRequest {};

/// Have the card's DMA engine copy local memory to a mapped segment; wait until all of it is there.
struct DmaRequest {
    std::uint64_t from = 0;  ///< local address, a multiple of 4
    std::uint64_t to = 0;    ///< what map_segment returned, or further in the same mapping; a multiple of 64
    std::uint32_t size = 0;  ///< bytes, a multiple of 64
};

/// Into or out of a communication library.
struct LibraryCall {
    Duration cost;
};

/// The processor of a PC with an SCI card. Addresses are local memory, or a remote segment that was mapped.
class SciProcessor : public Processor {
public:
    Operation<SciProcessor, BarrierRequest> barrier() { return {*this, {}}; }
    Operation<SciProcessor, FlushRequest> flush() { return {*this, {}}; }
    Operation<SciProcessor, InterruptRequest> interrupt() { return {*this, {}}; }
    Operation<SciProcessor, DmaRequest> dma(const DmaRequest& request) { return {*this, request}; }
    /// The way into or out of a communication library: the platform's software cost.
    Operation<SciProcessor, LibraryCall> library_call() { return {*this, {library_cost()}}; }

    /// Bytes of the largest aligned block that reaches another node's memory in one piece if it is stored in a row.
    virtual std::uint32_t largest_transaction() const = 0;
    /// Bytes that the card gathers: what was stored in a row leaves at once when it reaches a multiple of them.
    virtual std::uint32_t gathered_block() const = 0;
    /// Whether a store barrier waits for the answers, as it must; what-ifs have one that costs nothing.
    virtual bool barrier_waits() const = 0;
    virtual SegmentDriver& segments() = 0;

protected:
    using Processor::begin;
    virtual void begin(BarrierRequest request) = 0;
    virtual void begin(FlushRequest request) = 0;
    virtual void begin(InterruptRequest request) = 0;
    virtual void begin(const DmaRequest& request) = 0;
    /// Overridden by a processor that tells it from other computing.
    virtual void begin_library(Duration cost) { begin(cost); }
    virtual Duration library_cost() const = 0;

private:
    template <class SomeProcessor, class Request>
    friend struct Processor::Operation;
    void begin(const LibraryCall& call) { begin_library(call.cost); }
};

}  // namespace ringmesh
