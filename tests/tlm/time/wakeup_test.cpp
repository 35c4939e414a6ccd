// SPDX-License-Identifier: Apache-2.0
#include "tlm/time/wakeup.h"

#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/cases.h"
#include "tests/tlm/alarm.h"
#include "tlm/simulation/random.h"
#include "tlm/simulation/simulation.h"
#include "tlm/time/calendar.h"

namespace {

using namespace ringmesh;

/// A block that waits for several events, as hardware does: it holds their times, keeps one Wakeup for each of two
/// kinds, and whenever it runs handles the due ones and requests the earliest of the rest. Each must be handled exactly
/// at its time, or at once if that had passed when it was requested.
class Worker final : public sc_core::sc_module {
public:
    SC_HAS_PROCESS(Worker);
    explicit Worker(const sc_core::sc_module_name& name) : sc_module(name)
    {
        SC_METHOD(step);
        for (const Sort& sort : sorts_) sensitive << sort.wakeup.event();
        sensitive << disturbance;
        dont_initialize();
    }

    /// Requests an event at a time, from outside or while it runs.
    void want(std::size_t sort, Duration time)
    {
        sorts_[sort].due.insert(std::max(time, now()));
        sorts_[sort].wakeup.at(time);
    }
    sc_core::sc_event disturbance{"disturbance"};  ///< runs the method as well
    /// Requests more while the method runs.
    class Asker* inside = nullptr;
    std::uint64_t done = 0;
    std::uint64_t late = 0;
    std::size_t left() const { return sorts_[0].due.size() + sorts_[1].due.size(); }

private:
    void ask_inside();

    struct Sort {
        Wakeup wakeup;
        std::multiset<Duration> due;
    };

    void step()
    {
        const Duration time = now();
        for (Sort& sort : sorts_) {
            sort.wakeup.taken(time);
            while (!sort.due.empty() && *sort.due.begin() <= time) {
                if (*sort.due.begin() < time) ++late;
                ++done;
                sort.due.erase(sort.due.begin());
            }
        }
        ask_inside();
        for (Sort& sort : sorts_) {
            if (!sort.due.empty()) sort.wakeup.at(*sort.due.begin());
        }
    }

    std::array<Sort, 2> sorts_{{{Wakeup("first"), {}}, {Wakeup("second"), {}}}};
};

/// Sends random requests to a worker: for the past, now and the future; one or several per step; with the worker's
/// method run by another event in the same step or not.
class Asker final : public sc_core::sc_module {
public:
    SC_HAS_PROCESS(Asker);
    Asker(const sc_core::sc_module_name& name, Worker& worker, Random random)
        : sc_module(name), worker_(worker), random_(random)
    {
        SC_METHOD(step);
        sensitive << again_;
    }
    std::uint64_t asked = 0;

    void ask()
    {
        const Duration time = now();
        for (std::uint64_t times = random_.below(4); times > 0; --times) {
            const auto away = static_cast<std::int64_t>(random_.below(7)) - 3;
            const Duration wanted = time + Duration::picoseconds(away);
            worker_.want(random_.below(2), wanted < Duration{} ? Duration{} : wanted);
            ++asked;
        }
    }

private:
    void step()
    {
        if (++steps_ > 2000) return;
        ask();
        switch (random_.below(8)) {
            case 0: worker_.disturbance.notify(); break;
            case 1: worker_.disturbance.notify(sc_core::SC_ZERO_TIME); break;
            case 2: worker_.disturbance.notify(1, sc_core::SC_PS); break;
            default: break;
        }
        const std::uint64_t wait = random_.below(4);
        again_.notify(static_cast<double>(wait), sc_core::SC_PS);
    }

