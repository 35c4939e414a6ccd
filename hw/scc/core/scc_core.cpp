// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/core/scc_core.h"

#include <fmt/format.h>

#include <bit>

#include "hw/scc/address_map.h"
#include "hw/scc/tile/configuration_registers.h"
#include "tlm/error.h"

namespace ringmesh::hw {

SccCore::SccCore(const sc_core::sc_module_name& module_name, Simulation& simulation, const Config& config,
                 const LookUpTable& table, CorePort& port, ChipBytes& chip)
    : sc_module(module_name),
      simulation_(simulation),
      config_(config),
      chip_(chip),
      pages_(config.rank, config.core.memory, config.core.page_placement,
             simulation.random_for(std::string(name()) + ".pages")),
      unit_(simulation, *this, config.rank, config.place, config.cycle, config.core, table, port, chip, pages_,
            simulation.random_for(name()))
{
    const unsigned tiles = (config.cores + 1) / 2;
    if (tiles > address_map::kMostTiles) {
        throw UserError(
            fmt::format("{} cores: their addresses have room for {}", config.cores, 2 * address_map::kMostTiles));
    }
    constexpr std::uint32_t kBuffers = 2 * kMessageBuffer;
    for (unsigned tile = 0; tile < tiles; ++tile) {
        pages_.map(address_map::message_buffer(2 * tile),
                   address_map::entry_address(address_map::kMessageBufferEntry + tile), kBuffers,
                   PageKind::kMessageBuffer);
        pages_.map(address_map::kRegisters + tile * address_map::kRegisterPage,
                   address_map::entry_address(address_map::kRegisterEntry + tile), address_map::kRegisterPage,
                   PageKind::kUncached);
    }
    SC_METHOD(wake);
    sensitive << wakeup_.event();
    dont_initialize();
    simulation.add(*this);
}

std::uint64_t SccCore::message_buffer(unsigned core, std::uint32_t offset) const
{
    if (core >= config_.cores) {
        throw UserError(
            fmt::format("core {}: there is no core {}, whose message-passing buffer is wanted; the chip has {}",
                        config_.rank, core, config_.cores));
    }
    if (offset >= kMessageBuffer) {
        throw UserError(fmt::format("core {}: offset {:#x} lies outside core {}'s message-passing buffer of {} bytes",
                                    config_.rank, offset, core, kMessageBuffer));
    }
    return address_map::message_buffer(core) + offset;
}

std::uint64_t SccCore::test_and_set(unsigned core) const
{
    if (core >= config_.cores) {
        throw UserError(
            fmt::format("core {}: there is no core {}, whose test-and-set register is wanted; the chip has {}",
                        config_.rank, core, config_.cores));
    }
    return address_map::kRegisters + core / 2 * address_map::kRegisterPage +
           ConfigurationRegisters::kTestAndSet[core % 2];
}

void SccCore::run(Task<> program, std::string name)
{
    if (program_given_) throw ModelError(fmt::format("{} already has a program", this->name()));
    program_given_ = true;
    task_ = std::move(program);
    program_name_ = std::move(name);
    wait_ = Wait::kStart;
    wakeup_.at(now());
}

void SccCore::wake()
{
    if (!wakeup_.taken(now())) return;
    switch (wait_) {
        case Wait::kNothing: return;
        case Wait::kStart:
            unit_.time = now();
            resume();
            return;
        case Wait::kChange:
            if (look_due()) go_on();
            return;
        case Wait::kEnd:
            wait_ = Wait::kNothing;
            state_word_ = "idle";
            finished_ = true;
            return;
        case Wait::kUnit:
        case Wait::kTime: go_on(); return;
    }
}

void SccCore::answered(::tlm::tlm_generic_payload& transaction, Duration at)
{
    const bool over = unit_.answered(transaction, at);
    if (doing_ != Doing::kPoll) simulation_.accepted();
    if (!over || wait_ != Wait::kUnit) return;
    if (unit_.waits_for() == LoadStoreUnit::Wait::kTime && unit_.time > now()) {
        state_word_ = "computing";
        await_time();
    } else {
        go_on();
    }
}

/// The kernel calls: goes on with the operation, and with the program when it is done.
void SccCore::go_on()
{
    wait_ = Wait::kNothing;
    state_word_ = "computing";
    horizon_ = now() + kMostAhead;
    try {
        if (!carry_on()) return;
    } catch (...) {
        simulation_.fail(std::current_exception());
        return;
    }
    resume();
}

void SccCore::resume()
{
    wait_ = Wait::kNothing;
    state_word_ = "computing";
    horizon_ = now() + kMostAhead;
    try {
        if (program_) {
            std::exchange(program_, {}).resume();
        } else {
            task_.start();
        }
        if (!task_.done()) return;
        // The program is done when the kernel is where the core is.
        wait_ = Wait::kEnd;
        wakeup_.at(unit_.time);
        task_.result();
    } catch (...) {
        simulation_.fail(std::current_exception());
    }
}

void SccCore::start(Doing doing, std::string_view word)
{
    doing_ = doing;
    doing_word_ = word;
    done_ = 0;
    done_in_begin_ = carry_on();
}

/// The kernel shall call when it is where the core is.
void SccCore::await_time()
{
    wakeup_.at(unit_.time);
    if (doing_ != Doing::kPoll) simulation_.works_until(unit_.time);
}

/// Does of the present operation what can be done. @return whether it is done; otherwise something will wake the core
bool SccCore::carry_on()
{
    bool done = true;
    switch (doing_) {
        case Doing::kNothing: break;
        case Doing::kLoad: done = load_on(); break;
        case Doing::kStore: done = store_on(); break;
        case Doing::kCopy: done = copy_on(); break;
        case Doing::kPoll: done = poll_on(); break;
    }
    if (!done) {
        if (wait_ == Wait::kChange) {
            state_word_ = doing_word_;
            return false;
        }
        wait_ = Wait::kUnit;
        if (unit_.waits_for() == LoadStoreUnit::Wait::kTime) {
            await_time();
        } else {
            state_word_ = doing_word_;
        }
        return false;
    }
    doing_ = Doing::kNothing;
    if (unit_.time <= horizon_) return true;
    wait_ = Wait::kTime;
    wakeup_.at(unit_.time);
    simulation_.works_until(unit_.time);
    return false;
}

void SccCore::begin(Duration span)
{
    if (span < Duration::zero())
        throw ModelError(fmt::format("core {} is to compute for a negative time", config_.rank));
    const Duration began = unit_.time;
    unit_.time += span;
    unit_.stats.computing.add(span);
    simulation_.report(*this, "computing", 0, began, unit_.time);
    start(Doing::kNothing, "computing");
}

void SccCore::begin(InvalidateRequest)
{
    const Duration began = unit_.time;
    unit_.invalidate_message_buffers();
    simulation_.report(*this, "CL1INVMB", 0, began, unit_.time);
    start(Doing::kNothing, "computing");
}

void SccCore::check_width(std::uint32_t width, std::string_view what) const
{
    if (std::has_single_bit(width) && width <= 8) return;
    throw UserError(fmt::format("core {}: a {} with instructions of {} bytes; 1, 2, 4 and 8 are possible", config_.rank,
                                what, width));
}

void SccCore::begin(const LoadRequest& request)
{
    check_width(request.width, "load");
    load_ = request;
    start(Doing::kLoad, "loading");
}

bool SccCore::load_on()
{
    while (done_ < load_.size) {
        const auto bytes =
            unit_.load(load_.address + done_, {load_.data + done_, load_.size - done_}, load_.width, config_.core.loop);
        if (bytes == 0) return false;
        done_ += bytes;
    }
    return true;
}

void SccCore::begin(const StoreRequest& request)
{
    check_width(request.width, "store");
    store_ = request;
    start(Doing::kStore, "storing");
}

bool SccCore::store_on()
{
    for (;;) {
        if (!unit_.drain()) return false;
        if (done_ == store_.size) return true;
        const auto bytes = unit_.store(store_.address + done_, {store_.data + done_, store_.size - done_}, store_.width,
                                       config_.core.loop);
        if (bytes == 0) return false;
        done_ += bytes;
    }
}

}  // namespace ringmesh::hw
