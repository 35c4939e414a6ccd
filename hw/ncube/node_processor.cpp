// SPDX-License-Identifier: Apache-2.0
#include "hw/ncube/node_processor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tlm/error.h"
#include "tlm/statistics/activity.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::hw {

NcubeNodeProcessor::NcubeNodeProcessor(const sc_core::sc_module_name& module_name, Simulation& simulation,
                                       const NcubeNodeParams& params, unsigned rank, Memory& memory,
                                       NcubeMemoryPort& port, NodeStop* stop)
    : sc_module(module_name),
      simulation_(simulation),
      params_(params),
      rank_(rank),
      clock_(params.processor.clock),
      clock_ps_(clock_.period_ps()),
      memory_(memory),
      port_(port),
      random_(simulation.random_for(name())),
      faults_(NcubeProcessorFaults::of(name(), simulation.faults(), stop)),
      program_runner_(simulation, *this)
{
    port.connect([this] { advance(); }, [this] { plan(); });
    simulation.add(*this);
}

Duration NcubeNodeProcessor::time() const { return now(); }

void NcubeNodeProcessor::run(Task<> program, std::string name)
{
    program_runner_.give(std::move(program), std::move(name));
    program_context_.state = State::kWorking;
    wakeup_.at(now());
}

void NcubeNodeProcessor::serve_interrupts(InterruptService& service)
{
    if (service_ != nullptr) throw ModelError(fmt::format("{} already has an operating system", name()));
    service_ = &service;
}

void NcubeNodeProcessor::send(unsigned channel, std::uint64_t address, std::uint32_t size, std::uint64_t message)
{
    channels_->send(channel, address, size, message);
}

void NcubeNodeProcessor::send_control(unsigned channel, const ncube::ControlWord& word, std::uint32_t size,
                                      std::uint64_t message)
{
    channels_->send_control(channel, word, size, message);
}

void NcubeNodeProcessor::expect(unsigned channel, std::uint64_t address, std::uint32_t size)
{
    channels_->expect(channel, address, size);
}

void NcubeNodeProcessor::interrupted(const ChannelInterrupt& interrupt)
{
    if (faults_ != nullptr && loses(interrupt)) return;
    const bool alone = interrupts_.empty() && !in_handler_;
    if (alone) {
        interrupt_at_ = now();
        if (program_context_.state == State::kWorking) {
            const auto longest = static_cast<std::uint64_t>(cycles(params_.processor.longest_instruction).ps());
            if (longest > 0) interrupt_at_ += Duration::picoseconds(static_cast<std::int64_t>(random_.below(longest)));
        }
    }
    interrupts_.push_back({interrupt, now(), alone});
    if (!in_handler_) wakeup_.at(interrupt_at_);
}

/// By a fault.
bool NcubeNodeProcessor::loses(const ChannelInterrupt& interrupt)
{
    if (faults_->stopped(now())) return true;
    if (!faults_->loses_interrupt(now(), interrupt.message)) return false;
    simulation_.report(handlers_, "interrupt lost", interrupt.message, now(), now());
    return true;
}

/// Accounts for the work since the last call, at the speed since then.
void NcubeNodeProcessor::advance()
{
    const Duration present = now();
    const Duration elapsed = present - since_;
    since_ = present;
    if (elapsed == Duration::zero()) return;
    Context& context = in_handler_ ? handler_context_ : program_context_;
    if (context.state != State::kWorking) return;
    const double clocks = static_cast<double>(elapsed.ps()) / clock_ps_;
    // Picoseconds are rounded: at the end all of it is done
    const double done = present >= end_ ? context.left : std::min(context.left, clocks * port_.speed(code_of(context)));
    context.left -= done;
    lost_clocks_ += clocks - std::min(done, clocks);
    (in_handler_ ? handler_clocks_ : context.system ? system_clocks_ : program_clocks_) += done;
}

