// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/tile/tile_faults.h"

#include "hw/scc/scc_faults.h"
#include "hw/scc/transaction.h"

namespace ringmesh::hw {

std::unique_ptr<TileFaults> TileFaults::of(const std::string& tile, FaultPlan& plan, ConfigurationRegisters& registers)
{
    std::unique_ptr<TileFaults> all(new TileFaults(registers));
    all->buffer_faults_ = plan.of(tile + ".mpb", kBufferFaults);
    all->register_faults_ = plan.of(tile + ".registers", kRegisterFaults);
    return all->buffer_faults_ == nullptr && all->register_faults_ == nullptr ? nullptr : std::move(all);
}

std::string_view TileFaults::strike(const mesh::Packet& packet, std::uint64_t offset, Duration time)
{
    const auto& payload = *packet.payload;
    const FaultVictim victim{packet.id, Leg::kRequest};
    const bool of_buffer = address_of(payload).space == Space::kMessageBuffer;
    if ((of_buffer ? buffer_faults_ : register_faults_) == nullptr) return {};
    if (payload.is_write()) return loses_write(payload, of_buffer, time, victim) ? "write lost" : "";
    if (of_buffer || !ConfigurationRegisters::is_test_and_set(offset) ||
        register_faults_->meets(static_cast<std::size_t>(RegisterFault::kTaken), time, victim) == Duration::zero()) {
        return {};
    }
    registers_.serve_taken(payload);
    return "reads as held";
}

bool TileFaults::loses_write(const ::tlm::tlm_generic_payload& payload, bool of_buffer, Duration time,
                             FaultVictim victim)
{
    const auto bytes = static_cast<std::int64_t>(payload.get_data_length());
    const auto strikes = [&](BlockFaults& faults, auto fault) {
        return faults.strike(static_cast<std::size_t>(fault), time, bytes, victim);
    };
    bool lost = false;
    if (of_buffer) {
        lost = strikes(*buffer_faults_, BufferFault::kLoseWrite);
        if (masked(payload) || payload.get_data_length() < kCacheLine) {
            lost |= strikes(*buffer_faults_, BufferFault::kLoseFlag);
        }
    } else {
        lost = strikes(*register_faults_, RegisterFault::kLoseRelease);
    }
    if (lost) ++writes_lost_;
    return lost;
}

void TileFaults::statistics(StatisticsVisitor& visitor) const
{
    std::uint64_t struck = 0;
    for (const auto* faults : {&buffer_faults_, &register_faults_}) {
        if (*faults != nullptr) struck += (*faults)->struck().count();
    }
    visitor.value("faults", static_cast<double>(struck), "times", "that a fault of the MPB or the registers struck");
    visitor.counter("writes_lost", writes_lost_, "writes", "that were acknowledged and changed nothing");
}

}  // namespace ringmesh::hw
