// SPDX-License-Identifier: Apache-2.0
#include "analytic/sci/load.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "tests/support/cases.h"

namespace ringmesh::analytic::gap_wait_test {
namespace {

const auto kClose = boost::test_tools::tolerance(1e-12);

constexpr double kTrain = 120;
constexpr double kTrainSquare = 40000;  // not of a fixed length, which would be 14400

/// Simulates the link: trains of one fixed length, heads at random while no train arrives.
class Player {
public:
    Player(double rate, double train, double margin) : rate_(rate), train_(train), margin_(margin) {}

    /// Until an own packet could start, when the link is reserved for `reserved` ns from now on.
    double clear(double reserved)
    {
        double passed = 0;
        while (true) {
            const double gap = -std::log(1 - uniform_(random_)) / rate_;
            if (gap >= reserved) return passed + reserved;
            passed += gap + train_;
            reserved = std::max(margin_, reserved - gap);
        }
    }

private:
    double rate_;
    double train_;
    double margin_;
    std::mt19937_64 random_{4711};
    std::uniform_real_distribution<double> uniform_{0, 1};
};

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(gap_wait)

BOOST_AUTO_TEST_CASE(without_a_margin_a_train_blocks_for_its_own_time)
{
    const Moments blocked = GapWait(0.003, kTrain, kTrainSquare, 0).blocked();
    BOOST_TEST(blocked.mean == kTrain, kClose);
    BOOST_TEST(blocked.square == kTrainSquare, kClose);
}

// An own packet of S ns makes room for rate * S trains, and their number is random.
BOOST_DATA_TEST_CASE(without_a_margin_an_own_packet_is_over_when_its_backlog_is, data::make({1.0, 50.0, 210.0}), length)
{
    constexpr double kRate = 0.003;
    const Moments clearing = GapWait(kRate, kTrain, kTrainSquare, 0).clearing(length);
    const double mean = length * (1 + kRate * kTrain);
    BOOST_TEST(clearing.mean == mean, kClose);
    BOOST_TEST(clearing.square == mean * mean + length * kRate * kTrainSquare, kClose);
}

// (e^(rate margin) - 1) / rate of time without trains, each ns of it with rate * train of trains.
BOOST_DATA_TEST_CASE(the_wait_for_a_gap_grows_exponentially_with_its_margin, data::make({1e-9, 0.001, 0.02, 0.1}), rate)
{
    constexpr double kMargin = 60;
    const double gap = std::expm1(rate * kMargin) / rate * (1 + rate * kTrain);
    BOOST_TEST(GapWait(rate, kTrain, kTrainSquare, kMargin).blocked().mean == kTrain + gap,
               boost::test_tools::tolerance(1e-9));
}

BOOST_DATA_TEST_CASE(moments_do_not_jump_at_the_margin_nor_at_the_series,
                     data::make({1e-9, 1.6666e-7, 1.6667e-7, 0.02}), rate)
{
    const GapWait gaps(rate, kTrain, kTrainSquare, 60);
    const Moments below = gaps.clearing(60 - 1e-9);
    const Moments above = gaps.clearing(60 + 1e-9);
    BOOST_TEST(below.mean == above.mean, boost::test_tools::tolerance(1e-8));
    BOOST_TEST(below.square == above.square, boost::test_tools::tolerance(1e-8));
    const GapWait neighbour(rate * (1 + 1e-3), kTrain, kTrainSquare, 60);
    BOOST_TEST(neighbour.clearing(60).square == above.square, boost::test_tools::tolerance(1e-2));
}

// 200 000 samples: means to 1 %, mean squares to 3 %.
BOOST_DATA_TEST_CASE(moments_agree_with_a_simulated_link,
                     data::make({0.002, 0.01, 0.03}) * data::make({30.0, 60.0, 210.0}), rate, length)
{
    constexpr double kMargin = 60;
    constexpr int kPlays = 200'000;
    Player player(rate, kTrain, kMargin);
    Moments played;
    for (int i = 0; i < kPlays; ++i) {
        const double time = player.clear(length);
        played.mean += time / kPlays;
        played.square += time * time / kPlays;
    }
    const Moments derived = GapWait(rate, kTrain, kTrain * kTrain, kMargin).clearing(length);
    BOOST_TEST(played.mean == derived.mean, boost::test_tools::tolerance(0.01));
    BOOST_TEST(played.square == derived.square, boost::test_tools::tolerance(0.03));
}

BOOST_AUTO_TEST_CASE(invalid_rates_and_times_are_refused)
{
    constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
    BOOST_CHECK_THROW(GapWait(0, 1, 1, 1), std::domain_error);
    BOOST_CHECK_THROW(GapWait(kNotANumber, 1, 1, 1), std::domain_error);
    BOOST_CHECK_THROW(GapWait(1, -1, 1, 1), std::domain_error);
    BOOST_CHECK_THROW(GapWait(1, 1, kNotANumber, 1), std::domain_error);
    BOOST_CHECK_THROW(GapWait(1, 1, 1, -1), std::domain_error);
    BOOST_CHECK_THROW(GapWait(1, 1, 1, 1).clearing(-1), std::domain_error);
    BOOST_CHECK_NO_THROW(GapWait(1, 0, 0, 0).clearing(0));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::analytic::gap_wait_test
