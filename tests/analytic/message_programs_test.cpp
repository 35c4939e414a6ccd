// SPDX-License-Identifier: Apache-2.0
#include "analytic/message_programs.h"

#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace ringmesh::analytic::message_programs_test {
namespace {

using Steps = std::vector<std::vector<MessageStep>>;

MessageStep put(unsigned peer, std::int64_t message = 0, double cost = 2)
{
    return {MessageStepKind::kPut, peer, message, cost};
}
MessageStep get(unsigned peer, std::int64_t message = 0, double cost = 3)
{
    return {MessageStepKind::kGet, peer, message, cost};
}
const MessageStep drain{MessageStepKind::kDrain, 0, 0, 0};

auto says(std::string expected)
{
    return [expected](const std::domain_error& error) { return error.what() == expected; };
}

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(message_programs)

BOOST_AUTO_TEST_CASE(a_message_is_put_then_got_and_a_blocking_sender_waits_for_that)
{
    const Steps steps{{put(1), drain}, {get(0)}, {put(3)}, {get(2)}};
    BOOST_TEST(program_ends({steps}) == (std::vector<double>{5, 5, 2, 5}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_sender_puts_while_the_receiver_is_busy)
{
    // 1 gets from 0 until 5, then from 2, which has put by then
    const Steps steps{{put(1), drain}, {get(0), get(2)}, {put(1), drain}};
    BOOST_TEST(program_ends({steps}) == (std::vector<double>{5, 8, 8}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_next_message_is_put_when_the_last_has_been_got)
{
    const Steps steps{{put(1, 1), put(1, 2), drain}, {get(0, 1), get(0, 2)}};
    BOOST_TEST(program_ends({steps}) == (std::vector<double>{10, 10}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_program_that_does_not_wait_overlaps_its_work)
{
    // 0 gets from 1 while 1 gets from 0: no blocking order could
    const Steps steps{{put(1), get(1), drain}, {put(0), get(0), drain}};
    BOOST_TEST(program_ends({steps}) == (std::vector<double>{5, 5}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(two_programs_that_both_send_first_deadlock_and_are_named)
{
    const Steps steps{{put(1, 7), drain, get(1)}, {get(0, 7), get(0, 8)}};
    BOOST_CHECK_EXCEPTION(program_ends({steps}), std::domain_error, says("deadlock: 0 gets 0 from 1, 1 gets 8 from 0"));
    const Steps both{{put(1, 7), drain, get(1, 8)}, {put(0, 8), drain, get(0, 7)}};
    BOOST_CHECK_EXCEPTION(program_ends({both}), std::domain_error,
                          says("deadlock: 0 waits until its put has been got, 1 waits until its put has been got"));
}

BOOST_AUTO_TEST_CASE(both_sides_must_mean_the_same_message)
{
    const Steps steps{{put(1, 7)}, {get(0, 8)}};
    BOOST_CHECK_EXCEPTION(program_ends({steps}), std::domain_error, says("1 gets 8 from 0, 0 puts 7 for 1"));
    const Steps to_missing{{put(5)}};
    BOOST_CHECK_EXCEPTION(program_ends({to_missing}), std::domain_error, says("0 puts 0 for 5, which does not exist"));
    const Steps left{{put(1, 7)}, {}};
    BOOST_CHECK_EXCEPTION(program_ends({left}), std::domain_error, says("0 puts 7 for 1, which no program gets"));
}

BOOST_AUTO_TEST_CASE(each_get_is_reported_once_in_program_order)
{
    const Steps steps{{put(1, 1), put(2, 2), put(1, 3)}, {get(0, 1), get(0, 3)}, {get(0, 2)}};
    MessagePrograms all{steps};
    std::vector<std::int64_t> told;
    all.got = [&told](unsigned from, unsigned, std::int64_t message) {
        if (from == 0) told.push_back(message);
    };
    program_ends(all);
    BOOST_TEST(told == (std::vector<std::int64_t>{1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace ringmesh::analytic::message_programs_test
