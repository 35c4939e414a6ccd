// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/tile/tile.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/scc/transaction.h"
#include "tlm/error.h"
#include "tlm/mesh/journey.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::hw {

Tile::Tile(const sc_core::sc_module_name& module_name, Simulation& simulation, const Config& config)
    : sc_module(module_name),
      simulation_(simulation),
      here_(config.here),
      clock_(config.divider),
      registers_(config.here, config.divider),
      mpb_unit_{"MPB", config.params.mpb.access * clock_,
                Wakeup(wakes<&Tile::finish_buffers>(simulation.calendar(), *this))},
      register_unit_{"registers", config.params.registers.access * clock_,
                     Wakeup(wakes<&Tile::finish_registers>(simulation.calendar(), *this))},
      faults_(TileFaults::of(name(), simulation.faults(), registers_)),
      shortest_(std::min(mpb_unit_.time, register_unit_.time)),
      miu_(std::string(name()) + ".miu", simulation,
           {.here = config.here, .clock = clock_, .miu = config.params.miu, .bypass = config.params.mpb.bypass}, *this)
{
    simulation.add(*this);
}

void Tile::serve(mesh::Packet& request, Duration ready)
{
    try {
        check(request);
    } catch (...) {
        simulation_.fail(std::current_exception());  // the packet stays with the simulation's pool
        return;
    }
    Unit& unit = address_of(*request.payload).space == Space::kMessageBuffer ? mpb_unit_ : register_unit_;
    const auto turn = unit.port.take(ready, unit.time);
    mesh::report_wait(simulation_, *this, "port taken", request, ready, turn.start, unit.last);
    unit.last = request.id;
    mesh::report(simulation_, *this, unit.what, request, turn.start, turn.end);
    unit.activity.wait(turn.start - ready);
    unit.activity.busy(turn.start, turn.end, request.payload->is_read() ? "read" : "write", request.id,
                       {.bytes = request.payload->get_data_length()});
    unit.accesses.push_back({&request, turn.end});
    unit.wakeup.at(unit.accesses.front().end);
}

void Tile::check(const mesh::Packet& request) const
{
    const SystemAddress address = address_of(*request.payload);
    const std::size_t size = request.payload->get_data_length();
    if (address.where != here_)
        throw ModelError(fmt::format("{} was routed to the wrong tile", who_asks(name(), request)));
    switch (address.space) {
        case Space::kMessageBuffer:
            if (MessageBuffer::contains(address.offset, size)) return;
            throw UserError(
                fmt::format("{} accesses {} bytes at {:#x} of the message-passing buffer, which has {:#x}; "
                            "correct the program or its look-up table",
                            who_asks(name(), request), size, address.offset, MessageBuffer::kBytes));
        case Space::kRegisters: try { ConfigurationRegisters::check(address.offset, size, request.payload->is_write());
            } catch (const UserError& error) {
                throw UserError(fmt::format("{}: {}", who_asks(name(), request), error.what()));
            }
            return;
        case Space::kMemory: break;
    }
    throw UserError(fmt::format("{} accesses memory in a tile; correct its look-up table", who_asks(name(), request)));
}

void Tile::finish_buffers()
{
    mpb_unit_.wakeup.taken(now());
    const Duration next = miu_.collect();
    finish(mpb_unit_, now());
    if (next != Duration::never()) expects(next);
}

void Tile::finish_registers() { finish(register_unit_, now()); }

void Tile::finish(Unit& unit, Duration time)
{
    unit.wakeup.taken(time);
    while (!unit.accesses.empty() && unit.accesses.front().end <= time) {
        mesh::Packet& packet = *unit.accesses.pop_front().packet;
        const std::uint64_t offset = address_of(*packet.payload).offset;
        std::string_view wrong;
        if (faults_ != nullptr) [[unlikely]]
            wrong = faults_->strike(packet, offset, time);
        if (!wrong.empty()) [[unlikely]] {
            mesh::report(simulation_, *this, wrong, packet, time, time);
        } else if (&unit == &mpb_unit_) {
            mpb_.serve(*packet.payload, offset, packet.id);
        } else {
            registers_.serve(*packet.payload, offset, packet.source & 1);
        }
        miu_.served(packet);
    }
    if (!unit.accesses.empty()) unit.wakeup.at(unit.accesses.front().end);
}

std::string Tile::pending() const
{
    PendingText text;
    for (const Unit* unit : {&mpb_unit_, &register_unit_}) {
        text.add(unit->accesses.size(), fmt::format("accesses to the {}", unit->what));
    }
    return text.text();
}

namespace {

/// Prefixes statistics with the name of a unit.
class Prefixed final : public StatisticsVisitor {
public:
    Prefixed(StatisticsVisitor& visitor, std::string prefix) : visitor_(visitor), prefix_(std::move(prefix)) {}
    void value(std::string_view name, double value, std::string_view unit, std::string_view sentence) override
    {
        visitor_.value(prefix_ + std::string(name), value, unit, sentence);
    }
    void mean(std::string_view name, const DurationMean& samples, std::string_view sentence) override
    {
        visitor_.mean(prefix_ + std::string(name), samples, sentence);
    }

private:
    StatisticsVisitor& visitor_;
    std::string prefix_;
};

}  // namespace

void Tile::statistics(StatisticsVisitor& visitor) const
{
    Prefixed mpb(visitor, "mpb_");
    mpb_unit_.port.statistics(mpb);
    Prefixed registers(visitor, "registers_");
    register_unit_.port.statistics(registers);
    registers_.statistics(visitor);
    if (faults_ != nullptr) faults_->statistics(visitor);
}

void Tile::places(PlaceVisitor& visitor) const
{
    visitor.busy("mpb.port", "memory port", mpb_unit_.activity);
    visitor.busy("registers.port", "memory port", register_unit_.activity);
}

void Tile::trace(sc_core::sc_trace_file* file) const
{
    const std::string prefix = name();
    miu_.trace(file);
    trace_signal(file, mpb_unit_.activity, prefix + ".mpb.port",
                 {"an access to the tile's message passing buffer (MPB)", "read, write", SignalPlace::kMemory});
    trace_signal(file, register_unit_.activity, prefix + ".registers.port",
                 {"an access to the tile's registers", "read, write", SignalPlace::kMemory});
    for (unsigned core = 0; core < kCoresOfTile; ++core) {
        trace_signal(file, registers_.taken(core), fmt::format("{}.registers.test_and_set{}", prefix, core),
                     {"whether the test-and-set register of this core is taken", "0, 1", SignalPlace::kMemory});
    }
    constexpr std::size_t kWordsOfLine = kCacheLine / 8;
    for (unsigned core = 0; core < kCoresOfTile; ++core) {
        for (std::size_t i = 0; i < MessageBuffer::kShownLines * kWordsOfLine; ++i) {
            const std::size_t word = core * MessageBuffer::kHalf / 8 + i;
            trace_signal(file, mpb_.word(word), mpb_.watch(word),
                         fmt::format("{}.mpb.core{}_line{}_word{}", prefix, core, i / kWordsOfLine, i % kWordsOfLine),
                         {"eight bytes of the first lines of this core's half of the MPB, where RCCE keeps its flags",
                          "bytes, the first one lowest", SignalPlace::kMemory});
        }
    }
}

}  // namespace ringmesh::hw
