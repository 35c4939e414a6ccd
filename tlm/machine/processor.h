// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tlm/error.h"
#include "tlm/machine/placement.h"
#include "tlm/machine/task.h"
#include "tlm/units/units.h"

/// The interface of a processor for programs: what they may await.
namespace ringmesh {

/// Requests of a program to its processor. All are trivially copyable: g++ 12 would destroy others twice.
/// How software writes to memory behind an I/O bus, which determines the bus transactions.
enum class StoreKind : std::uint8_t {
    kSingle,  ///< assignments of up to 8 bytes: one transaction per dword
    kMemcpy,  ///< the C library's copy loop: the bridge gathers by its parameters
    kMmx,     ///< consecutive 8-byte MMX stores: the bridge gathers whole bursts
};

struct StoreRequest {
    StoreKind kind = StoreKind::kSingle;
    std::uint64_t address = 0;
    const std::byte* data = nullptr;  ///< must live until the store returns
    std::uint32_t size = 0;
    std::uint32_t width = 4;  ///< bytes of each store instruction if the kind does not set it: 1, 2, 4 or 8
};

struct LoadRequest {
    std::uint64_t address = 0;
    std::byte* data = nullptr;  ///< must live until the load returns
    std::uint32_t size = 0;
    std::uint32_t width = 4;  ///< bytes of each load instruction that reads remote memory: 1, 2, 4 or 8
};

/// Number of load instructions for so many bytes from a multiple of the width on; the rest takes narrower ones.
constexpr std::uint32_t load_instructions(std::uint32_t size, std::uint32_t width)
{
    return size / width + static_cast<std::uint32_t>(std::popcount(size % width));
}

/// Wait until `size` bytes (1, 2, 4 or 8) at a local address equal `value` (little endian).
struct PollRequest {
    std::uint64_t address = 0;
    std::uint32_t size = 0;
    std::uint64_t value = 0;
    bool until_other = false;  ///< wait until they differ from it instead
};

/// Wait until one of several locations matches.
struct PollAnyRequest {
    const PollRequest* places = nullptr;  ///< must live until the poll returns
    std::uint32_t count = 0;              ///< at least 1
};

/// Wait until somebody outside of the machine calls the processor.
struct CallRequest {};

/// Compute for a time without touching memory.
struct ComputeRequest {
    Duration span = {};
    std::string_view what = "computing";  ///< as `explain` names it; the text must outlive the run
};

/// A processor as software sees it. Each runs one program; each operation takes simulated time, and bytes are really
/// transferred. Addresses are the processor's own. Capabilities of some processors are in derived classes.
class Processor {
public:
    /// Suspends the program until the processor has completed the request.
    template <class SomeProcessor, class Request>
    struct Operation {
        static_assert(std::is_trivially_copyable_v<Request>, "g++ 12 would destroy it twice");
        SomeProcessor& processor;
        Request request;
        bool await_ready() const noexcept { return false; }
        bool await_suspend(std::coroutine_handle<> program)
        {
            processor.program_ = program;
            processor.begin(request);
            return !processor.done_at_once();
        }
        void await_resume() const noexcept {}
    };

    virtual ~Processor() = default;

    /// Returns when the last byte has left the processor, before it has arrived at its target.
    Operation<Processor, StoreRequest> store(const StoreRequest& request) { return {*this, request}; }
    /// Returns when the bytes have arrived. Remote memory is read by serial load instructions.
    Operation<Processor, LoadRequest> load(const LoadRequest& request) { return {*this, request}; }
    Operation<Processor, ComputeRequest> compute(Duration span) { return {*this, {span}}; }
    Operation<Processor, ComputeRequest> compute(const ComputeRequest& request) { return {*this, request}; }

    /// Its number in the machine.
    virtual unsigned node() const = 0;
    /// The number of its program; without a placement, that of the node.
    unsigned rank() const { return placement_ == nullptr ? node() : rank_; }
    /// The node of another rank of that program.
    unsigned node_of(unsigned rank) const { return placement_ == nullptr ? rank : placement_->node(rank); }
    /// That program's rank of a node, Placement::kNone if it has none there.
    unsigned rank_on(unsigned node) const { return placement_ == nullptr ? node : placement_->rank_on(node); }
    /// @param placement outlives the run
    void place(const Placement& placement, unsigned rank)
    {
        placement_ = &placement;
        rank_ = rank;
    }
    virtual Duration time() const = 0;
    virtual Clock clock() const = 0;
    /// Processor cycles as time.
    Duration cycles(Cycles count) const { return count * clock(); }

    /// Untimed access to memory as this processor sees it: for set-up and checks, not for modelled work.
    virtual void peek(std::uint64_t address, std::span<std::byte> into) const = 0;
    virtual void poke(std::uint64_t address, std::span<const std::byte> from) = 0;

    /// Sets the processor's program; it starts with the simulation. @pre none was given before
    virtual void run(Task<> program, std::string name) = 0;
    virtual bool finished() const = 0;

protected:
    virtual void begin(const StoreRequest& request) = 0;
    virtual void begin(const LoadRequest& request) = 0;
    virtual void begin(const ComputeRequest& request) = 0;

    std::coroutine_handle<> program_{};
    bool done_in_begin_ = false;  // the request completed in begin(): the program continues without suspension

private:
    const Placement* placement_ = nullptr;
    unsigned rank_ = 0;

    bool done_at_once() { return std::exchange(done_in_begin_, false); }
};

/// A processor whose memory can be written by others, so that a program can poll it.
class PollingProcessor : public Processor {
public:
    /// Returns the index of the location that ended the poll, the first of several.
    struct PollAnyOperation : Operation<PollingProcessor, PollAnyRequest> {
        std::uint32_t await_resume() const noexcept { return processor.found_; }
    };

    Operation<PollingProcessor, PollRequest> poll(const PollRequest& request) { return {*this, request}; }
    PollAnyOperation poll_any(const PollAnyRequest& request) { return {{*this, request}}; }
    Operation<PollingProcessor, CallRequest> await_call() { return {*this, {}}; }
    /// Ends await_call() now, or the next one if the program does not wait: for models that are no part of a machine
    /// (hw/ports/processor_port.h). Takes no time. @throws ModelError if this processor has no such line
    virtual void call() { throw ModelError("this processor cannot be called from outside"); }

protected:
    using Processor::begin;
    /// The locations live until the poll has returned.
    virtual void begin(const PollAnyRequest& request) = 0;
    void begin(const PollRequest& request) { begin(PollAnyRequest{&request, 1}); }
    /// The program waits for call().
    virtual void attend() { throw ModelError("this processor cannot be called from outside"); }
    void begin(CallRequest) { attend(); }

    std::uint32_t found_ = 0;  // the result of poll_any

    template <class SomeProcessor, class Request>
    friend struct Processor::Operation;
};

}  // namespace ringmesh
