// SPDX-License-Identifier: Apache-2.0
#include "tlm/division/division.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tlm/division/refusals.h"
#include "tlm/simulation/fault.h"

namespace ringmesh::test {
namespace {

/// Threads in the place of processes: each waits in exchange() until all have come.
class Threads {
public:
    explicit Threads(unsigned count) : count_(count), sent_(count) {}

    class One final : public Processes {
    public:
        One(Threads& all, unsigned own) : all_(all), own_(own) {}
        unsigned count() const override { return all_.count_; }
        unsigned own() const override { return own_; }
        std::vector<Parcel> exchange(const std::vector<Parcel>& to) override { return all_.exchange(own_, to); }
        /// In turn, the last first.
        std::vector<unsigned> cut(const PlaceGraph& graph) const override
        {
            std::vector<unsigned> owners;
            for (std::size_t place = 0; place < graph.weights.size(); ++place) {
                owners.push_back(count() - 1 - static_cast<unsigned>(place) % count());
            }
            return owners;
        }

    private:
        Threads& all_;
        const unsigned own_;
    };

    /// Runs `work` for each of them to its end.
    void run(const std::function<void(One&)>& work)
    {
        std::vector<std::thread> threads;
        for (unsigned own = 0; own < count_; ++own) {
            threads.emplace_back([this, own, &work] {
                One one(*this, own);
                work(one);
            });
        }
        for (std::thread& thread : threads) thread.join();
    }

private:
    std::vector<Parcel> exchange(unsigned own, const std::vector<Parcel>& to)
    {
        std::unique_lock lock(mutex_);
        sent_[own] = to;
        meet(lock);
        std::vector<Parcel> got;
        for (const auto& parcels : sent_) got.push_back(parcels[own]);
        meet(lock);
        return got;
    }
    void meet(std::unique_lock<std::mutex>& lock)
    {
        const unsigned round = round_;
        if (++arrived_ == count_) {
            arrived_ = 0;
            ++round_;
            all_here_.notify_all();
        }
        all_here_.wait(lock, [&] { return round_ != round; });
    }

    const unsigned count_;
    std::mutex mutex_;
    std::condition_variable all_here_;
    unsigned arrived_ = 0, round_ = 0;
    std::vector<std::vector<Parcel>> sent_;
};

const Calendar& no_calendar()
{
    static const Calendar calendar("calendar");
    return calendar;
}

constexpr Duration at_ps(std::int64_t ps) { return Duration::picoseconds(ps); }

/// A line of places, each link of which takes so long.
PlaceGraph line(std::size_t places, std::int64_t least_ps)
{
    PlaceGraph graph{.weights = std::vector<std::int64_t>(places, 1), .links = {}};
    for (std::uint32_t place = 1; place < places; ++place) {
        graph.links.push_back({place - 1, place, 1, at_ps(least_ps)});
    }
    return graph;
}

/// A token that goes from process to process, each time later, until it has made so many hops.
class Token final : public Crossing {
public:
    Token(Division& division, std::int64_t delay_ps, int hops)
        : division_(division), delay_(at_ps(delay_ps)), left_(hops)
    {
        division_.add(*this);
    }
    Duration first() const { return division_.own() == 0 ? at_ps(1000) : Duration::never(); }
    /// The token's turn here, if it is before this time.
    Duration run(Duration end)
    {
        ends.push_back(end);
        if (due_ > end) return due_;
        turns.push_back(due_);
        if (left_ > 0) leaves_ = due_ + delay_;
        due_ = Duration::never();
        return due_;
    }

    std::vector<Duration> turns, ends;

private:
    Duration give(std::vector<Parcel>& to) override
    {
        const Duration leaves = std::exchange(leaves_, Duration::never());
        if (leaves == Duration::never()) return leaves;
        Parcel& parcel = to[(division_.own() + 1) % division_.count()];
        parcel.put(leaves);
        parcel.put(left_ - 1);
        return leaves;
    }
    void take(Parcel& parcel) override
    {
        if (parcel.empty()) return;
        due_ = parcel.take<Duration>();
        left_ = parcel.take<int>();
    }

