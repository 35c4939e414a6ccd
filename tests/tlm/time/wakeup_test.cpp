// SPDX-License-Identifier: Apache-2.0
#include "tlm/time/wakeup.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
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
/// at its time, or at once if that had passed when it was requested. A process of the kernel runs it as well.
class Worker final : public sc_core::sc_module {
public:
    SC_HAS_PROCESS(Worker);
    Worker(const sc_core::sc_module_name& name, Simulation& simulation)
        : sc_module(name),
          sorts_{{{Wakeup(wakes<&Worker::step>(simulation.calendar(), *this)), {}},
                  {Wakeup(wakes<&Worker::step>(simulation.calendar(), *this)), {}}}}
    {
        SC_METHOD(step);
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

    std::array<Sort, 2> sorts_;
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
    Woken(Simulation& simulation, std::vector<std::pair<int, Duration>>& runs, int number)
        : wakeup(wakes<&Woken::run>(simulation.calendar(), *this)), runs_(runs), number_(number)
    {}
    void run()
    {
        if (!wakeup.taken(now())) return;
        runs_.emplace_back(number_, now());
        if (next != nullptr) next->wakeup.at(now());
    }
    Wakeup wakeup;
    Woken* next = nullptr;  // it wakes this one for the present

private:
    std::vector<std::pair<int, Duration>>& runs_;
    int number_;
};

/// Blocks that ask, again and take back for each other at random, from picoseconds to minutes ahead. Who runs must be
/// the first of those that are due, by time and number.
class Crowd {
public:
    Crowd(Simulation& simulation, std::uint64_t seed, unsigned size)
        : random_(simulation.random_for("crowd")), seed_(seed)
    {
        for (unsigned number = 0; number < size; ++number) {
            sleepers_.push_back(std::make_unique<Sleeper>(simulation, *this, number));
        }
    }
    /// One request, or one that is taken back.
    void ask()
    {
        Sleeper& sleeper = *sleepers_[random_.below(sleepers_.size())];
        Duration& pending = sleeper.pending;
        if (random_.below(8) == 0) {
            due_.erase({pending, sleeper.number});
            pending = Duration::never();
            sleeper.wakeup.cancel();
            return;
        }
        const std::uint64_t span = random_.below(std::uint64_t{1} << random_.below(kLongest));
        const Duration time = random_.below(4) == 0 ? now() : now() + Duration::picoseconds(std::int64_t(span));
        if (time < pending) {
            due_.erase({pending, sleeper.number});
            pending = time;
            due_.emplace(time, sleeper.number);
        }
        sleeper.wakeup.at(time);
    }
    std::uint64_t runs = 0, wrong = 0;
    bool rests() const { return due_.empty(); }

private:
    static constexpr unsigned kLongest = 46;
    static constexpr std::uint64_t kRuns = 30'000;
    struct Sleeper {
        Sleeper(Simulation& simulation, Crowd& whole, unsigned its_number)
            : wakeup(wakes<&Sleeper::wake>(simulation.calendar(), *this)), crowd(whole), number(its_number)
        {}
        void wake() { crowd.woken(*this); }
        Wakeup wakeup;
        Crowd& crowd;
        unsigned number;
        Duration pending = Duration::never();
    };

    void woken(Sleeper& sleeper)
    {
        ++runs;
        if (due_.empty() || *due_.begin() != std::pair(now(), sleeper.number) || !sleeper.wakeup.taken(now())) ++wrong;
        due_.erase({sleeper.pending, sleeper.number});
        sleeper.pending = Duration::never();
        if (runs > kRuns) return;
        for (std::uint64_t times = 1 + random_.below(3 - seed_ % 2); times > 0; --times) ask();
        while (due_.empty()) ask();
    }

