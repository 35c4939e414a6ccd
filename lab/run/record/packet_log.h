// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lab/run/record/packet_leg.h"
#include "tlm/division/observations.h"
#include "tlm/files/atomic_file.h"
#include "tlm/simulation/journey.h"
#include "tlm/statistics/component.h"

namespace ringmesh {
class Simulation;
}

namespace ringmesh::lab {

/// Writes the outcome of each packet when it arrives, a line of CSV:
///
///     packet,leg,source,target,bytes,born_ns,injected_ns,arrived_ns,latency_ns,waited_ns,waits,
///     stream
///
/// A response is a packet of its own, with the number of its request. Source and target are nodes, tiles or routers, as
/// the machine numbers them. `injected_ns` is when its first symbol or flit entered the network. `waits` lists what it
/// waited for: "bus taken=12.5;no go bit=4". `stream` is whose the packet is: workload, background, ... Cells are empty
/// where a machine does not know. Keeps the packets under way in memory.
class PacketLog final : public JourneyListener, private Observations::Watcher {
public:
    /// @param file opened at once; empty: of a divided run, another process writes it
    /// @throws UserError if it cannot be written
    explicit PacketLog(const std::string& file);

    /// Of this run. What cannot be written ends it.
    void watch(Simulation& simulation);
    void stage(const Component& where, const Stage& stage) override;
    void born(const Component& where, const PacketBirth& birth) override;
    void injected(std::uint64_t packet, Leg leg, Duration at) override;
    void arrived(const Component& where, std::uint64_t packet, Leg leg, Duration at) override;

    /// The run is over: those that never arrived end the file, with an empty arrival. @return how many arrived
    /// @param stopped what stopped it before its end: a comment behind them; empty: nothing did @throws UserError
    std::size_t close(const std::string& stopped = {});

private:
    struct Journey {
        PacketBirth birth{};
        bool knows_birth = false;
        bool was_injected = false;
        Duration from = Duration::never();  ///< of the first stage
        Duration injected;
        Duration waited_until;
        std::vector<std::pair<std::string_view, Duration>> waits;
    };
    enum class Told : std::uint8_t { kStage, kBorn, kInjected, kArrived };
    /// Of a divided run: what process 0 hears.
    Parcel& tell(Told what, std::uint64_t packet, Leg leg);
    void hear(Parcel& told) override;
    void note_stage(const Stage& stage);
    void note_born(const PacketBirth& birth);
    void note_injected(std::uint64_t packet, Leg leg, Duration at);
    void note_arrived(std::uint64_t packet, Leg leg, Duration at);
    std::string_view kept(std::string text) { return *words_.insert(std::move(text)).first; }
    Journey& journey(std::uint64_t packet, Leg leg) { return under_way_[PacketLeg{packet, leg}]; }
    void write(const PacketLeg& key, const Journey& journey, Duration arrived);

    std::unique_ptr<AtomicFile> file_;
    Simulation* simulation_ = nullptr;
    Observations* observations_ = nullptr;  ///< of a divided run
    std::uint32_t watcher_ = 0;
    std::set<std::string> words_;  ///< of other processes
    std::unordered_map<PacketLeg, Journey, PacketLegHash> under_way_;
    std::size_t arrived_ = 0;
};

}  // namespace ringmesh::lab
