// SPDX-License-Identifier: Apache-2.0
#include "hw/ncube/node_processor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tlm/activity.h"
#include "tlm/error.h"
#include "tlm/kernel_time.h"

namespace ringmesh::hw {

NodeProcessor::NodeProcessor(const sc_core::sc_module_name& module_name, Simulation& simulation,
                             const NcubeNodeParams& params, unsigned rank, Memory& memory, MemoryPort& port)
    : sc_module(module_name),
      simulation_(simulation),
      params_(params),
      rank_(rank),
      clock_(params.processor.clock),
      clock_ps_(1e12 / static_cast<double>(params.processor.clock.hz())),
      memory_(memory),
      port_(port),
      random_(simulation.random_for(name()))
{
    port.connect([this] { advance(); }, [this] { plan(); });
    SC_METHOD(step);
    sensitive << wakeup_.event();
    dont_initialize();
    simulation.add(*this);
}

Duration NodeProcessor::time() const { return now(); }

void NodeProcessor::run(Task<> program, std::string name)
{
    if (program_given_) throw ModelError(fmt::format("{} already has a program", this->name()));
    program_given_ = true;
    task_ = std::move(program);
    program_name_ = std::move(name);
    program_context_.state = State::kWorking;
    wakeup_.at(now());
}

void NodeProcessor::serve_interrupts(InterruptService& service)
{
    if (service_ != nullptr) throw ModelError(fmt::format("{} already has an operating system", name()));
    service_ = &service;
}

void NodeProcessor::send(unsigned channel, std::uint64_t address, std::uint32_t size, std::uint64_t message)
{
    channels_->send(channel, address, size, message);
}

void NodeProcessor::send_control(unsigned channel, const ncube::ControlWord& word, std::uint32_t size,
                                 std::uint64_t message)
{
    channels_->send_control(channel, word, size, message);
}

void NodeProcessor::expect(unsigned channel, std::uint64_t address, std::uint32_t size)
{
    channels_->expect(channel, address, size);
}

void NodeProcessor::interrupted(const ChannelInterrupt& interrupt)
{
    if (interrupts_.empty() && !in_handler_) {
        interrupt_at_ = now();
        if (program_context_.state == State::kWorking) {
            const auto longest = static_cast<std::uint64_t>(cycles(params_.processor.longest_instruction).ps());
            if (longest > 0) interrupt_at_ += Duration::picoseconds(static_cast<std::int64_t>(random_.below(longest)));
        }
    }
    interrupts_.push_back(interrupt);
    if (!in_handler_) wakeup_.at(interrupt_at_);
}

/// What was done since it was last asked, at the speed that held.
void NodeProcessor::advance()
{
    const Duration present = now();
    const Duration elapsed = present - since_;
    since_ = present;
    if (elapsed == Duration::zero()) return;
    Context& context = in_handler_ ? handler_context_ : program_context_;
    if (context.state != State::kWorking) return;
    const double clocks = static_cast<double>(elapsed.ps()) / clock_ps_;
    // Picoseconds are rounded: at the end all of it is done
    const double done = present >= end_ ? context.left : std::min(context.left, clocks * port_.speed());
    context.left -= done;
    lost_clocks_ += clocks - std::min(done, clocks);
    (in_handler_ ? handler_clocks_ : context.system ? system_clocks_ : program_clocks_) += done;
}

/// When the present work will be done. To be called after advance(), when the work or the speed has changed.
void NodeProcessor::plan()
{
    const Context& context = in_handler_ ? handler_context_ : program_context_;
    end_ = Duration::never();
    if (context.state != State::kWorking) return;
    end_ =
        since_ + Duration::picoseconds(static_cast<std::int64_t>(std::ceil(context.left * clock_ps_ / port_.speed())));
    if (!running_) wakeup_.at(end_);
}

bool NodeProcessor::due() const { return end_ <= now(); }

void NodeProcessor::step()
{
    ++wakeups_;
    wakeup_.taken(now());
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
        simulation_.fail(std::current_exception());
    }
    running_ = false;
    show();
    if (end_ != Duration::never()) wakeup_.at(end_);
    if (!in_handler_ && !interrupts_.empty()) wakeup_.at(interrupt_at_);
}

void NodeProcessor::resume_program()
{
    program_context_.left = 0;
    if (program_context_.resume) {
        std::exchange(program_context_.resume, {}).resume();
    } else {
        task_.start();
    }
    if (!task_.done()) return;
    program_context_.state = State::kIdle;
    task_.result();
}

