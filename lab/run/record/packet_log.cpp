// SPDX-License-Identifier: Apache-2.0
#include "lab/run/record/packet_log.h"

#include <fmt/format.h>

#include <algorithm>

#include "lab/table/writers/text_table.h"
#include "tlm/error.h"
#include "tlm/simulation/simulation.h"

namespace ringmesh::lab {

PacketLog::PacketLog(const std::string& file)
{
    if (file.empty()) return;
    if (file == "-") throw UserError("--packets -: a line for each packet needs a file; write --packets FILE.csv");
    file_ = std::make_unique<AtomicFile>(file);
    file_->append(
        "packet,leg,source,target,bytes,born_ns,injected_ns,arrived_ns,latency_ns,waited_ns,waits,"
        "stream\n");
}

void PacketLog::watch(Simulation& simulation)
{
    simulation_ = &simulation;
    simulation.on_journey(*this);
    if (Division* const division = simulation.division()) {
        observations_ = &division->observations();
        watcher_ = observations_->add(*this);
    }
}

Parcel& PacketLog::tell(Told what, std::uint64_t packet, Leg leg)
{
    Parcel& parcel = observations_->tell(watcher_);
    parcel.put(what);
    parcel.put(packet);
    parcel.put(leg);
    return parcel;
}

void PacketLog::hear(Parcel& told)
{
    const auto what = told.take<Told>();
    const auto packet = told.take<std::uint64_t>();
    const auto leg = told.take<Leg>();
    switch (what) {
        case Told::kStage: {
            Stage stage{.transaction = packet, .leg = leg};
            stage.what = kept(told.take_text());
            stage.kind = told.take<StageKind>();
            stage.from = told.take<Duration>();
            stage.to = told.take<Duration>();
            return note_stage(stage);
        }
        case Told::kBorn: {
            PacketBirth birth{.packet = packet, .leg = leg};
            birth.source = told.take_text();
            birth.target = told.take_text();
            birth.bytes = told.take<std::uint32_t>();
            birth.at = told.take<Duration>();
            birth.stream = kept(told.take_text());
            return note_born(birth);
        }
        case Told::kInjected: return note_injected(packet, leg, told.take<Duration>());
        case Told::kArrived: return note_arrived(packet, leg, told.take<Duration>());
    }
}

void PacketLog::stage(const Component& /*where*/, const Stage& stage)
{
    if (stage.transaction == 0 || stage.kind == StageKind::kCall) return;
    if (observations_ == nullptr) return note_stage(stage);
    Parcel& parcel = tell(Told::kStage, stage.transaction, stage.leg);
    parcel.put(std::string(stage.what));
    parcel.put(stage.kind);
    parcel.put(stage.from);
    parcel.put(stage.to);
}

void PacketLog::born(const Component& /*where*/, const PacketBirth& birth)
{
    if (observations_ == nullptr) return note_born(birth);
    Parcel& parcel = tell(Told::kBorn, birth.packet, birth.leg);
    parcel.put(birth.source);
    parcel.put(birth.target);
    parcel.put(birth.bytes);
    parcel.put(birth.at);
    parcel.put(std::string(birth.stream));
}

void PacketLog::injected(std::uint64_t packet, Leg leg, Duration at)
{
    if (observations_ == nullptr) return note_injected(packet, leg, at);
    tell(Told::kInjected, packet, leg).put(at);
}

void PacketLog::arrived(const Component& /*where*/, std::uint64_t packet, Leg leg, Duration at)
{
    if (observations_ == nullptr) return note_arrived(packet, leg, at);
    tell(Told::kArrived, packet, leg).put(at);
}

void PacketLog::note_stage(const Stage& stage)
{
    Journey& way = journey(stage.transaction, stage.leg);
    way.from = std::min(way.from, stage.from);
    if (stage.kind != StageKind::kWaiting) return;
    // Two blocks may tell of the same time
    const Duration begin = std::max(stage.from, way.waited_until);
    if (stage.to <= begin) return;
    way.waited_until = stage.to;
    const auto known = std::find_if(way.waits.begin(), way.waits.end(),
                                    [&stage](const auto& wait) { return wait.first == stage.what; });
    if (known != way.waits.end()) {
        known->second += stage.to - begin;
    } else {
        way.waits.emplace_back(stage.what, stage.to - begin);
    }
}

void PacketLog::note_born(const PacketBirth& birth)
{
    Journey& way = journey(birth.packet, birth.leg);
    way.birth = birth;
    way.knows_birth = true;
}

void PacketLog::note_injected(std::uint64_t packet, Leg leg, Duration at)
{
    Journey& way = journey(packet, leg);
    if (way.was_injected) return;  // a retry, or the next ring of its way
    way.was_injected = true;
    way.injected = at;
}

void PacketLog::note_arrived(std::uint64_t packet, Leg leg, Duration at)
{
    const PacketLeg key{packet, leg};
    const auto found = under_way_.find(key);
    if (found == under_way_.end()) return;
    try {
        write(key, found->second, at);
    } catch (const UserError&) {
        if (observations_ != nullptr) throw;
        simulation_->fail(std::current_exception());  // the kernel would take it for another error
    }
    ++arrived_;
    under_way_.erase(found);
}

void PacketLog::write(const PacketLeg& key, const Journey& way, Duration arrived)
{
    const bool has_arrived = arrived != Duration::never();
    // A processor gives the number before the card makes the packet
    const Duration born = way.knows_birth ? std::min(way.birth.at, way.from) : way.from;
    Duration waited;
    std::string waits;
    for (const auto& [what, span] : way.waits) {
        waited += span;
        waits += fmt::format("{}{}={}", waits.empty() ? "" : ";", what, span.ns());
    }
    const std::string ends =
        way.knows_birth ? fmt::format("{},{},{}", way.birth.source, way.birth.target, way.birth.bytes) : ",,";
    file_->append(fmt::format(
        "{},{},{},{},{},{},{},{},{},{}\n", key.packet, key.leg == Leg::kRequest ? "request" : "response", ends,
        born.ns(), way.was_injected ? fmt::format("{}", way.injected.ns()) : "",
        has_arrived ? fmt::format("{}", arrived.ns()) : "", has_arrived ? fmt::format("{}", (arrived - born).ns()) : "",
        waited.ns(), csv_cell(waits), way.birth.stream));
}

std::size_t PacketLog::close(const std::string& stopped)
{
    if (!file_) return 0;
    std::vector<PacketLeg> left;
    for (const auto& [key, way] : under_way_) {
        if (way.knows_birth) left.push_back(key);
    }
    std::sort(left.begin(), left.end(), [](const PacketLeg& a, const PacketLeg& b) {
        return a.packet != b.packet ? a.packet < b.packet : a.leg < b.leg;
    });
    for (const PacketLeg& key : left) write(key, under_way_.at(key), Duration::never());
    if (!stopped.empty()) file_->append(fmt::format("# {}\n", stopped));
    file_->commit();
    return arrived_;
}

}  // namespace ringmesh::lab
