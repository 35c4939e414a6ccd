// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <coroutine>
#include <string>
#include <string_view>

#include "tlm/error.h"
#include "tlm/machine/processor.h"
#include "tlm/machine/task.h"
#include "tlm/simulation/simulation.h"

namespace ringmesh {

/// A program has received other bytes than were sent: an error of the model, unless the run injects faults.
class WrongBytes : public ModelError {
public:
    using ModelError::ModelError;
};

/// Runs a processor's program: starts and resumes it, and stops the simulation when it fails. Must be the last member
/// of its processor: the program's frames may use all others when they are destroyed.
class ProgramRunner {
public:
    ProgramRunner(Simulation& simulation, const Processor& processor) : simulation_(simulation), processor_(processor)
    {}

    /// @throws ModelError if the processor has one already
    void give(Task<> program, std::string name);
    /// Starts the program, or resumes it at `suspended`, which is then empty.
    /// @return whether it has ended or failed
    bool resume(std::coroutine_handle<>& suspended);
    /// Stops the simulation with the current exception. An error from outside Ringmesh gets the program's name, rank
    /// and time.
    void fail();

    const std::string& name() const { return name_; }
    /// Also if there is none.
    bool finished() const { return task_.done(); }
    /// The program's name and what it waits for; empty if it is finished.
    std::string pending(std::string_view waits = "has not finished") const;

private:
    Simulation& simulation_;
    const Processor& processor_;
    std::string name_;
    bool given_ = false;
    Task<> task_;
};

}  // namespace ringmesh
