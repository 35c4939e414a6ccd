// SPDX-License-Identifier: Apache-2.0
/// How often the test for a rise of the backlog, which `saturate` and `run` use, finds one in queues whose answer is
/// known: those with a utilisation below 1 are stable, those above grow. Each is seen 500 times, after a warm-up by
/// MSER-5.
///
///     queues [QUEUES]     of each kind, 2000 if not given: minutes
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <span>

#include "tests/workloads/traffic/measurements/queue_series.h"
#include "workloads/traffic/measurements/steady_state.h"

using namespace ringmesh;
using test::Service;

int sc_main(int, char**) { return 0; }  // the kernel is linked, and does not run

int main(int argc, char** argv)
{
    constexpr std::array kLevels{0.05, 0.01, workloads::kFalseAlarms};
    const int queues = argc > 1 ? std::atoi(argv[1]) : 2000;
    fmt::print("queue  utilisation  customers  found rising at 5 %  at 1 %  at {:g} %\n",
               100 * workloads::kFalseAlarms);
    for (const Service service : {Service::kExponential, Service::kConstant}) {
        for (const double utilisation : {0.5, 0.8, 0.9, 0.95, 1.0, 1.02, 1.05, 1.1, 1.3}) {
            for (const int customers : {5'000, 20'000, 100'000}) {
                std::array<int, kLevels.size()> found{};
                for (int queue = 0; queue < queues; ++queue) {
                    Random random(static_cast<std::uint64_t>(queue) + 1);
                    const auto series = test::queue_series(utilisation, service, customers, 500, random);
                    const auto rest = std::span(series).subspan(workloads::warm_up_by_mser5(series));
                    const double chance = workloads::test_for_rise(rest)->chance;
                    for (std::size_t i = 0; i < kLevels.size(); ++i) found[i] += chance < kLevels[i] ? 1 : 0;
                }
                const auto percent = [queues](int count) { return 100.0 * count / queues; };
                fmt::print("{:5}  {:11}  {:9}  {:17.2f} %  {:4.2f} %  {:6.2f} %\n",
                           service == Service::kConstant ? "M/D/1" : "M/M/1", utilisation, customers, percent(found[0]),
                           percent(found[1]), percent(found[2]));
            }
        }
    }
    return 0;
}
