// SPDX-License-Identifier: Apache-2.0
//
// The SystemC kernel alone: so many methods, each waiting for its own event at its own time, woken again and again.
// Prints one JSON line: timed events per second of wall time. What the model's speed is compared with. Or the same with
// the calendar that wakes the model's blocks.
//
//     bare_kernel PENDING [EVENTS [calendar]]

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <systemc>
#include <vector>

#include "bench/speed/measure.h"
#include "tlm/simulation/simulation.h"
#include "tlm/time/wakeup.h"

namespace {

using namespace ringmesh;

std::uint64_t events_left = 0;

/// 50 to 181 ns, all different.
std::uint64_t next_span_ps(std::uint64_t& state)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return 50'000 + (state >> 47);
}

class Ticker final : public sc_core::sc_module {
public:
    SC_HAS_PROCESS(Ticker);
    Ticker(const sc_core::sc_module_name& name, std::uint64_t seed) : sc_module(name), state_(seed)
    {
        SC_METHOD(tick);
        sensitive << event_;
    }

private:
    void tick()
    {
        if (events_left == 0) return;
        --events_left;
        event_.notify(sc_core::sc_time::from_value(next_span_ps(state_)));
    }

    sc_core::sc_event event_{"event"};
    std::uint64_t state_;
};

class Woken final {
public:
    Woken(Simulation& simulation, std::uint64_t seed)
        : wakeup_(wakes<&Woken::tick>(simulation.calendar(), *this)), state_(seed)
    {
        wakeup_.at(Duration::zero());
    }

private:
    void tick()
    {
        const Duration present = now();
        wakeup_.taken(present);
        if (events_left == 0) return;
        --events_left;
        wakeup_.at(present + Duration::picoseconds(static_cast<std::int64_t>(next_span_ps(state_))), present);
    }

    Wakeup wakeup_;
    std::uint64_t state_;
};

}  // namespace

int sc_main(int argc, char** argv)
{
    const int pending = argc > 1 ? std::atoi(argv[1]) : 0;
    if (pending < 1) {
        std::fputs("usage: bare_kernel PENDING [EVENTS [calendar]]\n", stderr);
        return 2;
    }
    const auto events = static_cast<std::uint64_t>(argc > 2 ? std::atof(argv[2]) : 5e6);
    const bool by_calendar = argc > 3 && std::string_view(argv[3]) == "calendar";
    Simulation simulation(1);
    std::vector<std::unique_ptr<Ticker>> tickers;
    std::vector<std::unique_ptr<Woken>> blocks;
    for (int i = 0; i < pending; ++i) {
        const auto seed = static_cast<std::uint64_t>(i) * 7919 + 1;
        if (by_calendar) {
            blocks.push_back(std::make_unique<Woken>(simulation, seed));
        } else {
            tickers.push_back(std::make_unique<Ticker>(("ticker" + std::to_string(i)).c_str(), seed));
        }
    }
    events_left = events + static_cast<std::uint64_t>(pending);
    simulation.run_until(Duration::zero());  // everybody's first event
    const bench::Stopwatch watch;
    simulation.run();
    const double wall = watch.seconds();
    std::printf("{\"pending\": %d, \"events\": %llu, \"wall_seconds\": %.4f, \"events_per_second\": %.0f}\n", pending,
                static_cast<unsigned long long>(events), wall, static_cast<double>(events) / wall);
    std::fflush(stdout);
    std::_Exit(0);
}

int main(int argc, char** argv)
{
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
    return sc_core::sc_elab_and_sim(argc, argv);
}
