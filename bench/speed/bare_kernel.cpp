// SPDX-License-Identifier: Apache-2.0
//
// The SystemC kernel alone: so many methods, each waiting for its own event at its own time, woken again and again.
// Prints one JSON line: timed events per second of wall time. What the model's speed is compared with.
//
//     bare_kernel PENDING [EVENTS]

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "bench/speed/measure.h"

namespace {

std::uint64_t events_left = 0;

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
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        event_.notify(sc_core::sc_time::from_value(50'000 + (state_ >> 47)));  // 50 to 181 ns, all different
    }

    sc_core::sc_event event_{"event"};
    std::uint64_t state_;
};

}  // namespace

int sc_main(int argc, char** argv)
{
    const int pending = argc > 1 ? std::atoi(argv[1]) : 0;
    if (pending < 1) {
        std::fputs("usage: bare_kernel PENDING [EVENTS]\n", stderr);
        return 2;
    }
    const auto events = static_cast<std::uint64_t>(argc > 2 ? std::atof(argv[2]) : 5e6);
    std::vector<std::unique_ptr<Ticker>> tickers;
    for (int i = 0; i < pending; ++i) {
        const std::string name = "ticker" + std::to_string(i);
        tickers.push_back(std::make_unique<Ticker>(name.c_str(), static_cast<std::uint64_t>(i) * 7919 + 1));
    }
    events_left = events + static_cast<std::uint64_t>(pending);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);  // every ticker's first event
    const ringmesh::bench::Stopwatch watch;
    sc_core::sc_start();
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
