// SPDX-License-Identifier: Apache-2.0
#include "workloads/recording/packet_recorder.h"

#include <fmt/format.h>

#include "tlm/error.h"
#include "tlm/simulation/simulation.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::workloads {

TrafficModel& PacketRecorder::before(TrafficModel& model, NetworkMachine& machine)
{
    if (!file_) return model;
    model_ = &model;
    machine_ = &machine;
    waiting_.resize(machine.nodes());
    file_->append(fmt::format("id,time_ns,source,destination,{},class\n", machine.size_unit()));
    return *this;
}

/// A source asks for its next packet when it has offered the one before, or takes that back.
Injection PacketRecorder::next(unsigned source)
{
    Injection& packet = waiting_[source];
    if (packet.at <= now()) {
        const auto [size, kind] = machine_->traced(packet);
        constexpr std::int64_t kPsPerNs = 1000;
        const std::string line = fmt::format("{},{}.{:03},{},{},{},{}\n", ++packets_, packet.at.ps() / kPsPerNs,
                                             packet.at.ps() % kPsPerNs, source, packet.to, size, kind);
        try {
            file_->append(line);
        } catch (const UserError&) {
            machine_->simulation().fail(std::current_exception());  // the kernel would take it for another error
        }
    }
    packet = {};
    const Injection given = model_->next(source);
    waiting_[source] = given;
    return given;
}

std::uint64_t PacketRecorder::commit()
{
    file_->commit();
    return packets_;
}

}  // namespace ringmesh::workloads
