// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hw/route_graph.h"
#include "platforms/configuration.h"
#include "tlm/division/processes.h"
#include "tlm/machine/machine.h"
#include "tlm/machine/traffic_machine.h"
#include "tlm/parameters/parameter_list.h"
#include "tlm/simulation/fault.h"
#include "tlm/units/units.h"

/// Builds and wires a machine from a configuration.
namespace ringmesh::platforms {

/// One line of a machine's routes, as a table of a TOML file has it.
struct RouteRow {
    std::string table;    ///< "routes.node0": the box that the packets leave
    std::string targets;  ///< a node or a range: "1..5"
    std::string way;      ///< the port, as TOML writes it
};

/// Adds the rows of one table. @param ways by target; where it is empty nothing goes, and a range may reach over it
void add_rows(std::vector<RouteRow>& rows, const std::string& table, const std::vector<std::string>& ways);

/// What packets of a network can wait for.
struct WaitCheck {
    std::string network;             ///< "SCI"
    std::string channels;            ///< what they are: "send and receive queues of link controllers"
    hw::WaitGraph graph;             ///< of them
    std::vector<std::string> names;  ///< of the channels of a cycle; empty: there is none, so nothing can deadlock
    std::string rests_on;            ///< what must hold besides, as a sentence
};

/// A kind of machine: its parameters and its construction.
class MachineKind {
public:
    virtual ~MachineKind() = default;
    virtual std::string name() const = 0;  ///< as in a platform file: machine = "wulfkit"
    virtual std::string description() const = 0;
    /// The interfaces of its machines: SomeMachine::kIs of each.
    virtual std::vector<std::string_view> offers() const = 0;
    /// Of its machines as networks of packet sources.
    virtual UsualTraffic usual_traffic() const { return {}; }
    /// Every parameter with the value that this configuration gives it, and whether it is in use on a machine with such
    /// nodes. @throws UserError if the configuration is wrong anywhere
    virtual std::vector<ParameterRow> effective_parameters(const Configuration& configuration,
                                                           const NodeUse& nodes = {}) const = 0;
    /// The ways of all packets, box by box: what the machine's own parameters take back as a table.
    /// @throws UserError if the configuration is wrong anywhere, or this kind has no such table
    virtual std::vector<RouteRow> routes(const Configuration& configuration) const;
    /// The channel dependency graphs of its networks (docs/reference/machines/deadlock.md); none if the kind has no
    /// networks of ours.
    /// @param nodes processors, whose requests are answered, or packet sources
    /// @throws UserError if the configuration is wrong anywhere
    virtual std::vector<WaitCheck> waits(const Configuration& configuration, NodeKind nodes) const;
    /// The faults that its blocks know, by sort of block; none.
    struct FaultSort {
        std::string_view blocks;  ///< "node*.lc2*"
        std::span<const FaultWord> words;
    };
    virtual std::vector<FaultSort> faults() const { return {}; }
    /// What the machine takes beside the program, as measured on machines of its kind, to a fifth; 0: not known.
    virtual Bytes memory(const Configuration& /*configuration*/, NodeKind /*nodes*/) const { return 0_B; }
    /// Why one process runs such a machine, as a sentence without its end; empty: it can be cut (Division).
    /// @param watched the use of its places is measured, or a waveform recorded
    virtual std::string undivided(const Configuration& configuration, NodeKind nodes, bool watched) const;
    /// What it is cut by. @pre it can be
    virtual PlaceGraph place_graph(const Configuration& /*configuration*/) const { return {}; }
    /// Builds the machine; `simulation` outlives it. @throws UserError if the configuration is wrong anywhere
    virtual std::unique_ptr<Machine> build(const Configuration& configuration, const NodeUse& nodes,
                                           Simulation& simulation) const = 0;
};

/// Builds a machine whose blocks have these faults. @throws UserError if a fault is none, or no block knows it
std::unique_ptr<Machine> with_faults(const Configuration& configuration, const FaultTable& faults,
                                     Simulation& simulation, const std::function<std::unique_ptr<Machine>()>& build);

const std::vector<const MachineKind*>& machine_kinds();
/// The kind named by a configuration. @throws UserError naming the nearest known one
const MachineKind& machine_kind(const Configuration& configuration);

}  // namespace ringmesh::platforms
