// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <systemc>

#include "hw/memory.h"
#include "hw/ncube/channel_unit.h"
#include "hw/ncube/faults/processor_faults.h"
#include "hw/ncube/memory_port.h"
#include "hw/ncube/params.h"
#include "tlm/machine/program_runner.h"
#include "tlm/ncube/ncube_processor.h"
#include "tlm/pools/ring_buffer.h"
#include "tlm/simulation/simulation.h"
#include "tlm/statistics/component.h"
#include "tlm/statistics/shown.h"
#include "tlm/time/wakeup.h"

namespace ringmesh::hw {

/// The processor of an NCUBE node: one program, and the handlers of the channels' interrupts, which suspend it.
///
/// Timing: work is in processor clocks and runs at the speed given by the memory port. An interrupt waits for the end
/// of the program's instruction (uniformly distributed up to `longest_instruction`), but not on an idle processor; a
/// handler runs to its end, other interrupts wait FCFS. After the last handler the program resumes. Not modelled:
/// priorities of interrupts, effects of handlers on the fetch queue.
class NcubeNodeProcessor final : public sc_core::sc_module, public NcubeProcessor, public Component {
public:
    NcubeNodeProcessor(const sc_core::sc_module_name& name, Simulation& simulation, const NcubeNodeParams& params,
                       unsigned rank, Memory& memory, NcubeMemoryPort& port, NodeStop* stop = nullptr);

    void connect(NcubeChannelUnit& channels) { channels_ = &channels; }
    /// The interrupt line.
    void interrupted(const ChannelInterrupt& interrupt);

    unsigned node() const override { return rank_; }
    Duration time() const override;
    Clock clock() const override { return clock_; }
    void peek(std::uint64_t address, std::span<std::byte> into) const override { memory_.read(address, into); }
    void poke(std::uint64_t address, std::span<const std::byte> from) override { memory_.write(address, from); }
    void run(Task<> program, std::string name) override;
    bool finished() const override { return program_runner_.finished(); }

    void wake() override;
    void serve_interrupts(InterruptService& service) override;
    unsigned channels() const override { return channels_->channels(); }
    void send(unsigned channel, std::uint64_t address, std::uint32_t size, std::uint64_t message) override;
    void send_control(unsigned channel, const ncube::ControlWord& word, std::uint32_t size,
                      std::uint64_t message) override;
    void expect(unsigned channel, std::uint64_t address, std::uint32_t size) override;
    std::uint64_t memory_bytes() const override { return memory_.size(); }
    /// Simulation events of this block.
    std::uint64_t wakeups() const { return wakeups_.count(); }
    unsigned armed_wakeups() const { return static_cast<unsigned>(wakeup_.armed()); }

    void trace(sc_core::sc_trace_file* file) const override;
    std::string component_name() const override { return name(); }
    void statistics(StatisticsVisitor& visitor) const override;
    void places(PlaceVisitor& visitor) const override;
    std::string pending() const override;

protected:
    void begin(const StoreRequest& request) override;
    void begin(const LoadRequest& request) override;
    void begin(const ComputeRequest& request) override;
    void begin(const WorkRequest& request) override;
    void begin(WaitRequest request) override;

private:
    enum class State : std::uint8_t { kIdle, kWorking, kWaiting };
    /// A running or suspended coroutine: the program, or a handler.
    struct Context {
        State state = State::kIdle;
        bool system = false;
        double left = 0;            // processor clocks
        std::string_view what;      // the work
        std::uint64_t message = 0;  // for which it is done
        Duration began;             // since when it runs without interruption
        std::coroutine_handle<> resume{};
    };
    struct Interrupt {
        ChannelInterrupt from;
        Duration since;
        bool alone = false;  // it waits for the end of an instruction, not for handlers
    };
    /// The processor while it serves interrupts, as the place of a stage: a handler does not follow from the work that
    /// it stopped.
    class Handlers final : public Component {
    public:
        explicit Handlers(const NcubeNodeProcessor& processor) : processor_(processor) {}
        std::string component_name() const override { return std::string(processor_.name()) + ".handlers"; }
        void statistics(StatisticsVisitor&) const override {}
        std::string pending() const override { return ""; }

    private:
        const NcubeNodeProcessor& processor_;
    };

    static PortCode code_of(const Context& context) { return context.system ? PortCode::kSystem : PortCode::kProgram; }
    void step();
    void advance();
    void plan();
    bool due() const;
    void begin_work(double clocks, bool system, std::string_view what, std::uint64_t message = 0);
    void report_work(Context& context, const Component& where);
    void access_memory(std::uint32_t size);
    void resume_program();
    [[gnu::cold]] bool loses(const ChannelInterrupt& interrupt);
    void start_handler();
    void continue_handler();
    void show();

    Simulation& simulation_;
    const NcubeNodeParams params_;
    const unsigned rank_;
    const Clock clock_;
    const double clock_ps_;
    Memory& memory_;
    NcubeMemoryPort& port_;
    NcubeChannelUnit* channels_ = nullptr;
    InterruptService* service_ = nullptr;
    Random random_;

    Wakeup wakeup_{wakes<&NcubeNodeProcessor::step>(simulation_.calendar(), *this)};
    Context program_context_, handler_context_;
    const Handlers handlers_{*this};
    Shown<bool> in_handler_;
    bool running_ = false;              // a coroutine is being resumed
    Duration since_;                    // work is accounted for up to this time
    Duration end_ = Duration::never();  // end of the current work at the current speed
    Duration interrupt_at_;             // when the first waiting interrupt may stop the program
    RingBuffer<Interrupt> interrupts_;
    std::uint64_t served_ = 0;  // message of the interrupt that was served last
    Duration handler_began_;

    StateWord state_word_;
    double program_clocks_ = 0, system_clocks_ = 0, handler_clocks_ = 0, lost_clocks_ = 0;
    const std::unique_ptr<NcubeProcessorFaults> faults_;  // null if there are none
    Counter interrupts_taken_, wakeups_;
    BusyTime handler_time_;

    Task<> handler_;
    ProgramRunner program_runner_;  // last
};

}  // namespace ringmesh::hw
