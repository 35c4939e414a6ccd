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
}

void PacketLog::stage(const Component& /*where*/, const Stage& stage)
{
    if (stage.transaction == 0 || stage.kind == StageKind::kCall) return;
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

void PacketLog::born(const Component& /*where*/, const PacketBirth& birth)
{
    Journey& way = journey(birth.packet, birth.leg);
    way.birth = birth;
    way.knows_birth = true;
}

void PacketLog::injected(std::uint64_t packet, Leg leg, Duration at)
{
    Journey& way = journey(packet, leg);
    if (way.was_injected) return;  // a retry, or the next ring of its way
    way.was_injected = true;
    way.injected = at;
}

void PacketLog::arrived(const Component& /*where*/, std::uint64_t packet, Leg leg, Duration at)
{
    const PacketLeg key{packet, leg};
    const auto found = under_way_.find(key);
    if (found == under_way_.end()) return;
    try {
        write(key, found->second, at);
    } catch (const UserError&) {
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
