// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tlm/machine/processor.h"
#include "tlm/ncube/channel.h"

namespace ringmesh {

/// An interrupt of a channel.
struct ChannelInterrupt {
    enum class Kind : std::uint8_t {
        kControl,  ///< a control word has come
        kInput,    ///< all bytes that `expect` asked for are in memory
        kOutput,   ///< all bytes of a `send` have left
        kError,    ///< a control word or data had a parity error, in place of their interrupt
    };
    Kind kind = Kind::kControl;
    unsigned channel = 0;
    std::uint64_t message = 0;     ///< the transfer's id
    ncube::ControlWord control{};  ///< of kControl
};

/// The interrupt handlers of an operating system. They run on the node's processor, one at a time, and suspend the
/// program.
class InterruptService {
public:
    virtual ~InterruptService() = default;
    /// A handler; it may await work() alone. It runs until it returns.
    virtual Task<> serve(ChannelInterrupt interrupt) = 0;
    /// What the program waits for, for deadlock messages: "nread: a message of type 256 from node 3".
    virtual std::string waiting_for() const = 0;
};

/// Processor time: so many clocks without other use of the memory. Interrupts and stolen memory cycles stretch it.
struct WorkRequest {
    Cycles clocks;
    bool system = false;             ///< of the operating system, for statistics and waveforms
    std::string_view what = "work";  ///< a literal, for explain
    std::uint64_t message = 0;       ///< number of the message that it is done for; 0: none
};

/// Until wake().
struct WaitRequest {};

/// A node of an NCUBE as the software on it sees it: one program, interrupted by handlers, and channels with DMA.
/// compute() is processor time as well. Addresses are those of the node's own memory, which no other node can access,
/// so there is no poll.
class NcubeProcessor : public Processor {
public:
    Operation<NcubeProcessor, WorkRequest> work(const WorkRequest& request) { return {*this, request}; }
    /// For the program only. @pre nothing was awaited since the program checked its condition
    Operation<NcubeProcessor, WaitRequest> wait() { return {*this, {}}; }
    /// Ends the program's wait, if any; it resumes when the handlers have returned. For handlers.
    virtual void wake() = 0;

    /// Installs the interrupt handlers. @pre called once; `service` outlives the run
    virtual void serve_interrupts(InterruptService& service) = 0;

    /// Channel pairs: the lowest ones are the cube's dimensions, the last one is the host's.
    virtual unsigned channels() const = 0;
    /// Queues a DMA transfer on an output channel. Its bytes must stay in memory until the interrupt kOutput.
    virtual void send(unsigned channel, std::uint64_t address, std::uint32_t size, std::uint64_t message) = 0;
    /// Sends a control word of so many bytes on the wire; no interrupt follows here.
    virtual void send_control(unsigned channel, const ncube::ControlWord& word, std::uint32_t size,
                              std::uint64_t message) = 0;
    /// Sets the address of an input channel's next data. Data on a channel without one are lost (ModelError).
    virtual void expect(unsigned channel, std::uint64_t address, std::uint32_t size) = 0;

    virtual std::uint64_t memory_bytes() const = 0;

    template <class SomeProcessor, class Request>
    friend struct Processor::Operation;

protected:
    using Processor::begin;
    virtual void begin(const WorkRequest& request) = 0;
    virtual void begin(WaitRequest request) = 0;
};

}  // namespace ringmesh