/// Schedules the end of the current work. Call it after advance(), when the work or the speed has changed.
void NcubeNodeProcessor::plan()
{
    const Context& context = in_handler_ ? handler_context_ : program_context_;
    end_ = Duration::never();
    if (context.state != State::kWorking) return;
    end_ = since_ + Duration::picoseconds(
                        static_cast<std::int64_t>(std::ceil(context.left * clock_ps_ / port_.speed(code_of(context)))));
    if (!running_) wakeup_.at(end_);
}

bool NcubeNodeProcessor::due() const { return end_ <= now(); }

void NcubeNodeProcessor::step()
{
    ++wakeups_;
    wakeup_.taken(now());
    if (faults_ != nullptr && faults_->stopped(now())) return;
    advance();
    running_ = true;
    try {
        for (;;) {
            plan();
            if (in_handler_) {
                if (!due()) break;
                continue_handler();
            } else if (!interrupts_.empty() &&
                       (interrupt_at_ <= now() || program_context_.state != State::kWorking || due())) {
                start_handler();
            } else if (program_context_.state == State::kWorking && due()) {
                resume_program();
            } else {
                break;
            }
        }
    } catch (...) {
        program_runner_.fail();
    }
    running_ = false;
    show();
    if (end_ != Duration::never()) wakeup_.at(end_);
    if (!in_handler_ && !interrupts_.empty()) wakeup_.at(interrupt_at_);
}

void NcubeNodeProcessor::resume_program()
{
    program_context_.left = 0;
    report_work(program_context_, *this);
    if (program_runner_.resume(program_context_.resume)) program_context_.state = State::kIdle;
}

void NcubeNodeProcessor::start_handler()
{
    if (service_ == nullptr) {
        throw ModelError(fmt::format("{}: an interrupt came and there is no operating system", name()));
    }
    ++interrupts_taken_;
    in_handler_ = true;
    handler_began_ = now();
    if (program_context_.state == State::kWorking) report_work(program_context_, *this);
    handler_context_ = {};
    const Interrupt interrupt = interrupts_.pop_front();
    // What has left does not wait for this
    if (interrupt.from.kind != ChannelInterrupt::Kind::kOutput) {
        simulation_.report_wait(handlers_, interrupt.alone ? "end of the instruction" : "behind others",
                                interrupt.from.message, interrupt.since, now(), interrupt.alone ? 0 : served_);
    }
    served_ = interrupt.from.message;
    handler_ = service_->serve(interrupt.from);
    handler_.start();
    if (handler_.done()) continue_handler();
}

void NcubeNodeProcessor::continue_handler()
{
    if (!handler_.done()) {
        handler_context_.left = 0;
        report_work(handler_context_, handlers_);
        handler_context_.state = State::kIdle;
        std::exchange(handler_context_.resume, {}).resume();
        if (!handler_.done()) return;
    }
    handler_.result();
    handler_ = {};
    in_handler_ = false;
    interrupt_at_ = now();
    handler_time_.add(now() - handler_began_);
    const bool stopped = program_context_.state == State::kWorking && !program_context_.what.empty();
    if (stopped && program_context_.message != 0) {
        simulation_.report_wait(*this, "interrupted", program_context_.message, program_context_.began, now(), served_);
    }
    program_context_.began = now();
}

/// The part of its work that is done, up to now.
void NcubeNodeProcessor::report_work(Context& context, const Component& where)
{
    if (!context.what.empty()) simulation_.report(where, context.what, context.message, context.began, now());
    context.began = now();
}

void NcubeNodeProcessor::begin_work(double clocks, bool system, std::string_view what, std::uint64_t message)
{
    Context& context = in_handler_ ? handler_context_ : program_context_;
    context.resume = std::exchange(program_, {});
    context.state = State::kWorking;
    context.system = system;
    context.left = clocks;
    context.what = what;
    context.message = message;
    context.began = now();
}

void NcubeNodeProcessor::begin(const WorkRequest& request)
{
    begin_work(static_cast<double>(request.clocks.count()), request.system, request.what, request.message);
}

