// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

#include "tlm/error.h"
#include "tlm/processor.h"
#include "tlm/simulation.h"

namespace ringmesh {

/// What a workload needs at each node of a machine.
enum class NodeKind : std::uint8_t {
    kProcessor,     ///< the whole host or core, for programs
    kPacketSource,  ///< a source of packets as near to the links as can be: on the link controller of a ring's node, on
                    ///< the B-Link where a card has several, at the router's local port of a mesh
    kCardSource,    ///< a source of packets in the place of the host's bridge: on the B-Link
};

/// A machine that is built and wired, as workloads see it. What only some machines have is in classes derived
/// from this.
class Machine {
public:
    virtual ~Machine() = default;
    virtual Simulation& simulation() = 0;
    virtual unsigned nodes() const = 0;
};

/// A machine that runs programs.
class ProcessorMachine : public virtual Machine {
public:
    static constexpr std::string_view kIs = "machines with processors";

    /// @pre the machine was built with processors
    virtual Processor& processor(unsigned rank) = 0;
};

/// The machine as one of a sort, such as SciMachine.
/// @param who begins the message
/// @throws UserError if it is of another sort
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
