// SPDX-License-Identifier: Apache-2.0
#include "workloads/recording/packet_recorder.h"

#include <fmt/format.h>

#include "tlm/error.h"
#include "tlm/simulation/simulation.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::workloads {

TrafficModel& PacketRecorder::before(TrafficModel& model, NetworkMachine& machine)
{
    if (!asked_) return model;
    model_ = &model;
    machine_ = &machine;
    waiting_.resize(machine.nodes());
    if (Division* const division = machine.simulation().division()) {
        observations_ = &division->observations();
        watcher_ = observations_->add(*this);
    }
    if (file_) file_->append(fmt::format("id,time_ns,source,destination,{},class\n", machine.size_unit()));
    return *this;
}

/// A source asks for its next packet when it has offered the one before, or takes that back.
Injection PacketRecorder::next(unsigned source)
{
    Injection& packet = waiting_[source];
    if (packet.at <= now() && observations_ != nullptr) {
        Parcel& parcel = observations_->tell(watcher_);
        parcel.put(source);
        parcel.put(packet);
    } else if (packet.at <= now()) {
        try {
            write(source, packet);
        } catch (const UserError&) {
            machine_->simulation().fail(std::current_exception());  // the kernel would take it for another error
        }
    }
    packet = {};
    const Injection given = model_->next(source);
    waiting_[source] = given;
    return given;
}

void PacketRecorder::write(unsigned source, const Injection& packet)
{
    const auto [size, kind] = machine_->traced(packet);
    constexpr std::int64_t kPsPerNs = 1000;
    file_->append(fmt::format("{},{}.{:03},{},{},{},{}\n", ++packets_, packet.at.ps() / kPsPerNs,
                              packet.at.ps() % kPsPerNs, source, packet.to, size, kind));
}

void PacketRecorder::hear(Parcel& told)
{
    const auto source = told.take<unsigned>();
    write(source, told.take<Injection>());
}

std::uint64_t PacketRecorder::commit()
{
    file_->commit();
    return packets_;
}

}  // namespace ringmesh::workloads
