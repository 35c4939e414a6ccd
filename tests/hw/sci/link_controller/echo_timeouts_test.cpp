// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/link_controller/echo_timeouts.h"

#include <utility>
#include <vector>

#include "tests/hw/printing.h"
#include "tests/support/cases.h"
#include "tlm/simulation/simulation.h"

namespace ringmesh::hw::echo_timeouts_test {
namespace {

struct Bench {
    struct Sender final : EchoTimeouts::Owner {
        explicit Sender(std::vector<std::pair<int, Duration>>& all, int own) : calls(all), number(own) {}
        void echo_timeout_due(Duration time) override
        {
            calls.emplace_back(number, time);
            if (next > time) timeouts->set(*this, next, time);
        }
        std::vector<std::pair<int, Duration>>& calls;
        int number;
        EchoTimeouts* timeouts = nullptr;
        Duration next;
    };
    Simulation simulation{1};
    EchoTimeouts timeouts;
    std::vector<std::pair<int, Duration>> calls;
    Sender first{calls, 1};
    Sender second{calls, 2};
};

using Calls = std::vector<std::pair<int, Duration>>;

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(echo_timeouts)

BOOST_AUTO_TEST_CASE(each_owner_is_called_when_its_own_time_has_come)
{
    Bench bench;
    bench.timeouts.set(bench.first, 9_us, Duration::zero());
    bench.timeouts.set(bench.second, 5_us, Duration::zero());
    bench.simulation.run();
    BOOST_TEST((bench.calls == Calls{{2, 5_us}, {1, 9_us}}));
}

BOOST_AUTO_TEST_CASE(an_owner_waits_for_one_time_and_may_set_the_next_one_when_it_is_called)
{
    Bench bench;
    bench.first.timeouts = &bench.timeouts;
    bench.first.next = 7_us;
    bench.timeouts.set(bench.first, 5_us, Duration::zero());
    bench.timeouts.set(bench.first, 6_us, Duration::zero());
    bench.simulation.run();
    BOOST_TEST((bench.calls == Calls{{1, 5_us}, {1, 7_us}}));
    bench.timeouts.set(bench.first, 8_us, now());
    bench.simulation.run();
    BOOST_TEST((bench.calls == Calls{{1, 5_us}, {1, 7_us}, {1, 8_us}}));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace ringmesh::hw::echo_timeouts_test
