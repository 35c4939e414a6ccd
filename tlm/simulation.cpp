// SPDX-License-Identifier: Apache-2.0
#include "tlm/simulation.h"

#include <fmt/format.h>

#include "tlm/error.h"
#include "tlm/kernel_time.h"

namespace ringmesh {

Simulation::Simulation(std::uint64_t seed) : seed_(seed)
{
    if (sc_core::sc_get_time_resolution() != sc_core::sc_time(1, sc_core::SC_PS)) {
        sc_core::sc_set_time_resolution(1, sc_core::SC_PS);
    }
}

void Simulation::run()
{
    sc_core::sc_start();
    rethrow_failure();
}

void Simulation::run_until(Duration end)
{
    // sc_start(t) does not run events due exactly at its end: run one picosecond further.
    sc_core::sc_start(to_kernel(end - now() + Duration::picoseconds(1)));
    rethrow_failure();
}

void Simulation::fail(std::exception_ptr error)
{
    if (!failure_) failure_ = std::move(error);
    sc_core::sc_stop();
}

void Simulation::rethrow_failure()
{
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

std::string Simulation::held() const
{
    constexpr std::size_t kShown = 64;
    std::string lines;
    std::size_t holding = 0;
    for (const Component* component : components_) {
        const auto what = component->pending();
        if (what.empty()) continue;
        if (++holding <= kShown) lines += fmt::format("\n  {}: {}", component->component_name(), what);
    }
    if (holding > kShown) lines += fmt::format("\n  and {} more", holding - kShown);
    return lines;
}

void Simulation::give_up()
{
    if (now() < works_until_) {
        refusals_ = 0;
        return;
    }
    fail_stuck("every request was refused");
}

void Simulation::fail_stuck(std::string_view what)
{
    fail(std::make_exception_ptr(
        StuckError(fmt::format("livelock at {:.3f} us: {}, {} times in a row; these blocks are not idle:{}", now().us(),
                               what, refusals_, held()))));
}

std::size_t Simulation::objects_in_use() const
{
    std::size_t sum = 0;
    for (const auto& account : pools_) sum += account->in_use();
    return sum;
}

void Simulation::require_drained() const
{
    const std::string stuck = held();
    if (!stuck.empty()) {
        throw StuckError(fmt::format("no progress at {:.3f} us, but these blocks are not idle:{}", now().us(), stuck));
    }
    PendingText lost;
    for (const auto& account : pools_) lost.add(account->in_use(), account->kind());
    if (lost.text().empty()) return;
    throw ModelError(fmt::format("neither delivered nor held by any block: {}", lost.text()));
}

}  // namespace ringmesh
