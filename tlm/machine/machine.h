// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "tlm/error.h"
#include "tlm/machine/processor.h"
#include "tlm/machine/torus_shape.h"
#include "tlm/parameters/node_kind.h"
#include "tlm/simulation/simulation.h"

namespace ringmesh {

class TrafficMachine;

/// A machine that is built and wired, as workloads see it. Capabilities of some machines are in derived classes.
class Machine {
public:
    virtual ~Machine() = default;
    virtual Simulation& simulation() = 0;
    virtual unsigned nodes() const = 0;
    /// Its packet sources, also those beside processors (NodeUse::sources); null: it was built without.
    virtual TrafficMachine* sources() { return nullptr; }
};

/// A machine that runs programs.
class ProcessorMachine : public virtual Machine {
public:
    static constexpr std::string_view kIs = "machines with processors";

    /// Processors that run programs: first one of each node, then the second ones.
    virtual unsigned processors() const { return nodes(); }
    /// @pre the machine was built with processors, and the number is below processors()
    virtual Processor& processor(unsigned number) = 0;
    /// Whether this process runs its programs: of a divided run those of its own part, although each process has built
    /// all processors.
    virtual bool runs(unsigned /*processor*/) const { return true; }
    /// Coordinates of the nodes, of which those with neighbouring ones are linked; none: the machine is irregular.
    virtual std::optional<TorusShape> shape() const { return std::nullopt; }
};

/// The machine's interface of a kind, such as SciMachine.
/// @param who begins the message
/// @throws UserError if it has not this interface
template <class SomeMachine>
SomeMachine& machine_as(Machine& machine, std::string_view who = "this workload")
{
    if (auto* found = dynamic_cast<SomeMachine*>(&machine)) return *found;
    throw UserError(
        fmt::format("{} runs on {}, and this platform is something else; `ringmesh list workloads` says what "
                    "runs on what",
                    who, SomeMachine::kIs));
}

}  // namespace ringmesh