    Division& division_;
    const Duration delay_;
    int left_;
    Duration due_ = first();
    Duration leaves_ = Duration::never();
};

/// Three processes have work without end; `fails` may throw in any of them. @return what each of them throws in the end
template <class Error>
std::vector<std::string> errors_seen(const std::function<void(unsigned process)>& fails)
{
    std::vector<std::string> seen(3);
    Threads(3).run([&](Processes& processes) {
        Division division(processes, no_calendar());
        division.cut(line(3, 10));
        try {
            division.run(at_ps(5), [&](Duration) {
                fails(division.own());
                return at_ps(100);
            });
        } catch (const Error& error) {
            seen[division.own()] = error.what();
        }
        if (!division.all_have_failed()) std::abort();
    });
    return seen;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(division)

BOOST_AUTO_TEST_CASE(process_0_has_the_first_place_with_work)
{
    std::vector<std::vector<unsigned>> owners(2);
    Threads(2).run([&](Processes& processes) {
        Division division(processes, no_calendar());
        PlaceGraph graph = line(5, 7);
        graph.weights[0] = 0;
        division.cut(graph);
        for (std::size_t place = 0; place < 5; ++place) owners[division.own()].push_back(division.owner(place));
    });
    for (const auto& of_one : owners) BOOST_TEST((of_one == std::vector<unsigned>{1, 0, 1, 0, 1}));
    Threads(2).run([](Processes& processes) {
        PlaceGraph graph = line(5, 7);
        for (std::size_t place = 1; place < 5; ++place) graph.weights[place] = 0;
        Division division(processes, no_calendar());
        try {
            division.cut(graph);
            std::abort();
        } catch (const UserError&) {
        }
    });
}

BOOST_AUTO_TEST_CASE(the_shortest_link_that_is_cut_is_the_lookahead)
{
    PlaceGraph graph = line(4, 9);
    graph.links[1].least = at_ps(4);
    BOOST_TEST((lookahead(graph, {0, 0, 1, 1}) == at_ps(4)));
    BOOST_TEST((lookahead(graph, {0, 1, 1, 1}) == at_ps(9)));
    BOOST_TEST((lookahead(graph, {0, 0, 0, 0}) == Duration::never()));
}

BOOST_AUTO_TEST_CASE(parts_without_links_run_to_their_end_at_once)
{
    std::vector<std::vector<Duration>> ends(2);
    Threads(2).run([&](Processes& processes) {
        Division division(processes, no_calendar());
        PlaceGraph graph = line(2, 7);
        graph.links.clear();
        division.cut(graph);
        division.run(at_ps(5), [&](Duration end) {
            ends[division.own()].push_back(end);
            return Duration::never();
        });
    });
    for (const auto& of_one : ends) BOOST_TEST((of_one == std::vector{Duration::never()}));
}

BOOST_AUTO_TEST_CASE(windows_are_as_long_as_the_lookahead_and_skip_what_is_idle)
{
    std::vector<std::vector<Duration>> turns(3), ends(3);
    Threads(3).run([&](Processes& processes) {
        Division division(processes, no_calendar());
        division.cut(line(3, 10));
        Token token(division, 500, 4);
        division.run(token.first(), [&token](Duration end) { return token.run(end); });
        turns[division.own()] = token.turns;
        ends[division.own()] = token.ends;
    });
    BOOST_TEST((turns[0] == std::vector{at_ps(1000), at_ps(2500)}));
    BOOST_TEST((turns[1] == std::vector{at_ps(1500), at_ps(3000)}));
    BOOST_TEST((turns[2] == std::vector{at_ps(2000)}));
    const std::vector expected{at_ps(1009), at_ps(1509), at_ps(2009), at_ps(2509), at_ps(3009)};
    for (const auto& of_one : ends) BOOST_TEST((of_one == expected));
}

BOOST_AUTO_TEST_CASE(parcels_of_one_length_and_none_are_told_apart)
{
    Parcel parcel;
    BOOST_TEST(parcel.empty());
    parcel.put(7);
    parcel.put(std::string("two words"));
    BOOST_TEST(parcel.take<int>() == 7);
    BOOST_TEST(parcel.take_text() == "two words");
    BOOST_TEST(parcel.empty());
    BOOST_CHECK_THROW(parcel.take<int>(), ModelError);
}

BOOST_AUTO_TEST_CASE(an_error_ends_the_window_of_all_with_its_type_and_text)
{
    for (const std::string& text : errors_seen<StuckError>([](unsigned process) {
             if (process == 1) throw StuckError("nothing moves");
         })) {
        BOOST_TEST(text == "nothing moves");
    }
}

BOOST_AUTO_TEST_CASE(of_two_errors_at_one_time_that_of_the_first_process_ends_all)
{
    for (const std::string& text : errors_seen<StuckError>([](unsigned process) {
             if (process != 0) throw StuckError("at " + std::to_string(process));
         })) {
        BOOST_TEST(text == "at 1");
    }
}

BOOST_AUTO_TEST_CASE(an_error_of_no_known_type_is_told_as_that_of_another_process)
{
    const auto seen = errors_seen<std::runtime_error>([](unsigned process) {
        if (process == 2) throw std::runtime_error("odd");
    });
    BOOST_TEST(seen[2] == "odd");
    BOOST_TEST(seen[0].ends_with(": odd"));
    BOOST_TEST(seen[1] == seen[0]);
}

BOOST_AUTO_TEST_CASE(a_cut_that_fails_in_process_0_fails_in_all)
{
    class Unable final : public Processes {
    public:
        explicit Unable(Processes& others) : others_(others) {}
        unsigned count() const override { return others_.count(); }
        unsigned own() const override { return others_.own(); }
        std::vector<Parcel> exchange(const std::vector<Parcel>& to) override { return others_.exchange(to); }
        std::vector<unsigned> cut(const PlaceGraph&) const override { throw ModelError("no cut"); }

    private:
        Processes& others_;
    };
    std::vector<std::string> seen(2);
    Threads(2).run([&](Processes& processes) {
        Unable unable(processes);
        Division division(unable, no_calendar());
        try {
            division.cut(line(3, 10));
        } catch (const ModelError& error) {
            seen[division.own()] = error.what();
        }
    });
    for (const std::string& text : seen) BOOST_TEST(text == "no cut");
}

BOOST_AUTO_TEST_CASE(an_error_while_parcels_are_taken_ends_all)
{
    class Refuser final : public Crossing {
    public:
        explicit Refuser(Division& division) : division_(division) {}

    private:
        Duration give(std::vector<Parcel>&) override { return Duration::never(); }
        void take(Parcel&) override
        {
            if (division_.own() == 1) throw ModelError("what came is wrong");
        }
        Division& division_;
    };
    for (const Duration first : {at_ps(5), Duration::never()}) {
        std::vector<std::string> seen(2);
        Threads(2).run([&](Processes& processes) {
            Division division(processes, no_calendar());
            division.cut(line(2, 10));
            Refuser refuser(division);
            division.add(refuser);
            try {
                division.run(first, [](Duration) { return Duration::never(); });
            } catch (const ModelError& error) {
                seen[division.own()] = error.what();
            }
        });
        for (const std::string& text : seen) BOOST_TEST(text == "what came is wrong");
    }
}

BOOST_AUTO_TEST_CASE(lists_of_different_lengths_add_up)
{
    for (const bool longer_first : {true, false}) {
        std::vector<std::vector<int>> lists{{1, 2, 3}, {10}};
        std::vector<int> highest{4, 7};
        if (!longer_first) std::swap(lists[0], lists[1]);
        Threads(2).run([&](Processes& processes) {
            Division division(processes, no_calendar());
            division.add_up([&](Totals& totals) {
                totals.sum_list(lists[division.own()]);
                totals.highest(highest[division.own()]);
            });
        });
        BOOST_TEST((lists[0] == std::vector{11, 2, 3}));
        BOOST_TEST(highest[0] == 7);
    }
}

BOOST_AUTO_TEST_CASE(what_is_done_together_fails_in_all)
{
    std::vector<std::string> seen(2);
    Threads(2).run([&](Processes& processes) {
        Division division(processes, no_calendar());
        division.together([] {});
        try {
            division.together([&division] {
                if (division.own() == 1) throw FaultError("a link is down");
            });
        } catch (const FaultError& error) {
            seen[division.own()] = error.what();
        }
    });
    for (const std::string& text : seen) BOOST_TEST(text == "a link is down");
}

BOOST_AUTO_TEST_CASE(process_0_adds_up_and_all_know_the_latest)
{
    std::vector<std::uint64_t> sums(3);
    std::vector<std::vector<int>> lists(3);
    std::vector<Duration> latest(3);
    Threads(3).run([&](Processes& processes) {
        Division division(processes, no_calendar());
        const unsigned own = division.own();
        sums[own] = 10 + own;
        lists[own] = {1, static_cast<int>(own)};
        division.add_up([&](Totals& totals) {
            totals.sum(sums[own]);
            totals.sum_each(lists[own]);
        });
        latest[own] = division.longest(at_ps(own == 1 ? 70 : 30));
    });
    BOOST_TEST((sums == std::vector<std::uint64_t>{33, 11, 12}));
    BOOST_TEST((lists[0] == std::vector{3, 3}));
    BOOST_TEST((lists[2] == std::vector{1, 2}));
    for (const Duration one : latest) BOOST_TEST((one == at_ps(70)));
}

/// Each of two processes refuses twice in each window of 10 ps.
BOOST_DATA_TEST_CASE(refusals_in_a_row_are_those_of_all_processes, boost::unit_test::data::make({false, true}), accepts)
{
    std::vector<std::string> seen(2);
    Threads(2).run([&](Processes& processes) {
        Division division(processes, no_calendar());
        division.cut(line(2, 10));
        const unsigned own = division.own();
        const std::uint64_t limit = 10;
        Refusals refusals(division, limit, [](Duration at) { throw FaultError(std::to_string(at.ps())); });
        Duration begin = at_ps(5);
        try {
            division.run(begin, [&](Duration) {
                refusals.refused(begin + at_ps(own));
                refusals.refused(begin + at_ps(2 + own));
                if (accepts && own == 1 && begin == at_ps(15)) refusals.accepted(at_ps(17));
                begin += at_ps(10);
                return begin < at_ps(100) ? begin : Duration::never();
            });
        } catch (const FaultError& error) {
            seen[own] = error.what();
        }
    });
    // The tenth refusal; with the acceptance, of those from 18 ps on
    for (const std::string& text : seen) BOOST_TEST(text == (accepts ? "45" : "26"));
}

/// A cable that counts what arrives.
struct CountingCable final : CutCables::Cable {
    void arrives(Parcel& parcel, Duration at) override
    {
        values.push_back(parcel.take<int>());
        times.push_back(at);
    }
    std::vector<int> values;
    std::vector<Duration> times;
};

BOOST_AUTO_TEST_CASE(what_is_sent_into_a_cut_cable_arrives_in_the_process_to_which_it_leads)
{
    std::vector<std::vector<int>> values(3);
    std::vector<std::vector<Duration>> times(3);
    Threads(3).run([&](Processes& processes) {
        Division division(processes, no_calendar());
        division.cut(line(3, 10));  // place 0 is in process 0, 1 in 1, 2 in 2
        CutCables cables(division);
        CountingCable to_1, to_2;
        const std::uint32_t first = cables.add(to_1, 1);
        const std::uint32_t second = cables.add(to_2, 2);
        bool sends = division.own() == 0;
        division.run(sends ? at_ps(5) : Duration::never(), [&](Duration) {
            if (std::exchange(sends, false)) {
                cables.send(first, at_ps(40)).put(1);
                cables.send(second, at_ps(30)).put(2);
                cables.send(first, at_ps(50)).put(3);
            }
            return Duration::never();
        });
        values[division.own()] = division.own() == 2 ? to_2.values : to_1.values;
        times[division.own()] = division.own() == 2 ? to_2.times : to_1.times;
    });
    BOOST_TEST(values[0].empty());
    BOOST_TEST((values[1] == std::vector{1, 3}));
    BOOST_TEST((times[1] == std::vector{at_ps(40), at_ps(50)}));
    BOOST_TEST((values[2] == std::vector{2}));
    BOOST_TEST((times[2] == std::vector{at_ps(30)}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test