    std::vector<std::unique_ptr<Sleeper>> sleepers_;
    std::set<std::pair<Duration, unsigned>> due_;
    Random random_;
    std::uint64_t seed_;
};

/// A process of somebody else, with sc_events alone. It notes what it sees at each of its times.
class Stranger final : public sc_core::sc_module {
public:
    SC_HAS_PROCESS(Stranger);
    Stranger(const sc_core::sc_module_name& name, std::function<void()> act) : sc_module(name), act_(std::move(act))
    {
        SC_METHOD(run);
        sensitive << event;
        dont_initialize();
    }
    sc_core::sc_event event{"event"};

private:
    void run() { act_(); }
    std::function<void()> act_;
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
    Alarm alarm(simulation, [&] { times.push_back(now()); });
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
    Alarm alarm(simulation, [&] {
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
    Alarm alarm(simulation, [] {});
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
    Alarm* asked = nullptr;
    Alarm before(simulation, [&] { asked->wakeup.at(3_ns); });
    Alarm alarm(simulation, [&] {
        times.push_back(now());
        if (times.size() == 1) alarm.wakeup.at(20_ns);
    });
    asked = &alarm;
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
    Worker worker("worker", simulation);
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
    std::vector<std::pair<int, Duration>> runs;
    Woken first(simulation, runs, 1), second(simulation, runs, 2);
    Woken third(simulation, runs, 3), never(simulation, runs, 4);
    never.wakeup.at(1_ms);
    third.wakeup.at(5_ns);
    first.wakeup.at(9_ns);
    first.wakeup.at(5_ns);
    second.wakeup.at(5_ns);
    third.next = &first;  // whose turn at this time has been
    second.next = &third;
    simulation.run_until(1_us);
    const std::vector<std::pair<int, Duration>> expected{{1, 5_ns}, {2, 5_ns}, {3, 5_ns}, {1, 5_ns}};
    BOOST_TEST((runs == expected));
}

/// Two wake-ups of each of three parts, built in turns, and one of the whole machine, at one time.
std::string order_of_parts(std::uint64_t shuffled_by)
{
    Simulation simulation(1);
    std::string order;
    std::vector<std::unique_ptr<Alarm>> alarms;
    const auto add = [&](char name) {
        alarms.push_back(std::make_unique<Alarm>(simulation, [&order, name] { order += name; }));
        alarms.back()->wakeup.at(5_ns);
    };
    for (const char* names : {"abc", "ABC"}) {
        for (const std::size_t part : {2U, 0U, 1U}) {
            simulation.begin_part(part);
            add(names[part]);
        }
    }
    simulation.end_parts();
    add('.');
    simulation.calendar().shuffle_places(shuffled_by);
    simulation.run();
    return order;
}

BOOST_AUTO_TEST_CASE(a_calendar_runs_the_whole_machine_first_and_then_parts_by_number)
{
    BOOST_TEST(order_of_parts(0) == ".aAbBcC");
}

BOOST_AUTO_TEST_CASE(a_calendar_runs_parts_the_other_way_round) { BOOST_TEST(order_of_parts(1) == ".cCbBaA"); }

BOOST_AUTO_TEST_CASE(joined_parts_run_by_number_in_any_order)
{
    Simulation simulation(1);
    std::string order;
    simulation.begin_part(0);
    Alarm first(simulation, [&order] { order += 'a'; });
    simulation.begin_part(1);
    Alarm second(simulation, [&order] { order += 'b'; });
    first.wakeup.at(1_ns);
    second.wakeup.at(1_ns);
    BOOST_TEST(simulation.calendar().places() == 2u);
    simulation.calendar().join_places();
    BOOST_TEST(simulation.calendar().places() == 1u);
    simulation.calendar().shuffle_places(1);
    simulation.run();
    BOOST_TEST(order == "ab");
}

BOOST_DATA_TEST_CASE(a_shuffled_calendar_runs_parts_in_any_order_and_each_in_its_own, data::xrange(2, 9), seed)
{
    const std::set<std::string> possible{".aAbBcC", ".aAcCbB", ".bBaAcC", ".bBcCaA", ".cCaAbB", ".cCbBaA"};
    BOOST_TEST(possible.contains(order_of_parts(static_cast<std::uint64_t>(seed))));
}

BOOST_AUTO_TEST_CASE(packets_are_numbered_by_part)
{
    Simulation simulation(1);
    simulation.begin_part(0);
    PacketNumbers first = simulation.packet_numbers();
    simulation.begin_part(2);
    PacketNumbers third = simulation.packet_numbers();
    PacketNumbers also_third = simulation.packet_numbers();
    simulation.end_parts();
    const std::vector<std::uint64_t> numbers{third.next(), first.next(), also_third.next(), third.next(), first.next()};
    BOOST_TEST((numbers == std::vector<std::uint64_t>{3, 1, 6, 9, 4}));
}

BOOST_DATA_TEST_CASE(a_calendar_keeps_the_order_of_random_requests_ahead_of_the_kernel_and_in_step,
                     data::xrange(1, 13) * data::make({1U, 40U, 3000U}) * data::make({false, true}), seed, size,
                     stranger)
{
    Simulation simulation(static_cast<std::uint64_t>(seed));
    Crowd crowd(simulation, static_cast<std::uint64_t>(seed), size);
    std::optional<Stranger> other;
    if (stranger) {
        other.emplace("stranger", [&] {
            crowd.ask();
            if (crowd.runs < 1000) other->event.notify(333, sc_core::SC_PS);
        });
        other->event.notify(1, sc_core::SC_NS);
    }
    for (unsigned i = 0; i < size; ++i) crowd.ask();
    simulation.run_until(1_ns);
    for (int i = 0; i < 100; ++i) crowd.ask();
    simulation.run();
    BOOST_TEST(simulation.calendar().in_step() == stranger);
    BOOST_TEST(crowd.wrong == 0U);
    BOOST_TEST(crowd.rests());
    if (size > 1) BOOST_TEST(crowd.runs > 20'000U);
}

// Whoever asks first, and whichever of two times comes first.
BOOST_DATA_TEST_CASE(processes_of_others_run_in_order_of_time_and_at_one_time_before_the_calendar,
                     data::make({1, 2, 3}) * data::make({false, true}) * data::make({false, true}), blocks_at, first,
                     reacts)
{
    Simulation simulation(1);
    std::vector<std::pair<char, Duration>> runs;
    const auto note = [&runs](char who) { runs.emplace_back(who, now()); };
    Stranger reaction("reaction", [&] { note('r'); });
    Stranger stranger("stranger", [&] {
        note('s');
        if (reacts) reaction.event.notify(sc_core::SC_ZERO_TIME);
    });
    Alarm alarm(simulation, [&] { note('b'); });
    const auto ask_stranger = [&] { stranger.event.notify(2, sc_core::SC_NS); };
    if (first) ask_stranger();
    alarm.wakeup.at(1_ns * blocks_at);
    if (!first) ask_stranger();
    simulation.run();
    std::vector<std::pair<char, Duration>> expected{{'s', 2_ns}};
    if (reacts) expected.emplace_back('r', 2_ns);
    expected.insert(blocks_at == 1 ? expected.begin() : expected.end(), {'b', 1_ns * blocks_at});
    BOOST_TEST((runs == expected));
}

BOOST_AUTO_TEST_CASE(a_calendar_does_not_run_past_a_process_of_somebody_else)
{
    Simulation simulation(1);
    std::vector<std::pair<int, Duration>> runs;
    Alarm alarm(simulation, [&] {
        runs.emplace_back(1, now());
        if (now() == 1_ns) alarm.wakeup.at(3_ns);
    });
    Stranger stranger("stranger", [&] { runs.emplace_back(2, now()); });
    alarm.wakeup.at(1_ns);
    stranger.event.notify(2, sc_core::SC_NS);
    simulation.run();
    const std::vector<std::pair<int, Duration>> expected{{1, 1_ns}, {2, 2_ns}, {1, 3_ns}};
    BOOST_TEST((runs == expected));
}

BOOST_AUTO_TEST_CASE(a_block_and_a_process_of_somebody_else_wake_each_other_at_the_present_and_later)
{
    Simulation simulation(1);
    std::vector<std::pair<char, Duration>> runs;
    std::optional<Alarm> block;
    Stranger stranger("stranger", [&] {
        runs.emplace_back('s', now());
        BOOST_TEST((kernel_now() == now()));
        block->wakeup.at(runs.size() == 2 ? now() : now() + 3_ns);
    });
    block.emplace(simulation, [&] {
        runs.emplace_back('b', now());
        if (runs.size() == 1) stranger.event.notify();
        if (runs.size() == 3) stranger.event.notify(4, sc_core::SC_NS);
    });
    block->wakeup.at(5_ns);
    simulation.run();
    const std::vector<std::pair<char, Duration>> expected{
        {'b', 5_ns}, {'s', 5_ns}, {'b', 5_ns}, {'s', 9_ns}, {'b', 12_ns}};
    BOOST_TEST((runs == expected));
}

BOOST_AUTO_TEST_CASE(a_calendar_forgets_a_request_whose_block_has_run_and_ends_where_something_ends)
{
    Simulation simulation(1);
    std::vector<std::pair<int, Duration>> runs;
    Woken first(simulation, runs, 1), second(simulation, runs, 2);
    first.wakeup.at(3_ns);
    second.wakeup.at(4_ns);
    BOOST_TEST(second.wakeup.taken(4_ns));
    simulation.calendar().reach(7_ns);
    simulation.run();
    BOOST_TEST((runs == std::vector<std::pair<int, Duration>>{{1, 3_ns}}));
    BOOST_TEST((now() == 7_ns));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