    Worker& worker_;
    Random random_;
    sc_core::sc_event again_{"again"};
    int steps_ = 0;
};

/// A block whose wake-up a calendar runs.
struct Woken {
    Woken(Calendar& calendar, std::vector<std::pair<int, Duration>>& runs, int number)
        : wakeup(("wakeup" + std::to_string(number)).c_str()), runs_(runs), number_(number)
    {
        run_by<&Woken::run>(&calendar, *this, wakeup);
    }
    void run()
    {
        if (!wakeup.taken(now())) return;
        runs_.emplace_back(number_, now());
        if (wakes != nullptr) wakes->wakeup.at(now());
    }
    Wakeup wakeup;
    Woken* wakes = nullptr;  // for the present

private:
    std::vector<std::pair<int, Duration>>& runs_;
    int number_;
};

void Worker::ask_inside()
{
    if (inside != nullptr) inside->ask();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(wakeup)

BOOST_AUTO_TEST_CASE(the_earliest_request_counts_whatever_the_order)
{
    Simulation simulation(1);
    std::vector<Duration> times;
    Alarm alarm("alarm", [&] { times.push_back(now()); });
    alarm.wakeup.at(30_ns);
    alarm.wakeup.at(10_ns);
    alarm.wakeup.at(20_ns);
    BOOST_TEST(alarm.wakeup.armed());
    simulation.run();
    BOOST_TEST_REQUIRE(times.size() == 1u);
    BOOST_TEST((times[0] == 10_ns));
    BOOST_TEST(!alarm.wakeup.armed());
}

BOOST_AUTO_TEST_CASE(a_request_for_the_past_wakes_now_and_never_asks_for_nothing)
{
    Simulation simulation(1);
    std::vector<Duration> times;
    Alarm alarm("alarm", [&] {
        times.push_back(now());
        alarm.wakeup.at(times.size() == 1 ? 5_ns : Duration::never());
    });
    alarm.wakeup.at(10_ns);
    simulation.run();
    BOOST_TEST_REQUIRE(times.size() == 2u);
    BOOST_TEST((times[1] == 10_ns));
}

BOOST_AUTO_TEST_CASE(a_request_whose_time_has_not_come_is_not_used_up)
{
    Simulation simulation(1);
    Alarm alarm("alarm", [] {});
    alarm.wakeup.at(10_ns);
    BOOST_TEST(!alarm.wakeup.taken(9_ns));
    BOOST_TEST(alarm.wakeup.armed());
    BOOST_TEST(alarm.wakeup.taken(10_ns));
    BOOST_TEST(!alarm.wakeup.armed());
}

BOOST_AUTO_TEST_CASE(a_second_request_for_now_does_not_hide_a_later_one)
{
    Simulation simulation(1);
    std::vector<Duration> times;
    Alarm alarm("alarm", [&] {
        times.push_back(now());
        if (times.size() == 1) alarm.wakeup.at(20_ns);
    });
    Alarm before("before", [&] { alarm.wakeup.at(3_ns); });
    before.wakeup.at(10_ns);
    alarm.wakeup.at(10_ns);
    simulation.run();
    BOOST_TEST_REQUIRE(times.size() == 2u);
    BOOST_TEST((times[1] == 20_ns));
}

// Two askers, so that requests come before and after the worker's own method in a step.
BOOST_DATA_TEST_CASE(random_requests_are_each_met_at_their_time, data::xrange(20), seed)
{
    Simulation simulation(static_cast<std::uint64_t>(seed));
    Worker worker("worker");
    Asker one("one", worker, simulation.random_for("one"));
    Asker other("other", worker, simulation.random_for("other"));
    worker.inside = &other;
    simulation.run();
    BOOST_TEST(worker.left() == 0u);
    BOOST_TEST(worker.late == 0u);
    BOOST_TEST(worker.done == one.asked + other.asked);
    BOOST_TEST(worker.done > 5000u);
}

BOOST_AUTO_TEST_CASE(a_calendar_runs_simultaneous_ones_in_the_order_in_which_they_were_added)
{
    Simulation simulation(1);
    simulation.make_calendar();
    std::vector<std::pair<int, Duration>> runs;
    Woken first(*simulation.calendar(), runs, 1), second(*simulation.calendar(), runs, 2);
    Woken third(*simulation.calendar(), runs, 3), never(*simulation.calendar(), runs, 4);
    never.wakeup.at(1_ms);
    third.wakeup.at(5_ns);
    first.wakeup.at(9_ns);
    first.wakeup.at(5_ns);
    second.wakeup.at(5_ns);
    third.wakes = &first;  // whose turn at this time has been
    second.wakes = &third;
    simulation.run_until(1_us);
    const std::vector<std::pair<int, Duration>> expected{{1, 5_ns}, {2, 5_ns}, {3, 5_ns}, {1, 5_ns}};
    BOOST_TEST((runs == expected));
}

BOOST_AUTO_TEST_CASE(a_calendar_forgets_a_request_whose_block_has_run_and_ends_where_something_ends)
{
    Simulation simulation(1);
    simulation.make_calendar();
    std::vector<std::pair<int, Duration>> runs;
    Woken first(*simulation.calendar(), runs, 1), second(*simulation.calendar(), runs, 2);
    first.wakeup.at(3_ns);
    second.wakeup.at(4_ns);
    BOOST_TEST(second.wakeup.taken(4_ns));
    simulation.calendar()->reach(7_ns);
    simulation.run();
    BOOST_TEST((runs == std::vector<std::pair<int, Duration>>{{1, 3_ns}}));
    BOOST_TEST((now() == 7_ns));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
