// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "tlm/machine/traffic.h"
#include "tlm/simulation/simulation.h"
#include "tlm/statistics/component.h"
#include "tlm/time/wakeup.h"

namespace ringmesh::hw {

/// What the packet sources of all networks share: asks the traffic model of each stream for one packet at a time, and
/// offers it to the network's own source when its time has come.
class TrafficSource : public sc_core::sc_module, public Component {
public:
    /// Packets of a source that wait for its network; the next is dropped. It is as far beyond saturation as nobody
    /// looks, and without it memory grew with the length of the run.
    static constexpr std::size_t kSourceQueue = 65'536;

    /// Adds a stream, the next after those there are. @param model outlives the run
    void start(TrafficModel& model);
    /// Asks the model of a stream again after it returned never(), or if it has another packet now.
    void resume(std::uint8_t stream);

    std::string component_name() const override { return name(); }
    void statistics(StatisticsVisitor& visitor) const override;

protected:
    /// @param ids of its packets
    TrafficSource(const sc_core::sc_module_name& name, Simulation& simulation, unsigned number, PacketNumbers ids);

    /// A packet is born now.
    virtual void offer(const Injection& injection) = 0;
    /// It found kSourceQueue others, of which `fill` counts those that wait.
    void drop(const Injection& injection, Level& fill);
    TrafficModel& model(std::uint8_t stream) { return *streams_[stream].model; }
    /// A packet will be born.
    bool armed() const { return wakeup_.armed(); }

    Simulation& simulation_;
    PacketNumbers ids_;
    const unsigned number_;

private:
    struct Stream {
        TrafficModel* model;
        Injection next;
    };

    void inject();
    void ask(Stream& stream);
    Duration first() const;

    std::vector<Stream> streams_;
    Wakeup wakeup_;
    Counter offered_, dropped_;
};

}  // namespace ringmesh::hw
