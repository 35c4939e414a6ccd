// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lab/explain/journeys.h"
#include "lab/run/record/packet_leg.h"

/// The slowest packets of a run. Stages of all packets would not fit into memory, so the run is made twice: the first
/// one finds the packets, the second one, which is equal to the picosecond, records their stages.
namespace ringmesh::lab {

struct SlowPacket {
    PacketLeg key;
    Duration latency;  ///< from its first stage to its arrival
};

/// The most that are explained.
inline constexpr std::size_t kMostSlowest = 10'000;
/// "5": how many. @throws UserError naming the option
std::size_t parse_slowest(const std::string& text);

/// Which packets have arrived.
class ArrivedLegs {
public:
    bool contains(const PacketLeg& leg) const
    {
        const std::size_t number = PacketLegHash()(leg);
        return number < arrived_.size() && arrived_[number];
    }
    void insert(const PacketLeg& leg)
    {
        const std::size_t number = PacketLegHash()(leg);
        if (number >= arrived_.size()) arrived_.resize(std::max(number + 1, 2 * arrived_.size()));
        arrived_[number] = true;
    }

private:
    std::vector<bool> arrived_;
};

/// The first run: finds the slowest packets of all that arrive. Keeps these and the packets under way.
class SlowestFinder final : public JourneyListener {
public:
    explicit SlowestFinder(std::size_t most) : most_(most) {}
    void stage(const Component& where, const Stage& stage) override;
    void arrived(const Component& where, std::uint64_t packet, Leg leg, Duration at) override;

    std::size_t packets() const { return packets_; }
    /// Slowest first.
    std::vector<SlowPacket> slowest() const;

private:
    struct UnderWay {
        Duration from;
        Duration to;
    };
    std::unordered_map<PacketLeg, UnderWay, PacketLegHash> under_way_;
    ArrivedLegs arrived_;
    const std::size_t most_;
    std::size_t packets_ = 0;
    std::vector<SlowPacket> found_;  // a heap, the fastest first
};

/// The second run: records the stages of these packets, up to their arrival.
class ChosenRecorder final : public JourneyListener {
public:
    explicit ChosenRecorder(const std::vector<SlowPacket>& chosen);
    void stage(const Component& where, const Stage& stage) override;
    void born(const Component& where, const PacketBirth& birth) override;
    void arrived(const Component& where, std::uint64_t packet, Leg leg, Duration at) override;
    /// Of one of them.
    const std::vector<RecordedStage>& stages(const PacketLeg& key) const { return chosen_.at(key).stages; }
    std::string_view stream(const PacketLeg& key) const { return chosen_.at(key).stream; }
    void struck(const PacketStruck& strike) override;
    /// Of the chosen packets.
    const std::vector<RecordedStrike>& strikes() const { return strikes_; }
    /// Of others that arrived; the first ones.
    const std::vector<RecordedStrike>& strikes_on_others() const { return struck_others_; }
    /// Of packets that did not arrive, or not until now; the first ones.
    std::vector<RecordedStrike> strikes_on_lost() const;

private:
    struct Journey {
        std::vector<RecordedStage> stages;
        std::string_view stream = TrafficModel::kOfWorkload;
        bool has_arrived = false;
    };
    BlockNames names_;
    std::unordered_map<PacketLeg, Journey, PacketLegHash> chosen_;
    static constexpr std::size_t kMostStruck = 10'000;
    std::vector<RecordedStrike> strikes_;
    std::vector<RecordedStrike> struck_others_;                            ///< that have arrived
    std::unordered_map<PacketLeg, RecordedStrike, PacketLegHash> struck_;  ///< others that have not arrived
    ArrivedLegs arrived_;
};

/// Texts between the processes of the two runs.
std::string text_of(const std::vector<SlowPacket>& packets, std::size_t of_how_many);
std::pair<std::vector<SlowPacket>, std::size_t> packets_of(const std::string& text);

}  // namespace ringmesh::lab
