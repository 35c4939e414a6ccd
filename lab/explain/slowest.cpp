// SPDX-License-Identifier: Apache-2.0
#include "lab/explain/slowest.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <tuple>

#include "lab/table/writers/cells.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

/// Of two that took equally long the older one comes first, so that the order is always the same.
bool slower(const SlowPacket& a, const SlowPacket& b)
{
    return std::tuple(b.latency, a.key.packet, a.key.leg) < std::tuple(a.latency, b.key.packet, b.key.leg);
}

}  // namespace

std::size_t parse_slowest(const std::string& text)
{
    const std::size_t number = number_from<std::size_t>(text).value_or(0);
    if (number > 0 && number <= kMostSlowest) return number;
    throw UserError(
        fmt::format("--slowest {}: not a number of packets from 1 to {}; write --slowest 5", text, kMostSlowest));
}

void SlowestFinder::stage(const Component&, const Stage& stage)
{
    if (stage.transaction == 0 || stage.kind == StageKind::kCall) return;
    const PacketLeg key{stage.transaction, stage.leg};
    auto found = under_way_.find(key);
    if (found == under_way_.end()) {
        // A program may look at what a packet brought long after its arrival
        if (arrived_.contains(key)) return;
        found = under_way_.emplace(key, UnderWay{stage.from, stage.to}).first;
    }
    found->second.from = std::min(found->second.from, stage.from);
    found->second.to = std::max(found->second.to, stage.to);
}

void SlowestFinder::arrived(const Component&, std::uint64_t packet, Leg leg, Duration at)
{
    const auto found = under_way_.find({packet, leg});
    if (found == under_way_.end()) return;
    const SlowPacket done{{packet, leg}, std::max(at, found->second.to) - found->second.from};
    under_way_.erase(found);
    arrived_.insert({packet, leg});
    ++packets_;
    if (found_.size() == most_ && !slower(done, found_.front())) return;
    found_.push_back(done);
    std::push_heap(found_.begin(), found_.end(), slower);
    if (found_.size() <= most_) return;
    std::pop_heap(found_.begin(), found_.end(), slower);
    found_.pop_back();
}

std::vector<SlowPacket> SlowestFinder::slowest() const
{
    std::vector<SlowPacket> all = found_;
    std::sort(all.begin(), all.end(), slower);
    return all;
}

ChosenRecorder::ChosenRecorder(const std::vector<SlowPacket>& chosen)
{
    for (const SlowPacket& packet : chosen) chosen_.try_emplace(packet.key);
}

void ChosenRecorder::stage(const Component& where, const Stage& stage)
{
    if (stage.kind == StageKind::kCall) return;
    const auto found = chosen_.find({stage.transaction, stage.leg});
    if (found == chosen_.end() || found->second.has_arrived) return;
    found->second.stages.push_back({names_.name_of(where), stage});
}

void ChosenRecorder::born(const Component&, const PacketBirth& birth)
{
    const auto found = chosen_.find({birth.packet, birth.leg});
    if (found != chosen_.end()) found->second.stream = birth.stream;
}

void ChosenRecorder::arrived(const Component& where, std::uint64_t packet, Leg leg, Duration at)
{
    arrived_.insert({packet, leg});
    if (const auto strike = struck_.find({packet, leg}); strike != struck_.end()) {
        if (struck_others_.size() < kMostStruck) struck_others_.push_back(std::move(strike->second));
        struck_.erase(strike);
    }
    const auto found = chosen_.find({packet, leg});
    if (found == chosen_.end() || found->second.has_arrived) return;
    found->second.has_arrived = true;
    Stage end{.what = "arrival", .transaction = packet, .leg = leg, .from = at, .to = at};
    found->second.stages.push_back({names_.name_of(where), end});
}

void ChosenRecorder::struck(const PacketStruck& strike)
{
    const PacketLeg key{strike.packet, strike.leg};
    const auto found = chosen_.find(key);
    if (found != chosen_.end()) {
        strikes_.push_back(recorded(strike));
        return;
    }
    // An echo may be struck when its packet has arrived
    const bool has_arrived = arrived_.contains(key);
    if (has_arrived && struck_others_.size() < kMostStruck) struck_others_.push_back(recorded(strike));
    if (!has_arrived && struck_.size() < kMostStruck) struck_.try_emplace(key, recorded(strike));
}

std::vector<RecordedStrike> ChosenRecorder::strikes_on_lost() const
{
    std::vector<RecordedStrike> all;
    for (const auto& [key, strike] : struck_) all.push_back(strike);
    std::sort(all.begin(), all.end(), [](const RecordedStrike& a, const RecordedStrike& b) {
        return std::tuple(a.at, a.packet, a.leg) < std::tuple(b.at, b.packet, b.leg);
    });
    return all;
}

std::string text_of(const std::vector<SlowPacket>& packets, std::size_t of_how_many)
{
    std::string text = fmt::format("{}\n", of_how_many);
    for (const SlowPacket& packet : packets) {
        text +=
            fmt::format("{} {} {}\n", packet.key.packet, packet.key.leg == Leg::kResponse ? 1 : 0, packet.latency.ps());
    }
    return text;
}

std::pair<std::vector<SlowPacket>, std::size_t> packets_of(const std::string& text)
{
    std::istringstream stream(text);
    std::pair<std::vector<SlowPacket>, std::size_t> all;
    stream >> all.second;
    std::uint64_t packet = 0;
    int response = 0;
    std::int64_t latency = 0;
    while (stream >> packet >> response >> latency) {
        all.first.push_back({{packet, response != 0 ? Leg::kResponse : Leg::kRequest}, Duration::picoseconds(latency)});
    }
    return all;
}

}  // namespace ringmesh::lab
