// SPDX-License-Identifier: Apache-2.0
#include "tlm/machine/program_runner.h"

#include <fmt/format.h>

#include <utility>

#include "tlm/error.h"

namespace ringmesh {

void ProgramRunner::give(Task<> program, std::string name)
{
    if (given_) {
        throw ModelError(
            fmt::format("processor {} has the program '{}' already and is given '{}'", processor_.rank(), name_, name));
    }
    given_ = true;
    task_ = std::move(program);
    name_ = std::move(name);
}

bool ProgramRunner::resume(std::coroutine_handle<>& suspended)
{
    try {
        if (suspended) {
            std::exchange(suspended, {}).resume();
        } else {
            task_.start();
        }
        if (!task_.done()) return false;
        task_.result();
    } catch (...) {
        fail();
    }
    return true;
}

void ProgramRunner::fail()
{
    try {
        throw;
    } catch (const UserError& error) {  // what a fault holds up may look like a wrong option
        if (simulation_.faults().struck().empty()) return simulation_.fail(std::current_exception());
        simulation_.fail(
            std::make_exception_ptr(FaultError(fmt::format("{}; {}", error.what(), text_of(simulation_.standing())))));
    } catch (const WrongBytes& error) {
        simulation_.fail(simulation_.faults().took() ? std::make_exception_ptr(FaultError(error.what()))
                                                     : std::current_exception());
    } catch (const ModelError&) {
        simulation_.fail(std::current_exception());
    } catch (const FaultError&) {
        simulation_.fail(std::current_exception());
    } catch (const std::exception& error) {
        const auto text = fmt::format("{} on processor {} fails at {:.3f} us: {}", name_, processor_.rank(),
                                      processor_.time().us(), error.what());
        simulation_.fail(std::make_exception_ptr(ModelError(text)));
    }
}

std::string ProgramRunner::pending(std::string_view waits) const
{
    return task_.done() ? std::string() : fmt::format("{} {}", name_, waits);
}

}  // namespace ringmesh