void NcubeNodeProcessor::begin(const ComputeRequest& request)
{
    simulation_.works_until(now() + request.span);
    begin_work(static_cast<double>(request.span.ps()) / clock_ps_, false, request.what);
}

void NcubeNodeProcessor::begin(WaitRequest)
{
    if (in_handler_) throw ModelError(fmt::format("{}: a handler waits", name()));
    program_context_.resume = std::exchange(program_, {});
    program_context_.state = State::kWaiting;
    program_context_.what = {};
}

void NcubeNodeProcessor::wake()
{
    if (program_context_.state != State::kWaiting) return;
    program_context_.state = State::kWorking;
    program_context_.left = 0;
}

void NcubeNodeProcessor::access_memory(std::uint32_t size)
{
    const std::int64_t words = (std::int64_t{size} + 3) / 4;
    const Cycles each = params_.processor.instruction + params_.memory.access * 2;
    begin_work(static_cast<double>((each * words).count()), false, "memory");
}

void NcubeNodeProcessor::begin(const StoreRequest& request)
{
    memory_.write(request.address, {request.data, request.size});
    access_memory(request.size);
}

void NcubeNodeProcessor::begin(const LoadRequest& request)
{
    memory_.read(request.address, {request.data, request.size});
    access_memory(request.size);
}

void NcubeNodeProcessor::show()
{
    state_word_ = std::string_view(in_handler_                                 ? "interrupt"
                                   : program_context_.state == State::kWaiting ? "waiting"
                                   : program_context_.state == State::kIdle    ? "idle"
                                   : program_context_.system                   ? "system"
                                                                               : "program");
}

void NcubeNodeProcessor::places(PlaceVisitor& visitor) const
{
    static constexpr std::array<std::string_view, 2> kNoWork{"idle", "waiting"};
    visitor.state("state", "processor", state_word_, kNoWork);
}

void NcubeNodeProcessor::trace(sc_core::sc_trace_file* file) const
{
    trace_signal(file, state_word_, std::string(name()) + ".state",
                 {"what the processor does: an interrupt's handler, waiting for one, a system call, the program itself",
                  "idle, program, system, interrupt, waiting", SignalPlace::kProgram});
    trace_signal(file, in_handler_, std::string(name()) + ".interrupt_service",
                 {"whether a handler of a channel's interrupt runs", "0, 1", SignalPlace::kProgram});
}

void NcubeNodeProcessor::statistics(StatisticsVisitor& visitor) const
{
    const auto clocks = [&visitor](std::string_view name, double value, std::string_view sentence) {
        visitor.value(name, value, "clocks", sentence);
    };
    clocks("program_clocks", program_clocks_, "processor time of the program");
    clocks("system_clocks", system_clocks_, "processor time of the program's system calls");
    clocks("interrupt_clocks", handler_clocks_, "processor time of interrupt handlers");
    clocks("lost_clocks", lost_clocks_, "clocks in which the processor stalled because DMA used the memory");
    visitor.counter("interrupts", interrupts_taken_, "interrupts", "interrupts of the channels that were served");
    visitor.time("interrupt_service", handler_time_, "time in interrupt handlers");
    visitor.counter("wakeups", wakeups_, "events", "simulation events of this block");
    if (faults_ != nullptr) faults_->statistics(visitor);
}

std::string NcubeNodeProcessor::pending() const
{
    if (faults_ != nullptr && faults_->has_stopped()) {
        const auto unfinished = program_runner_.pending();
        return unfinished.empty() ? "" : fmt::format("the node has stopped; {}", unfinished);
    }
    const bool unserved = !interrupts_.empty() || in_handler_;
    const bool waits = program_context_.state == State::kWaiting && service_ != nullptr;
    auto program = waits ? program_runner_.pending("waits in " + service_->waiting_for()) : program_runner_.pending();
    if (!unserved) return program;
    return program + (program.empty() ? "" : "; ") + "an interrupt is not served";
}

}  // namespace ringmesh::hw
