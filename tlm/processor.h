// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include "tlm/processor_requests.h"
#include "tlm/segments.h"
#include "tlm/task.h"
#include "tlm/units.h"

namespace ringmesh {

/// A processor as software sees it. Each runs one program; each operation takes its time on the machine, and bytes
/// really move. Addresses are the processor's own: local memory, or a remote segment that was mapped.
class Processor {
public:
    /// Suspends the program until the processor has done the request.
    template <class Request>
    struct Operation {
        static_assert(std::is_trivially_copyable_v<Request>, "g++ 12 would destroy it twice");
        Processor& processor;
        Request request;
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> program)
        {
            processor.program_ = program;
            processor.begin(request);
        }
        void await_resume() const noexcept {}
    };

    /// The same, and the program gets the number of the place that ended it, the first if there are several.
    struct PollAnyOperation {
        Processor& processor;
        PollAnyRequest request;
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> program)
        {
            processor.program_ = program;
            processor.begin(request);
        }
        std::uint32_t await_resume() const noexcept { return processor.found_; }
    };

    virtual ~Processor() = default;

    /// Returns when the last byte has left the processor; it may still be far from where it goes.
    Operation<StoreRequest> store(const StoreRequest& request) { return {*this, request}; }
    /// Returns when the bytes are here. Remote memory is read one load instruction after the other.
    Operation<LoadRequest> load(const LoadRequest& request) { return {*this, request}; }
    Operation<PollRequest> poll(const PollRequest& request) { return {*this, request}; }
    PollAnyOperation poll_any(const PollAnyRequest& request) { return {*this, request}; }
    Operation<BarrierRequest> barrier() { return {*this, {}}; }
    Operation<FlushRequest> flush() { return {*this, {}}; }
    Operation<InterruptRequest> interrupt() { return {*this, {}}; }
    Operation<DmaRequest> dma(const DmaRequest& request) { return {*this, request}; }
    /// Computes for a time without touching memory.
    Operation<Duration> compute(Duration span) { return {*this, span}; }
    /// The way into or out of a communication library: the platform's software cost.
    Operation<LibraryCall> library_call() { return {*this, {library_cost()}}; }

    virtual unsigned rank() const = 0;
    virtual Duration time() const = 0;
    /// Processor cycles as time.
    virtual Duration cycles(Cycles count) const = 0;
    /// Bytes of the largest aligned block that reaches another node's memory in one piece if it is stored in a row.
    virtual std::uint32_t largest_transaction() const = 0;
    /// Bytes that the card gathers: what was stored in a row leaves at once when it reaches a multiple of them.
    virtual std::uint32_t gathered_block() const = 0;
    /// Whether a store barrier waits for the answers, as it must; what-ifs have one that costs nothing.
    virtual bool barrier_waits() const = 0;
    virtual SegmentDriver& segments() = 0;

    /// Reads or writes local memory without taking time: for preparing and checking, not for modelled work.
    virtual void peek(std::uint64_t address, std::span<std::byte> into) const = 0;
    virtual void poke(std::uint64_t address, std::span<const std::byte> from) = 0;

    /// Gives the processor its program; it starts when the simulation does. @pre none was given before
    virtual void run(Task<> program, std::string name) = 0;
    virtual bool finished() const = 0;

protected:
    virtual void begin(const StoreRequest& request) = 0;
    virtual void begin(const LoadRequest& request) = 0;
    virtual void begin(const PollRequest& request) = 0;
    virtual void begin(const PollAnyRequest& request) = 0;
    virtual void begin(BarrierRequest request) = 0;
    virtual void begin(FlushRequest request) = 0;
    virtual void begin(InterruptRequest request) = 0;
    virtual void begin(const DmaRequest& request) = 0;
    virtual void begin(Duration span) = 0;
    /// Overridden by a processor that tells it from other computing.
    virtual void begin_library(Duration cost) { begin(cost); }
    virtual Duration library_cost() const = 0;

    std::coroutine_handle<> program_{};
    std::uint32_t found_ = 0;  // what poll_any returns

private:
    void begin(const LibraryCall& call) { begin_library(call.cost); }
};

}  // namespace ringmesh