void NodeProcessor::start_handler()
{
    if (service_ == nullptr) {
        throw ModelError(fmt::format("{}: an interrupt came and there is no operating system", name()));
    }
    ++interrupts_taken_;
    in_handler_ = true;
    handler_began_ = now();
    handler_context_ = {};
    handler_ = service_->serve(interrupts_.pop_front());
    handler_.start();
    if (handler_.done()) continue_handler();
}

void NodeProcessor::continue_handler()
{
    if (!handler_.done()) {
        handler_context_.left = 0;
        handler_context_.state = State::kIdle;
        std::exchange(handler_context_.resume, {}).resume();
        if (!handler_.done()) return;
    }
    handler_.result();
    handler_ = {};
    in_handler_ = false;
    interrupt_at_ = now();
    handler_time_.add(now() - handler_began_);
    simulation_.report(*this, "interrupt", 0, handler_began_, now());
}

void NodeProcessor::begin_work(double clocks, bool system)
{
    Context& context = in_handler_ ? handler_context_ : program_context_;
    context.resume = std::exchange(program_, {});
    context.state = State::kWorking;
    context.system = system;
    context.left = clocks;
}

void NodeProcessor::begin(const WorkRequest& request)
{
    begin_work(static_cast<double>(request.clocks.count()), request.system);
}

void NodeProcessor::begin(Duration span)
{
    simulation_.works_until(now() + span);
    begin_work(static_cast<double>(span.ps()) / clock_ps_, false);
}

void NodeProcessor::begin(WaitRequest)
{
    if (in_handler_) throw ModelError(fmt::format("{}: a handler waits", name()));
    program_context_.resume = std::exchange(program_, {});
    program_context_.state = State::kWaiting;
}

void NodeProcessor::wake()
{
    if (program_context_.state != State::kWaiting) return;
    program_context_.state = State::kWorking;
    program_context_.left = 0;
}

void NodeProcessor::access_memory(std::uint32_t size)
{
    const std::int64_t words = (std::int64_t{size} + 3) / 4;
    begin_work(static_cast<double>(words * params_.processor.memory_access.count()), false);
}

void NodeProcessor::begin(const StoreRequest& request)
{
    memory_.write(request.address, {request.data, request.size});
    access_memory(request.size);
}

void NodeProcessor::begin(const LoadRequest& request)
{
    memory_.read(request.address, {request.data, request.size});
    access_memory(request.size);
}

void NodeProcessor::show()
{
    state_word_ = in_handler_                                 ? "interrupt"
                  : program_context_.state == State::kWaiting ? "waiting"
                  : program_context_.state == State::kIdle    ? "idle"
                  : program_context_.system                   ? "system"
                                                              : "program";
}

void NodeProcessor::trace(sc_core::sc_trace_file* file) const
{
    trace_word(file, state_word_, std::string(name()) + ".state");
    sc_core::sc_trace(file, in_handler_, std::string(name()) + ".interrupt_service");
}

void NodeProcessor::statistics(StatisticsVisitor& visitor) const
{
    const auto clocks = [&visitor](std::string_view name, double value, std::string_view sentence) {
        visitor.value(name, value, "clocks", sentence);
    };
    clocks("program_clocks", program_clocks_, "processor time of the program");
    clocks("system_clocks", system_clocks_, "processor time of the program's system calls");
    clocks("interrupt_clocks", handler_clocks_, "processor time of interrupt handlers");
    clocks("lost_clocks", lost_clocks_, "clocks in which the processor stood still because DMA had the memory");
    visitor.counter("interrupts", interrupts_taken_, "interrupts", "interrupts of the channels that were served");
    visitor.time("interrupt_service", handler_time_, "time in interrupt handlers");
    visitor.counter("wakeups", wakeups_, "events", "events of the simulation that this block took");
}

std::string NodeProcessor::pending() const
{
    const bool unserved = !interrupts_.empty() || in_handler_;
    if (!program_given_ || task_.done()) return unserved ? "an interrupt is not served" : "";
    const bool waits = program_context_.state == State::kWaiting && service_ != nullptr;
    return fmt::format("{} {}{}", program_name_, waits ? "waits in " + service_->waiting_for() : "has not finished",
                       unserved ? "; an interrupt is not served" : "");
}

}  // namespace ringmesh::hw
